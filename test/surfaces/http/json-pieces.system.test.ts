/** A run of flows in pieces is the JSON of the run. */
import { expect, test } from 'vitest'
import type { FlowCommandResult, TestRun } from '../../../src/contracts/flows/test-run.ts'
import { testRunPieces } from '../../../src/surfaces/http/stream-json.ts'

const command = (index: number): FlowCommandResult => ({
  ...{ index, depth: 0, name: 'tapOn', text: `Tap on "${index}"`, file: 'a.yaml', line: 3, verdict: 'passed' },
  ...{ startedAt: 1, executionIds: [] },
})
const attempt = { flowRunId: 'r.1.1', attempt: 1, deviceId: 'd1', verdict: 'passed', startedAt: 1 } as const
const flow = { flow: 'a.yaml', name: 'a', tags: [], properties: {}, verdict: null }
const run = { testRunId: 'r', state: 'running', verdict: null, startedAt: 1, folder: '/r' } as const

const flows: readonly (readonly [string, TestRun['flows']])[] = [
  ['no flow', []],
  ['a flow without attempts', [{ ...flow, attempts: [] }]],
  ['attempts without commands', [{ ...flow, attempts: [attempt, { ...attempt, attempt: 2, commands: [] }] }]],
  [
    'attempts with commands',
    [
      {
        ...flow,
        attempts: [
          { ...attempt, commands: [command(0), command(1)] },
          { ...attempt, commands: [command(0)] },
        ],
      },
      { ...flow, name: 'b', attempts: [] },
    ],
  ],
]

test.each(flows)('%s', (_, its) => {
  const testRun: TestRun = { ...run, flows: its }
  expect(JSON.parse([...testRunPieces(testRun)].join(''))).toEqual({ ok: true, testRun })
})

test('the commands are pieces of their own', () => {
  const commands = Array.from({ length: 20_000 }, (_, index) => command(index))
  const pieces = [...testRunPieces({ ...run, flows: [{ ...flow, attempts: [{ ...attempt, commands }] }] })]
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(1_000)
})
