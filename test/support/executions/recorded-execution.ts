/** Executions as the journal tells them: a list of steps that was sent to the operator app as a whole, unless a test says otherwise. */
import type { Action } from '../../../src/contracts/executions/action.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import type { RecordedExecution } from '../../../src/service/executions/recorded.ts'
import { validateExecution } from '../../../src/service/executions/validate.ts'
import { payloadOf } from './lab.ts'

export const BACK = { type: 'press_key', params: { key: 'back' } }
export const NAP = { type: 'sleep', params: { durationMs: 10 } }
export const TAP = { type: 'click', params: { matcher: { textEquals: 'OK' } } }
export const SHOT = { type: 'take_screenshot' }

export const actionsOf = (...steps: object[]): Action[] => {
  const validation = validateExecution(payloadOf(steps.map((step, index) => ({ id: `s${index}`, ...step }))))
  if (!validation.ok) throw new Error(validation.error.message)
  return validation.execution.actions
}

export const recordedOf = (actions: Action[], more: Partial<RecordedExecution> = {}): RecordedExecution => ({
  dispatch: {
    execution: { commandId: 'c', taskId: 't', timeoutMs: 30_000, actions },
    operatorPackage: 'com.svc.operator',
  } as unknown as RecordedExecution['dispatch'],
  lastSegment: 0,
  lastStep: 0,
  lastCount: undefined,
  nonce: '1'.repeat(32),
  isStepped: false,
  isPart: false,
  isUnbegun: false,
  ended: new Map(),
  learned: undefined,
  settled: undefined,
  durationMs: undefined,
  ...more,
})

/** Holds one execution, `e1` of the device `d1`, which was sent as one segment. */
/** `facts` of its dispatch. */
export const journalOfOne = (
  actions: Action[] = actionsOf(BACK, NAP, BACK),
  facts: object = {},
  end: object = { type: 'owner.died' },
) => {
  const sent = { type: 'execution.dispatched', executionId: 'e1', segment: 0, step: 0, nonce: '1'.repeat(32), ...facts }
  const records = [
    { n: 0, digest: 'x', from: 'idle', to: 'running', event: { type: 'execution.requested', executionId: 'e1' } },
    { n: 1, digest: null, to: 'running', event: sent },
    { n: 2, digest: null, to: 'idle', event: { executionId: 'e1', ...end } },
  ]
  return {
    last: () => records.at(-1),
    records: ({ fromN = 0, limit = 10 }) => records.filter(({ n }) => n >= fromN).slice(0, limit),
    body: () => ({ operatorPackage: 'com.svc.operator', execution: { timeoutMs: 30_000, actions } }),
  } as unknown as Pick<Journal, 'records' | 'last' | 'body'>
}
