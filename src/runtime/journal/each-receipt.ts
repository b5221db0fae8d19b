/** Receipts one after the other: their results may be large, and a list of them too large to be held. */
import type { Journal, ReceiptQuery, StoredReceipt } from './journal.ts'

/** What retention takes meanwhile is left out. */
export function* eachReceipt(
  journal: Pick<Journal, 'receipt' | 'receiptIds'>,
  query: ReceiptQuery,
): Generator<StoredReceipt> {
  for (const id of journal.receiptIds(query)) {
    const receipt = journal.receipt(id)
    if (receipt) yield receipt
  }
}
