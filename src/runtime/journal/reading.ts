/** Reads the journal page by page, and no page before somebody asks for its first record. */
import type { JournalRecord } from '../../contracts/journal.ts'
import type { Journal, ReceiptQuery, RecordQuery, StoredReceipt } from './journal.ts'

const PAGE = 250

export function* recordsAfter(journal: Journal, seq: number, query: RecordQuery): Generator<JournalRecord> {
  let after = seq
  for (;;) {
    const page = journal.records({ ...query, after, limit: PAGE })
    yield* page
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    after = last.seq
  }
}

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
