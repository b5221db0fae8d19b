/** Judges used positions that are missing when a process opens the journal: damage, or the price of a power cut. */
import type { JournalRecord } from '../../contracts/journal.ts'
import type { Clock } from '../clock.ts'
import type { Connection } from './connection.ts'
import { JournalError } from './fault.ts'
import { isOfThisBoot, readMark } from './mark.ts'
import type { Records } from './records.ts'
import { seal } from './seal.ts'

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
export const LOSSES = 'journal'

/** True for a record that stands for others that are missing or unreadable. */
export const isLost = ({ event }: Pick<JournalRecord, 'event'>): boolean => event.type === LOST

export const keysLostAt = ({ event, at }: Pick<JournalRecord, 'event' | 'at'>): number | undefined =>
  event.type === LOST && event.keys === 'unknown' ? at : undefined

/** The record that stands for what is missing. It comes after it, so that no position is used twice. */
export const lossOf = ({ from, to, at, keys }: Loss, n: number): { seq: number; fact: Omit<JournalRecord, 'seq'> } => ({
  seq: to + 1,
  fact: {
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
  },
})

export interface LossCheck {
  path: string
  connection: Connection
  records: Records
  clock: Clock
}

/**
 * Records that nobody waited for the disk to have may go with the power. They may not go while the machine runs: then a file
 * was cut or replaced. The mark follows each commit, so under the write lock it can lag behind, never lead.
 */
export const settleLoss = ({ path, connection, records, clock }: LossCheck): void => {
  if ((readMark(path)?.seq ?? 0) <= records.head()) return
  connection.write(() => {
    const mark = readMark(path)
    const head = records.head()
    if (!mark || mark.seq <= head) return
    if (isOfThisBoot(mark)) {
      throw new JournalError('truncated', `records ${head + 1} to ${mark.seq} were written but are missing`)
    }
    const { seq, fact } = lossOf({ from: head + 1, to: mark.seq, at: clock.now() }, records.next('journal'))
    records.insert(fact, seal(fact), { seq })
  })
}
