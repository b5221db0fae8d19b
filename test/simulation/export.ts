/** Writes what the journal of a simulated host holds into a home, so that the viewer opens it like any other. */
import { mkdirSync } from 'node:fs'
import { systemClock } from '../../src/runtime/clock.ts'
import { journalPath } from '../../src/runtime/home.ts'
import type { Journal, StoredReceipt } from '../../src/runtime/journal/journal.ts'
import { recordsAfter } from '../../src/runtime/journal/reading.ts'
import { openJournal } from '../../src/runtime/journal/sqlite.ts'

export const exportJournal = async (journal: Journal, home: string): Promise<number> => {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const target = openJournal({ path: journalPath(home), alive: () => false, clock: systemClock() })
  const receipts = new Map<string, StoredReceipt>(
    journal.receipts({ limit: 1_000 }).map(receipt => [receipt.executionId, receipt]),
  )
  let count = 0
  try {
    for (const { seq, digest, ...record } of recordsAfter(journal, 0, {})) {
      const receipt = receipts.get(String(record.event.executionId))
      const body = journal.body({ seq, digest })
      await target.append({ ...record, ...(body === undefined ? {} : { body }) }, receipt ? { receipt } : {})
      count += 1
    }
  } finally {
    target.close()
  }
  return count
}
