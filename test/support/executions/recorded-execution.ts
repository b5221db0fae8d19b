/** Executions as the journal tells them: a list of steps that was sent to the operator app as a whole, unless a test says otherwise. */
import type { Action } from '../../../src/contracts/executions/action.ts'
import { validateExecution } from '../../../src/service/executions/validate.ts'
import type { RecordedExecution } from '../../../src/service/executions/recorded.ts'
import { payloadOf } from './lab.ts'

export const BACK = { type: 'press_key', params: { key: 'back' } }
export const NAP = { type: 'sleep', params: { durationMs: 10 } }
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
  nonce: '1'.repeat(32),
  ended: new Map(),
  learned: undefined,
  settled: undefined,
  durationMs: undefined,
  ...more,
})
