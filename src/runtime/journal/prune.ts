/** Retention in SQLite: many short writes, so that nobody waits long, each of which leaves the journal whole. */
import { IN_FLIGHT } from '../../../machines/definition.ts'
import { IDEMPOTENCY_KEEP_MS } from '../../contracts/limits/limits.ts'
import { type JournalRecord, OPEN_CHANGES, UNDO_OPEN } from '../../contracts/records/journal.ts'
import type { Connection } from './connection.ts'
import type { PruneCounts, PruneResult, Retention } from './journal.ts'
import type { Records } from './records.ts'
import { CHECKPOINT_WAL } from './schema.ts'
import type { Bodies } from './stored-json.ts'
import type { Writer } from './writer.ts'

const KEEPING_TAGS = [IN_FLIGHT, OPEN_CHANGES, UNDO_OPEN]

/**
 * An actor whose newest record is older than this goes with its whole history, unless its work is in flight, or changes of
 * a device wait to be put back. The newest record of the journal stays, so that no position is ever used twice.
 */
export const isForgotten = (newest: JournalRecord, before: number, head: number): boolean =>
  newest.at < before && newest.seq !== head && !KEEPING_TAGS.some(tag => newest.tags.includes(tag))

/** A receipt that is younger stays, however large the journal is: its caller may just have lost the answer. */
export const RECEIPT_LEAST_MS = 5 * 60_000
/** Rows that are looked at in one write. */
const WINDOW = 250
const VACUUM_PAGES = 256
/** Free pages are used again; where the file is small enough, more than 16 MiB at once are not worth the time. */
const VACUUM_STEPS = 16

/** Rows that are looked at a window at a time, oldest first. */
interface Swept {
  count: 'records' | 'receipts'
  /** The last of the window's rows, and the least and the greatest of their times. */
  window: (after: number) => readonly unknown[] | undefined
  /** Removes what may go and is older, of the rows after one up to another. */
  remove: (after: number, last: number, before: number) => (readonly unknown[])[]
}

