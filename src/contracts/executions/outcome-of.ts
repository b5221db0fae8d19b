/** The outcome of an execution in one word, by its receipt. */
import type { ReceiptOutcome } from './evidence.ts'
import type { Receipt } from './receipt.ts'

/** The execution can neither be sent nor act any more, as far as its host goes. */
export const isReceiptOver = ({ state }: Pick<Receipt, 'state'>): boolean =>
  state === 'settled' || state === 'interrupted'

/**
 * `done` and `failed`: how it ended is known. `not_sent`: nothing left for the device, and nothing will. `unknown`: it is not
 * over, or something was sent and nobody can say. It moves from `unknown` to another word and no further.
 */
export const outcomeOf = (receipt: Pick<Receipt, 'state' | 'dispatchedAt' | 'result' | 'evidence'>): ReceiptOutcome => {
  const { dispatchedAt, result, evidence } = receipt
  if (!isReceiptOver(receipt)) return 'unknown'
  if (dispatchedAt === undefined) return 'not_sent'
  if (result?.ok) return result.envelope.status === 'success' ? 'done' : 'failed'
  if (evidence?.outcome) return evidence.outcome
  return result?.error.details?.inDoubt === false ? 'failed' : 'unknown'
}
