/** Reads the journal page by page, and no page before somebody asks for its first record. */
import type { JournalRecord } from '../../contracts/records/journal.ts'
import { isDamage } from './fault.ts'
import type { Journal, ReceiptQuery, RecordQuery, StoredReceipt } from './journal.ts'
import { isLost } from './loss.ts'

const PAGE = 250

/** Records that cannot be read come as one `journal.lost`. */
export function* recordsAfter(journal: Journal, seq: number, query: RecordQuery): Generator<JournalRecord> {
  let after = seq
  for (;;) {
    const page = journal.records({ ...query, after, limit: PAGE, passesDamage: true })
    yield* page
    const last = page.at(-1)
    if (!last || (page.length < PAGE && !isLost(last))) return
    after = last.seq
  }
}

/** Skips receipts that retention removes meanwhile, and unreadable ones, which the journal reports. */
export function* eachReceipt(
  journal: Pick<Journal, 'receipt' | 'receiptIds'>,
  query: ReceiptQuery,
): Generator<StoredReceipt> {
  for (const id of journal.receiptIds(query)) {
    const receipt = readableOr(undefined, () => journal.receipt(id))
    if (receipt) yield receipt
  }
}

/** Reads one item of a list; a damaged one yields `otherwise`, so that it is left out. */
export const readableOr = <T, O>(otherwise: O, read: () => T): T | O => {
  try {
    return read()
  } catch (error) {
    if (!isDamage(error)) throw error
    return otherwise
  }
}
