/** Retention in SQLite: many short writes, so that nobody waits long, each of which leaves the journal whole. */
import { IN_FLIGHT } from '../../../machines/definition.ts'
import { type JournalRecord, OPEN_CHANGES } from '../../contracts/journal.ts'
import { IDEMPOTENCY_KEEP_MS } from '../../contracts/limits.ts'
import type { Connection } from './connection.ts'
import type { PruneCounts, Retention } from './journal.ts'
import type { Records } from './records.ts'
import type { Bodies } from './stored-json.ts'
import type { Writer } from './writer.ts'

const KEEPING_TAGS = [IN_FLIGHT, OPEN_CHANGES]

/**
 * An actor whose newest record is older than this goes with its whole history, unless its work is in flight, or changes of
 * a device wait to be put back. The newest record of the journal stays, so that no position is ever used twice.
 */
export const isForgotten = (newest: JournalRecord, before: number, head: number): boolean =>
  newest.at < before && newest.seq !== head && !KEEPING_TAGS.some(tag => newest.tags.includes(tag))

const WINDOW = 250
const VACUUM_PAGES = 256
/** Free pages are used again; giving back more than 16 MiB at once would hold up the process for too long. */
const VACUUM_STEPS = 16

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
  const window = connection.statement(`
    SELECT max(seq), CAST(min(at) AS INTEGER), CAST(max(at) AS INTEGER)
    FROM (SELECT seq, at FROM records WHERE seq > ? ORDER BY seq LIMIT ${WINDOW})`)
  const removeCovered = connection.statement(`
    DELETE FROM records WHERE seq IN (
      SELECT r.seq FROM records r JOIN checkpoints c ON c.actor = r.actor
      WHERE r.seq > ? AND r.seq <= ? AND r.at < ? AND r.n < c.n
        AND EXISTS (SELECT 1 FROM records later WHERE later.actor = r.actor AND later.n > r.n))
    RETURNING CAST(digest AS BLOB)`)
  const removeReceipts = connection.statement(`
    DELETE FROM receipts WHERE row IN (
      SELECT row FROM (
        SELECT row, at FROM receipts WHERE settled = 1 AND (key IS NULL OR at < ?) ORDER BY row LIMIT ${WINDOW})
      WHERE at < ?)
    RETURNING CAST(digest AS BLOB)`)
  const idle = connection.statement(`
    SELECT CAST(actor AS BLOB) FROM actors WHERE ${KEEPING_TAGS.map(() => 'instr(tags, ?) = 0').join(' AND ')}
      AND (SELECT at FROM records WHERE records.actor = actors.actor ORDER BY n DESC LIMIT 1) < ?`)
  const removeHistory = connection.statement('DELETE FROM records WHERE actor = ? RETURNING CAST(digest AS BLOB)')
  const removeActor = connection.statement('DELETE FROM actors WHERE actor = ?')
  const removeCheckpoint = connection.statement('DELETE FROM checkpoints WHERE actor = ?')

  const used = () =>
    (connection.number('PRAGMA page_count') - connection.number('PRAGMA freelist_count')) *
    connection.number('PRAGMA page_size')

  return async ({ maxAgeMs, maxBytes, now }: Retention, isOver: () => boolean = () => false): Promise<PruneCounts> => {
    const keysBefore = now - IDEMPOTENCY_KEEP_MS
    const pruned: PruneCounts = { records: 0, bodies: 0, receipts: 0, bytes: 0 }
    /** Removes rows and the bodies that nothing names any more. Counted after the commit: a write may be tried twice. */
    const removing = async (
      count: 'records' | 'receipts',
      remove: () => readonly (readonly unknown[])[],
    ): Promise<number> => {
      const removed = await write(() => {
        const rows = remove()
        const dropped = rows.filter(([digest]) => Buffer.isBuffer(digest) && bodies.drop(digest.toString()))
        return { rows: rows.length, bodies: dropped.length }
      })
      pruned[count] += removed.rows
      pruned.bodies += removed.bodies
      return removed.rows
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

    const receiptsBefore = (before: number): Promise<number> =>
      removing('receipts', () => removeReceipts.all(keysBefore, before))

    /** Goes through the journal from its oldest record, a window at a time, until nothing is older or it is enough. */
    const sweep = async (
      before: number,
      isEnough: () => boolean,
      onWindow: (newest: number) => unknown = () => {},
    ): Promise<void> => {
      let from = 0
      while (!isEnough() && !isOver()) {
        const start = from
        const [last, oldest, newest] = window.get(from) ?? []
        if (typeof last !== 'number' || Number(oldest) >= before) return
        await removing('records', () => removeCovered.all(start, last, before))
        await onWindow(Number(newest))
        from = last
      }
    }

    /** Moves the WAL into the file and starts it anew: on a full disk that may be all the room there is. */
    const checkpoint = () => {
      try {
        connection.exec('PRAGMA wal_checkpoint(PASSIVE)')
      } catch {
        // Nothing is lost by it; the first write says what the matter is.
      }
    }

    const vacuum = () => {
      for (let step = 0; step < VACUUM_STEPS && !isOver() && connection.number('PRAGMA freelist_count') > 0; step++) {
        connection.exec(`PRAGMA incremental_vacuum(${VACUUM_PAGES})`)
      }
    }

    const before = now - maxAgeMs
    checkpoint()
    const bytes = used()
    for (const [actor] of idle.all(...KEEPING_TAGS.map(tag => JSON.stringify(tag)), before)) {
      if (isOver()) break
      await forget(String(actor), before)
    }
    await sweep(before, () => false)
    while (!isOver() && (await receiptsBefore(before)) === WINDOW);
    const isSmall = () => used() <= maxBytes
    await sweep(Number.MAX_SAFE_INTEGER, isSmall, newest => receiptsBefore(newest + 1))
    while (!isSmall() && !isOver() && (await receiptsBefore(Number.MAX_SAFE_INTEGER)) > 0);
    vacuum()
    checkpoint()
    return { ...pruned, bytes: Math.max(0, bytes - used()) }
  }
}
