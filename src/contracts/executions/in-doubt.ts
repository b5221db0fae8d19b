/** Reads from a receipt if anything was sent, and if a step may have acted without proof. The receipt names these steps itself. */
import { isSafeToRepeat } from '../actions/cards.ts'
import type { Dispatched } from '../outcome.ts'
import { isReceiptOver } from './outcome-of.ts'
import type { Receipt } from './receipt.ts'

/** An execution that is not over may still be sent. */
export const wasDispatched = (receipt: Pick<Receipt, 'state' | 'dispatchedAt'>): Dispatched =>
  receipt.dispatchedAt !== undefined || (isReceiptOver(receipt) ? false : 'unknown')

/**
 * True while the execution may still act, and where a step may have acted without proof. Where the receipt does not name
 * these steps, they are all that act, of its own or of `steps`; where nobody knows the steps, it is in doubt.
 */
export const isInDoubt = (
  receipt: Receipt,
  steps: readonly { type: string }[] | undefined = receipt.actions,
): boolean => {
  const { dispatchedAt, result, doubtfulSteps, evidence } = receipt
  if (!isReceiptOver(receipt)) return true
  if (doubtfulSteps) return doubtfulSteps.length > 0
  if (dispatchedAt === undefined || result?.ok || evidence?.outcome) return false
  return steps === undefined || steps.some(({ type }) => !isSafeToRepeat(type))
}
