/** Decides what became of an execution in doubt by what is on record of its steps. */
import type { StoredReceipt } from '../../../runtime/journal/journal.ts'
import type { RecordedExecution } from '../recorded.ts'
import { outcomeOfSteps, stepOutcomes } from '../step-outcomes.ts'
import type { PhoneAnswer } from './ask-phone.ts'
import type { EvidencedEvent } from './evidence-of.ts'

interface Told {
  recorded: RecordedExecution
  evidence: EvidencedEvent
  /** No phone can say more. */
  isFinal: boolean
}

/** Then no step begins without its host. */
const isByHost = ({ isStepped, isPart }: RecordedExecution): boolean => isStepped || isPart

const decided = (receipt: StoredReceipt, { recorded, evidence, isFinal }: Told): EvidencedEvent | undefined => {
  const ended = new Map(recorded.ended)
  for (const { step, success } of evidence.steps) ended.set(step, { success, source: evidence.source, at: 0 })
  const steps = stepOutcomes(receipt, { ...recorded, ended })
  // A list that the phone performs may still go on behind what it told.
  if (!isByHost(recorded) && steps.some(({ outcome }) => outcome === 'unknown')) return undefined
  const outcome = outcomeOfSteps(steps)
  // The phone may still say why a list failed, which is worth waiting for.
  return outcome === 'done' || (outcome === 'failed' && isFinal) ? { ...evidence, outcome } : undefined
}

const byRecords = (executionId: string): EvidencedEvent => ({
  type: 'execution.evidenced',
  executionId,
  source: 'progress',
  steps: [],
})

/** Before a phone is asked. */
export const decidedUnasked = (receipt: StoredReceipt, recorded: RecordedExecution): EvidencedEvent | undefined =>
  isByHost(recorded)
    ? decided(receipt, { recorded, evidence: byRecords(receipt.executionId), isFinal: true })
    : undefined

/** With what the phone has told. */
export const decidedAfter = (
  receipt: StoredReceipt,
  recorded: RecordedExecution,
  { evidence = byRecords(receipt.executionId), isFinal }: PhoneAnswer & { kind: 'nothing' },
): EvidencedEvent | undefined =>
  recorded.nonce === undefined ? undefined : decided(receipt, { recorded, evidence, isFinal })
