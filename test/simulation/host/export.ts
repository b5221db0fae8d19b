/** Writes what the journal of a simulated host holds into a home, so that the viewer opens it like any other. */
import { mkdirSync } from 'node:fs'
import { systemClock } from '../../../src/runtime/clock.ts'
import { journalPath } from '../../../src/runtime/home.ts'
import type { Journal, StoredReceipt } from '../../../src/runtime/journal/journal.ts'
import { recordsAfter } from '../../../src/runtime/journal/reading.ts'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'
import { EPOCH } from '../clock.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const isTime = (value: number) => Number.isInteger(value) && Math.abs(value - EPOCH) < DAY_MS

/** The same with each time of the simulated day moved on. */
export const moved = <T>(value: T, byMs: number): T => {
  if (typeof value === 'number') return (isTime(value) ? value + byMs : value) as T
  if (Array.isArray(value)) return value.map(each => moved(each, byMs)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, moved(each, byMs)])) as T
}

/** As if the trial began at `from`: what is older than the retention would go as soon as anybody looks. */
export const exportJournal = async (journal: Journal, home: string, from = Date.now()): Promise<number> => {
  const now = <T>(value: T): T => moved(value, from - EPOCH)
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const target = openJournal({ path: journalPath(home), alive: () => false, clock: systemClock() })
  const receipts = new Map<string, StoredReceipt>(
    journal.receipts({ limit: 1_000 }).map(receipt => [receipt.executionId, now(receipt)]),
  )
  let count = 0
  try {
    for (const { seq, digest, ...record } of recordsAfter(journal, 0, {})) {
      const receipt = receipts.get(String(record.event.executionId))
      const body = now(journal.body({ seq, digest }))
      await target.append({ ...now(record), ...(body === undefined ? {} : { body }) }, receipt ? { receipt } : {})
      count += 1
    }
  } finally {
    target.close()
  }
  return count
}
