/** Section on receipts, resume: which steps of an execution that is over are proven to have run, and which may have run. */
import { CARDS, isSafeToRepeat } from '../../contracts/actions/cards.ts'
import type { Action } from '../../contracts/executions/action.ts'
import type { ExecutionResult, ExecutionSuccess } from '../../contracts/executions/execution-result.ts'
import { cutSegments, lengthOf } from '../../device/operators/segment.ts'
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

/** For records of earlier versions, which do not say it: assumes segments cut as the list says. */
export const firstOf = (actions: readonly Action[], segment: number): number =>
  cutSegments(actions)
    .slice(0, segment)
    .reduce((sum, cut) => sum + lengthOf(cut), 0)

/** The place behind the segment that a step is in. */
export const endOfSegmentOf = (actions: readonly Action[], step: number): number => {
  let end = 0
  for (const cut of cutSegments(actions)) {
    end += lengthOf(cut)
    if (end > step) break
  }
  return end
}

/** The place behind the last step that was sent. */
export const sentEnd = ({ dispatch, lastSegment, lastStep, lastCount, isPart }: RecordedExecution): number => {
  const { actions } = dispatch.execution
  if (lastSegment === undefined) return 0
  const first = lastStep ?? firstOf(actions, lastSegment)
  if (isPart) return first + 1
  return lastCount === undefined ? endOfSegmentOf(actions, first) : first + lastCount
}

const acting = (actions: readonly Action[]): Action[] => actions.filter(({ type }) => !isSafeToRepeat(type))

/** The acting steps from one on, to the end of the segment it is in. */
const doubtfulFrom = (actions: readonly Action[], from: number): Action[] =>
  acting(actions.slice(from, endOfSegmentOf(actions, from)))

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

/** The place behind the last step that may have begun, where those before `proven` have ended and no later end is on record. */
export const mayHaveBegun = (recorded: RecordedExecution, proven: number): number => {
  if (recorded.isUnbegun) return proven
  const end = sentEnd(recorded)
  if (!recorded.isStepped) return end
  const { actions } = recorded.dispatch.execution
  const acts = (step: number) => actions[step] !== undefined && !isSafeToRepeat(actions[step].type)
  let begun = proven
  while (begun < end - 1 && !acts(begun + 1)) begun++
  return Math.min(begun + 1, end)
}

interface LastEnd {
  place: number
  success: boolean
}

const lastEnded = (ended: RecordedExecution['ended']): LastEnd | undefined => {
  const place = Math.max(-1, ...ended.keys())
  const end = ended.get(place)
  return end && { place, success: end.success }
}

/** The steps run in order, and a failed one ends the list: those before the one that ended have run. */
const byEnd = (recorded: RecordedExecution, { place, success }: LastEnd): Proof => {
  const { actions } = recorded.dispatch.execution
  const next = place + 1
  if (success) return { proven: next, doubtful: acting(actions.slice(next, mayHaveBegun(recorded, next))) }
  const action = actions[place]
  return { proven: place, doubtful: action && mayHaveActed(action, undefined) ? [action] : [] }
}

const detailsOf = (result: ExecutionResult | undefined) =>
  result?.ok === false ? (result.error.details ?? {}) : ({} as Record<string, unknown>)

/** A segment is dispatched after the one before it has brought its part, without a failure. */
export const proofOf = (
  receipt: Pick<StoredReceipt, 'dispatchedAt' | 'result'>,
  recorded: RecordedExecution,
): Proof => {
  const { dispatch, lastSegment, lastStep, ended, learned, settled } = recorded
  const { actions } = dispatch.execution
  const result = settled?.ok ? settled : (learned ?? settled ?? receipt.result)
  if (result?.ok) return byEnvelope(actions, result)
  if (receipt.dispatchedAt === undefined || lastSegment === undefined) return { proven: 0, doubtful: [] }
  const { completedSteps, inDoubt } = detailsOf(result)
  const completed = Array.isArray(completedSteps) ? completedSteps.length : 0
  const first = lastStep ?? firstOf(actions, lastSegment)
  const proven = Math.max(completed, inDoubt === false ? 0 : first)
  const told = lastEnded(ended)
  if (told && told.place + (told.success ? 1 : 0) >= proven) return byEnd(recorded, told)
  return { proven, doubtful: inDoubt === false ? [] : acting(actions.slice(proven, mayHaveBegun(recorded, proven))) }
}
