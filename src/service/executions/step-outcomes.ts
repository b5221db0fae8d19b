/** Section on receipts: what is known of each step of an execution, and from whom. */
import { isSafeToRepeat } from '../../contracts/actions/cards.ts'
import type { Receipt } from '../../contracts/executions/receipt.ts'
import type { StoredReceipt } from '../../runtime/journal/journal.ts'
import { isSettled } from '../../runtime/journal/receipts.ts'
import { mayHaveBegun, proofOf } from './proven.ts'
import type { RecordedExecution, StepEnd } from './recorded.ts'

type Told = NonNullable<Receipt['steps']>[number]
type Known = Pick<Told, 'outcome' | 'source' | 'at'>

const ended = ({ success, source, at }: StepEnd): Known => ({ outcome: success ? 'done' : 'failed', source, at })

const UNKNOWN: Known = { outcome: 'unknown' }
const NOT_RUN: Known = { outcome: 'not_run' }

/** By the answer that came: the list ends at the first step that failed. */
const byResult = (receipt: StoredReceipt, recorded: RecordedExecution): ((place: number) => Known) | undefined => {
  const { settled, learned } = recorded
  const [answered, later] = [receipt.result?.ok ? receipt.result : settled, learned]
  const result = answered?.ok ? answered : later
  if (!result?.ok) return undefined
  const { stepResults } = result.envelope
  const told: Pick<Told, 'source' | 'at'> =
    result === later
      ? { source: receipt.evidence?.source ?? 'operator', ...(receipt.evidence ? { at: receipt.evidence.at } : {}) }
      : { source: 'result' }
  return place => {
    const step = stepResults[place]
    const known = result === later ? recorded.ended.get(place) : undefined
    // An app may have told untrue progress; the result decides.
    if (known && known.success === step?.success) return ended(known)
    return step ? { outcome: step.success ? 'done' : 'failed', ...told } : NOT_RUN
  }
}

/** Without an answer: by what is on record of its steps, up to the end of what was sent. */
const byRecords = (receipt: StoredReceipt, recorded: RecordedExecution): ((place: number) => Known) => {
  const { proven } = proofOf(receipt, recorded)
  const end = recorded.ended.get(proven)
  const failedAt = end && !end.success ? proven : undefined
  const { inDoubt } = (receipt.result?.ok === false ? receipt.result.error.details : undefined) ?? {}
  const sent = inDoubt === false ? proven : failedAt === undefined ? mayHaveBegun(recorded, proven) : failedAt + 1
  return place => {
    const known = recorded.ended.get(place)
    if (known) return ended(known)
    if (place < proven) return { outcome: 'done', source: 'result' }
    return place < sent ? UNKNOWN : NOT_RUN
  }
}

const inFlight =
  ({ ended: ends }: RecordedExecution) =>
  (place: number): Known => {
    const end = ends.get(place)
    return end ? ended(end) : UNKNOWN
  }

const lookUp = (receipt: StoredReceipt, recorded: RecordedExecution): ((place: number) => Known) => {
  if (!isSettled(receipt)) return inFlight(recorded)
  if (receipt.dispatchedAt === undefined) return () => NOT_RUN
  return byResult(receipt, recorded) ?? byRecords(receipt, recorded)
}

export const stepOutcomes = (receipt: StoredReceipt, recorded: RecordedExecution): Told[] => {
  const known = lookUp(receipt, recorded)
  return recorded.dispatch.execution.actions.map(({ id, type }, place) => ({ id, actionType: type, ...known(place) }))
}

/** The word that the steps decide; undefined where one of them may have acted, or the last ones may have been done. */
export const outcomeOfSteps = (
  steps: readonly Pick<Told, 'outcome' | 'actionType'>[],
): 'done' | 'failed' | undefined => {
  const isOpen = steps.some(({ outcome, actionType }) => outcome === 'unknown' && !isSafeToRepeat(actionType))
  if (isOpen) return undefined
  if (steps.some(({ outcome }) => outcome === 'not_run' || outcome === 'failed')) return 'failed'
  return steps.every(({ outcome }) => outcome === 'done') ? 'done' : undefined
}
