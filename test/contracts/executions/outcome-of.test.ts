/** The outcome of an execution in one word. */
import { expect, test } from 'vitest'
import { outcomeOf } from '../../../src/contracts/executions/outcome-of.ts'

const failed = (details: object = {}) => ({ ok: false, error: { code: 'X', message: 'It broke.', details } }) as const
const answered = (status: 'success' | 'failed') =>
  ({
    ok: true,
    deviceId: 'd1',
    terminalSource: 'svc_result',
    envelope: { commandId: 'c', taskId: 't', status, stepResults: [], error: null },
  }) as const
const told = { source: 'operator', at: 5 } as const

test.each([
  ['waits', { state: 'waiting' }, 'unknown'],
  ['runs', { state: 'dispatched', dispatchedAt: 1 }, 'unknown'],
  ['was refused before it was sent', { state: 'settled', result: failed() }, 'not_sent'],
  ['succeeded', { state: 'settled', dispatchedAt: 1, result: answered('success') }, 'done'],
  ['failed', { state: 'settled', dispatchedAt: 1, result: answered('failed') }, 'failed'],
  ['had no answer', { state: 'settled', dispatchedAt: 1, result: failed() }, 'unknown'],
  [
    'had no answer and leaves no doubt',
    { state: 'settled', dispatchedAt: 1, result: failed({ inDoubt: false }) },
    'failed',
  ],
  ['was interrupted', { state: 'interrupted', dispatchedAt: 1, result: failed() }, 'unknown'],
  ['told of some steps', { state: 'interrupted', dispatchedAt: 1, result: failed(), evidence: told }, 'unknown'],
  [
    'told of its end',
    { state: 'interrupted', dispatchedAt: 1, result: failed(), evidence: { ...told, outcome: 'done' } },
    'done',
  ],
  [
    'was answered, whatever is told later',
    { state: 'settled', dispatchedAt: 1, result: answered('success'), evidence: { ...told, outcome: 'failed' } },
    'done',
  ],
] as const)('an execution that %s', (_, receipt, outcome) => {
  expect(outcomeOf(receipt as Parameters<typeof outcomeOf>[0])).toBe(outcome)
})
