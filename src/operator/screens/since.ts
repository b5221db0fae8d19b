/** The screen that an earlier execution showed its caller: what `since` names. */
import type { ErrorObject } from '../../contracts/error.ts'
import { failure } from '../../contracts/failures.ts'
import type { ExecutionRun } from '../delivery.ts'
import { readStep } from './look.ts'
import type { Baseline } from './observe.ts'

type Found = { ok: true; baseline: Baseline } | { ok: false; error: ErrorObject }

const refused = (message: string, executionId: string): Found => ({
  ok: false,
  error: failure('EXECUTION_VALIDATION_FAILED', message, {
    details: { executionId, dispatched: false },
    hint: 'since names an execution with a snapshot, or one that was observed, on the same device',
  }),
})

/** The last screen that the execution showed. */
export const screenSince = async (since: string, device: string, run: ExecutionRun): Promise<Found> => {
  const { screens, job, executionId } = run
  const receipt = screens.receipt(since)
  if (!receipt) {
    const error = failure('EXECUTION_NOT_FOUND', `since: no receipt has the id ${since}.`, {
      details: { since, executionId, dispatched: false },
    })
    return { ok: false, error }
  }
  if (receipt.deviceId !== job.serial) {
    return refused(`since: execution ${since} was on the device ${receipt.deviceId}.`, executionId)
  }
  const result = receipt.result?.ok ? receipt.result : undefined
  const step = result?.envelope.stepResults.findLast(({ actionType, success }) => actionType === 'snapshot' && success)
  const number = result?.observed?.screen ?? (step?.data.format === 'compact' ? Number(step.data.screen) : undefined)
  if (number !== undefined) {
    const screen = screens.recall(device, number)
    if (screen) return { ok: true, baseline: { name: String(number), screen } }
    return refused(`since: screen ${number} of execution ${since} is not on record any more.`, executionId)
  }
  if (!step) return refused(`since: execution ${since} shows no screen.`, executionId)
  const read = await readStep(step, run)
  if (!read.ok) return refused(`since: the snapshot of execution ${since} is unreadable: ${read.problem}.`, executionId)
  return { ok: true, baseline: { name: since, screen: read.screen } }
}
