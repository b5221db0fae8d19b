/** A trace as lines: in order, with bars that fit, and with nothing that moves the cursor of the terminal. */
import { expect, test } from 'vitest'
import { timelineText } from '../../../src/cli/viewer/timeline-text.ts'
import type { Trace } from '../../../src/contracts/viewer.ts'

const trace: Trace = {
  kind: 'execution',
  id: 'e1',
  actor: 'device:d1',
  machine: 'device',
  records: [],
  executions: [
    {
      executionId: 'e1',
      commandId: 'tour',
      taskId: 't',
      deviceId: 'd1',
      state: 'settled',
      acceptedAt: 1_000,
      dispatchedAt: 1_100,
      settledAt: 2_000,
      code: 'NODE_NOT_FOUND',
      steps: [],
      error: { code: 'NODE_NOT_FOUND', message: 'no', hint: 'look again' },
      timeline: [
        { id: 'a', type: 'open_app', state: 'succeeded', data: {}, segment: 0, startedAt: 1_100, endedAt: 1_400 },
        {
          id: 'b',
          type: 'click',
          state: 'failed',
          data: {},
          segment: 1,
          startedAt: 1_400,
          endedAt: 2_000,
          durationMs: 600,
          error: { code: 'NODE_NOT_FOUND', message: 'nothing says \x1b[2J here' },
        },
        { id: 'c', type: 'sleep', state: 'not-run', data: {} },
      ],
    },
  ],
}

test('one line for each thing that happened', () => {
  const lines = timelineText(trace, 100).split('\n')
  expect(lines[0]).toContain('execution e1 on d1: NODE_NOT_FOUND, 1 s')
  expect(lines.slice(1).map(line => line.slice(0, 9).trim())).toEqual(['0 ms', '100 ms', '400 ms', '', '1 s'])
  expect(lines[2]).toMatch(/█+·+ {2}✓ open_app {2}≤ 300 ms/)
  expect(lines[3]).toContain('✗ click  600 ms  NODE_NOT_FOUND: nothing says')
  expect(lines[5]).toContain('hint: look again')
  for (const line of lines.slice(1)) expect(line.length).toBeLessThanOrEqual(100)
})

test('control characters do not reach the terminal', () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(timelineText(trace, 160)).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f]/)
})

test('what is left out is said at the end', () => {
  const lines = timelineText({ ...trace, omitted: ['More is elsewhere.'] }, 100).split('\n')
  expect(lines.at(-1)).toBe('More is elsewhere.')
})