export const createPrune = ({
  connection,
  records,
  bodies,
  write,
}: {
  connection: Connection
  records: Records
  bodies: Bodies
  write: Writer['write']
}) => {
  const windowOf = (table: string, position: string) =>
    connection.statement(`
      SELECT max(${position}), CAST(min(at) AS INTEGER), CAST(max(at) AS INTEGER)
      FROM (SELECT ${position}, at FROM ${table} WHERE ${position} > ? ORDER BY ${position} LIMIT ${WINDOW})`)
  const recordWindow = windowOf('records', 'seq')
  const receiptWindow = windowOf('receipts', 'row')
  const removeCovered = connection.statement(`
    DELETE FROM records WHERE seq IN (
      SELECT r.seq FROM records r JOIN checkpoints c ON c.actor = r.actor
      WHERE r.seq > ? AND r.seq <= ? AND r.at < ? AND r.n < c.n
        AND EXISTS (SELECT 1 FROM records later WHERE later.actor = r.actor AND later.n > r.n))
    RETURNING CAST(digest AS BLOB)`)
  const removeReceipts = connection.statement(`
    DELETE FROM receipts WHERE row > ? AND row <= ? AND at < ? AND settled = 1 AND (key IS NULL OR at < ?)
    RETURNING CAST(digest AS BLOB)`)
  const idle = connection.statement(`
    SELECT CAST(actor AS BLOB) FROM actors WHERE ${KEEPING_TAGS.map(() => 'instr(tags, ?) = 0').join(' AND ')}
      AND (SELECT at FROM records WHERE records.actor = actors.actor ORDER BY n DESC LIMIT 1) < ?`)
  const removeHistory = connection.statement('DELETE FROM records WHERE actor = ? RETURNING CAST(digest AS BLOB)')
  const removeActor = connection.statement('DELETE FROM actors WHERE actor = ?')
  const removeCheckpoint = connection.statement('DELETE FROM checkpoints WHERE actor = ?')

  const bytesOf = (pages: number) => pages * connection.number('PRAGMA page_size')
  const freePages = () => connection.number('PRAGMA freelist_count')
  const fileBytes = () => bytesOf(connection.number('PRAGMA page_count'))
  const used = () => fileBytes() - bytesOf(freePages())

  return async (
    { maxAgeMs, maxBytes, now, after = { seq: 0, row: 0 } }: Retention,
    isOver: () => boolean = () => false,
  ): Promise<PruneResult> => {
    const keysBefore = now - IDEMPOTENCY_KEEP_MS
    const pruned: PruneCounts = { records: 0, bodies: 0, receipts: 0, bytes: 0 }
    const coveredRecords: Swept = {
      count: 'records',
      window: seq => recordWindow.get(seq),
      remove: (from, last, before) => removeCovered.all(from, last, before),
    }
    const decidedReceipts: Swept = {
      count: 'receipts',
      window: row => receiptWindow.get(row),
      remove: (from, last, before) => removeReceipts.all(from, last, before, keysBefore),
    }

    /** Removes rows and the bodies that nothing names any more. Counted after the commit: a write may be tried twice. */
    const removing = async (count: Swept['count'], remove: () => readonly (readonly unknown[])[]): Promise<void> => {
      const removed = await write(() => {
        const rows = remove()
        const dropped = rows.filter(([digest]) => Buffer.isBuffer(digest) && bodies.drop(digest.toString()))
        return { rows: rows.length, bodies: dropped.length }
      })
      pruned[count] += removed.rows
      pruned.bodies += removed.bodies
    }

    const forget = (actor: string, before: number) =>
      removing('records', () => {
        const newest = records.last(actor)
        if (!newest || !isForgotten(newest, before, records.head())) return []
        const rows = removeHistory.all(actor)
        removeActor.run(actor)
        removeCheckpoint.run(actor)
        return rows
      })

    /**
     * Goes on from a position until nothing is older or it is enough, and returns the position from which younger rows are to
     * be looked at later. No row is looked at again that has to stay: there may be very many.
     */
    const sweep = async (
      { count, window, remove }: Swept,
      { from, before, isEnough = () => false }: { from: number; before: number; isEnough?: () => boolean },
      onWindow: (newest: number) => unknown = () => {},
    ): Promise<number> => {
      let position = from
      let isOlder = true
      for (let start = from; !isEnough() && !isOver(); ) {
        const begin = start
        const [last, oldest, newest] = window(begin) ?? []
        if (typeof last !== 'number' || Number(oldest) >= before) break
        await removing(count, () => remove(begin, last, before))
        isOlder &&= Number(newest) < before
        if (isOlder) position = last
        await onWindow(Number(newest))
        start = last
      }
      return position
    }

    /** Moves the WAL into the file and starts it anew: on a full disk that may be all the room there is. */
    const checkpoint = () => {
      try {
        connection.exec(CHECKPOINT_WAL)
      } catch {
        // Nothing is lost by it; the first write says what the matter is.
      }
    }

    const vacuum = async () => {
      let free = freePages()
      for (let step = 0; free > 0 && !isOver() && (step < VACUUM_STEPS || fileBytes() > maxBytes); step++) {
        await write(() => connection.exec(`PRAGMA incremental_vacuum(${VACUUM_PAGES})`))
        const before = free
        free = freePages()
        if (free >= before) return
      }
    }

    const before = now - maxAgeMs
    const isSmall = () => used() <= maxBytes
    checkpoint()
    const bytes = used()
    for (const [actor] of idle.all(...KEEPING_TAGS.map(tag => JSON.stringify(tag)), before)) {
      if (isOver()) break
      await forget(String(actor), before)
    }
    await sweep(coveredRecords, { from: 0, before })
    await sweep(decidedReceipts, { from: 0, before })
    let { seq, row } = after
    const sweepReceipts = async (olderThan: number) => {
      const oldEnough = Math.min(olderThan, now - RECEIPT_LEAST_MS)
      row = await sweep(decidedReceipts, { from: row, before: oldEnough, isEnough: isSmall })
    }
    seq = await sweep(coveredRecords, { from: seq, before: Number.MAX_SAFE_INTEGER, isEnough: isSmall }, newest =>
      sweepReceipts(newest + 1),
    )
    await sweepReceipts(Number.MAX_SAFE_INTEGER)
    await vacuum()
    const isEarly = isOver()
    checkpoint()
    return {
      ...pruned,
      bytes: Math.max(0, bytes - used()),
      fileBytes: fileBytes(),
      ...(isEarly ? { endedAt: { seq, row } } : {}),
    }
  }
}
