/** A listener of a subscription that hears each record by itself. */
import type { JournalRecord } from '../contracts/journal.ts'

/** If it throws at one record, it goes on with the next one. */
export const eachRecord =
  (hear: (record: JournalRecord) => void) =>
  (records: readonly JournalRecord[]): void => {
    let failed: { error: unknown } | undefined
    for (const record of records) {
      try {
        hear(record)
      } catch (error) {
        failed ??= { error }
      }
    }
    // The subscription reports it.
    if (failed) throw failed.error
  }
