/** Section on receipts, resume: which steps of an execution that is over are proven to have run, and which may have run. */
import { CARDS, isSafeToRepeat } from '../../contracts/actions/cards.ts'
import type { Action } from '../../contracts/executions/action.ts'
import type { ExecutionResult, ExecutionSuccess } from '../../contracts/executions/execution-result.ts'
import { cutSegments } from '../../device/operators/segment.ts'
import type { StoredReceipt } from '../../runtime/journal/journal.ts'
import type { RecordedExecution } from './recorded.ts'

export interface Proof {
  /** So many steps, from the first on, have run and succeeded. */
  proven: number
  /** Steps after those of which nobody can say whether they ran; without any, the step after the proven ones did not. */
  doubtful: readonly Action[]
}

/** The operator refused the request as a whole: no step of that segment began. */
const UNBEGUN = ['SERVICE_UNAVAILABLE', 'EXECUTION_VALIDATION_FAILED']

const mayHaveActed = ({ type, params }: Action, code: string | undefined): boolean =>
  CARDS[type].mayActAndFail?.(params as never, code) ?? false

/** Assumes segments cut as the list says: looks and waits of a policy have segments of their own. */
const firstOf = (actions: readonly Action[], segment: number): number =>
  cutSegments(actions)
    .slice(0, segment)
    .reduce((sum, cut) => sum + (cut.kind === 'host' ? 1 : cut.actions.length), 0)

/** The acting steps from one on, to the end of the segment it is in. */
const doubtfulFrom = (actions: readonly Action[], from: number): Action[] => {
  let end = 0
  for (const cut of cutSegments(actions)) {
    end += cut.kind === 'host' ? 1 : cut.actions.length
    if (end > from) break
  }
  return actions.slice(from, end).filter(({ type }) => !isSafeToRepeat(type))
}

const byEnvelope = (actions: readonly Action[], { envelope }: ExecutionSuccess): Proof => {
  const { stepResults, status, errorCode } = envelope
  const wrong = stepResults.findIndex(({ id, success }, index) => !success || actions[index]?.id !== id)
  const proven = wrong < 0 ? stepResults.length : wrong
  const failed = stepResults[proven]
  if (status === 'success' && !failed) return { proven, doubtful: [] }
  const action = actions[proven]
  const isNamed = failed !== undefined && failed.id === action?.id
  if (isNamed && action)
    return { proven, doubtful: mayHaveActed(action, failed.data.error ?? errorCode) ? [action] : [] }
  const isUnbegun = failed === undefined && UNBEGUN.includes(errorCode ?? '')
  return { proven, doubtful: isUnbegun ? [] : doubtfulFrom(actions, proven) }
}

const detailsOf = (result: ExecutionResult | undefined) =>
  result?.ok === false ? (result.error.details ?? {}) : ({} as Record<string, unknown>)

/** A segment is dispatched after the one before it has brought its part, without a failure. */
export const proofOf = (
  receipt: Pick<StoredReceipt, 'dispatchedAt' | 'result'>,
  { dispatch, lastSegment, lastStep, settled }: RecordedExecution,
): Proof => {
  const { actions } = dispatch.execution
  const result = settled ?? receipt.result
  if (result?.ok) return byEnvelope(actions, result)
  if (receipt.dispatchedAt === undefined || lastSegment === undefined) return { proven: 0, doubtful: [] }
  const { completedSteps, inDoubt } = detailsOf(result)
  const completed = Array.isArray(completedSteps) ? completedSteps.length : 0
  const proven = Math.max(completed, inDoubt === false ? 0 : (lastStep ?? firstOf(actions, lastSegment)))
  return { proven, doubtful: inDoubt === false ? [] : doubtfulFrom(actions, proven) }
}
