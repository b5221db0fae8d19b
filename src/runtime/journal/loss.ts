/** Records and receipts that are known to be missing: found when a process opens the journal, and told while it matters. */

import { IDEMPOTENCY_KEEP_MS } from '../../contracts/limits/limits.ts'
import type { JournalRecord } from '../../contracts/records/journal.ts'
import type { Troubles } from '../background-failures.ts'
import type { Clock } from '../clock.ts'
import type { Connection } from './connection.ts'
import { isDamage, JournalError } from './fault.ts'
import { isOfThisBoot, readMark } from './mark.ts'
import type { Records } from './records.ts'
import { seal } from './stored-json.ts'

export interface Loss {
  /** The first and the last position that is missing. */
  from: number
  to: number
  at: number
  /** Receipts may be lost that nobody can count: keys that were used before may be free again. */
  keys?: 'unknown' | undefined
}

const LOST = 'journal.lost'
/** The actor of these records. */
const LOSSES = 'journal'

/** True for a record that stands for others that are missing or unreadable. */
export const isLost = ({ event }: Pick<JournalRecord, 'event'>): boolean => event.type === LOST

/** The record that stands for missing ones. It comes after them, so that no position is used twice. */
export const lossRecord = ({ from, to, at, keys }: Loss, n: number): Omit<JournalRecord, 'seq'> => ({
  actor: LOSSES,
  n,
  machine: 'journal',
  version: 1,
  at,
  event: { type: LOST, from, to, ...(keys ? { keys } : {}) },
  digest: null,
  from: 'open',
  to: 'open',
  tags: [],
})

/** Inside a write. */
export const insertLoss = (records: Pick<Records, 'insert' | 'next'>, loss: Loss): void => {
  const record = lossRecord(loss, records.next(LOSSES))
  records.insert(record, seal(record), { seq: loss.to + 1 })
}

interface OpenedJournal {
  path: string
  connection: Connection
  records: Records
  clock: Clock
}

/**
 * Compares the newest record with the mark. Records that nobody waited for the disk to have may go with the power: then a
 * record says so. They may not go while the machine runs: then a file was cut or replaced, and this throws JournalError.
 * The mark follows each commit, so under the write lock it can lag behind, never lead.
 */
export const recordMissingTail = ({ path, connection, records, clock }: OpenedJournal): void => {
  if ((readMark(path)?.seq ?? 0) <= records.head()) return
  connection.write(() => {
    const mark = readMark(path)
    const head = records.head()
    if (!mark || mark.seq <= head) return
    if (isOfThisBoot(mark)) {
      throw new JournalError('truncated', `Records ${head + 1} to ${mark.seq} were written but are missing`)
    }
    insertLoss(records, { from: head + 1, to: mark.seq, at: clock.now() })
  })
}

/** Idempotency-Keys that were used before this time may run again; undefined once no key is that old. */
export const keysUnknownBefore = (records: Pick<Records, 'list'>, now: number): number | undefined => {
  try {
    const losses = records.list({ actor: LOSSES }).filter(record => isLost(record) && record.event.keys === 'unknown')
    return losses.findLast(({ at }) => now - at < IDEMPOTENCY_KEEP_MS)?.at
  } catch (error) {
    if (isDamage(error)) return undefined
    throw error
  }
}

export const unknownKeysMessage = (before: number): string =>
  `Idempotency-Keys that were used before ${new Date(before).toISOString()} may be unknown, and such a request may run again: look at the device before you repeat it.`

const UNKNOWN_KEYS = 'receipts were lost with an earlier journal file'

/** Says it in GET /health for as long as it matters. Returns the end of it. */
export const tellUnknownKeys = ({
  records,
  clock,
  troubles,
}: {
  records: Pick<Records, 'list'>
  clock: Pick<Clock, 'now' | 'at'>
  troubles: Pick<Troubles, 'tell' | 'over'>
}): (() => void) => {
  const before = keysUnknownBefore(records, clock.now())
  if (before === undefined) return () => {}
  troubles.tell(UNKNOWN_KEYS, unknownKeysMessage(before))
  const over = clock.at(before + IDEMPOTENCY_KEEP_MS, () => troubles.over(UNKNOWN_KEYS), { idle: true })
  return () => over.cancel()
}
