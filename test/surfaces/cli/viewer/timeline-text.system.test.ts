/** A trace as lines: in order, with bars that fit, and with nothing that moves the cursor of the terminal. */
import { expect, test } from 'vitest'
import type { Trace } from '../../../../src/contracts/doors/viewer.ts'
import { stepFacts } from '../../../../src/service/traces/trace-steps.ts'
import { timelineText } from '../../../../src/surfaces/cli/viewer/timeline-text.ts'

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
        {
          id: 'a',
          type: 'open_app',
          title: 'Open',
          state: 'succeeded',
          data: {},
          segment: 0,
          startedAt: 1_100,
          endedAt: 1_400,
        },
        {
          id: 'b',
          type: 'click',
          title: 'Click',
          state: 'failed',
          data: {},
          segment: 1,
          startedAt: 1_400,
          endedAt: 2_000,
          durationMs: 600,
          error: { code: 'NODE_NOT_FOUND', message: 'nothing says \x1b[2J here' },
        },
        { id: 'c', type: 'sleep', title: 'Wait', state: 'not-run', data: {} },
      ],
    },
  ],
}

test('one line for each thing that happened', () => {
  const lines = timelineText(trace, 100).split('\n')
  expect(lines[0]).toContain('execution e1 on d1: NODE_NOT_FOUND, 1 s')
  expect(lines.slice(1).map(line => line.slice(0, 9).trim())).toEqual(['0 ms', '100 ms', '400 ms', '', '1 s', ''])
  expect(lines[2]).toMatch(/█+·+ {2}✓ Open {2}≤ 300 ms/)
  expect(lines[3]).toContain('✗ Click  600 ms  NODE_NOT_FOUND: nothing says')
  expect(lines[6]?.trim()).toBe('hint: look again')
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

const [execution] = trace.executions
const withTimeline = (timeline: Trace['executions'][number]['timeline'], hint = 'look again'): string[] => {
  if (!execution) throw new Error('the trace has no execution')
  const error = { code: 'EXECUTION_INTERRUPTED', message: 'no', hint }
  return timelineText({ ...trace, executions: [{ ...execution, error, timeline }] }, 60).split('\n')
}

test('a step that never ran has no bar and no time, though its segment has', () => {
  const times = { segment: 0, startedAt: 1_100, endedAt: 2_000 }
  const asked = { type: 'press_key', params: { key: 'back' } }
  const step = { id: 'k', ...asked, ...stepFacts(asked), state: 'not-run', data: {}, ...times } as const
  const row = withTimeline([step])[2] ?? ''
  expect(row.trim()).toBe('Press back  not run')
})

test('steps have the words of the receipt, and a hint is a whole command of the command line', () => {
  const params = { matcher: { flow: { text: 'ann' } } }
  const asked = { type: 'wait_for_node', params }
  const step = { id: 'w', ...asked, ...stepFacts(asked), state: 'succeeded', data: {} } as const
  const id = '0190a5b2-7c11-7d5e-8a55-4f3b2a1c0d9e'
  const text = withTimeline([step], `Resume it with \`POST /executions/${id}/resume\`.`).join('\n')
  expect(text).toContain('✓ Wait for “ann”')
  expect(text).toContain(`svc executions resume ${id}`)
  expect(text).not.toContain('POST /')
})

test('what the phone told ten seconds after a crash has no bar, and names who told it and when', () => {
  const later = { segment: 0, startedAt: 1_100, source: 'operator', knownAt: 16_100 } as const
  const [step] = execution?.timeline ?? []
  if (!execution || !step) throw new Error('the trace has no step')
  const { error: _, ...rest } = execution
  const crashed = {
    ...rest,
    ...{ state: 'interrupted', settledAt: 6_100, code: 'success' },
    evidence: { source: 'operator', at: 16_100, outcome: 'done' },
    timeline: [
      { ...step, endedAt: 1_400, source: 'progress', knownAt: 1_400 },
      { ...step, ...later, endedAt: undefined as never, durationMs: 3_000 },
    ],
  } as const
  const lines = timelineText({ ...trace, executions: [crashed as never] }, 160).split('\n')
  // Nobody saw its end.
  expect(lines[0]).toBe('execution e1 on d1: success, 1970-01-01T00:00:01.000Z')
  expect(lines[2]).toMatch(/^ +100 ms {2}█+·+ {2}✓ Open {2}≤ 300 ms$/)
  expect(lines[3]).toMatch(/^ +100 ms {2}▸·+ {2}✓ Open {2}3 s, told by the phone at 15.1 s$/)
  expect(lines[4]).toMatch(/^ +5.1 s {2}·+█ {2}interrupted: the svc process that ran it was found to be gone$/)
  expect(lines[5]).toMatch(/^ +15.1 s +done: told by the phone at 1970-01-01T00:00:16.100Z, 15 s after it was sent$/)
})
