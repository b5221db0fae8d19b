/** `svc journal export`: everything readable in a journal, as one JSON object per line. */
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { STATE_FILE_MODE } from '../../contracts/limits/limits.ts'
import { messageOf } from '../message-of.ts'
import { attempt } from '../or-undefined.ts'
import type { Connection } from './connection.ts'
import { GIVE_UP, lastKey, lastSeq, readDamaged, rowsIn } from './damaged.ts'
import type { Checkpoint, StoredReceipt } from './journal.ts'
import { hasInlineBodies, toRecord } from './records.ts'
import { sqliteBodies, unpack, unseal } from './stored-json.ts'

export interface ExportCounts {
  records: number
  receipts: number
  checkpoints: number
  /** Rows that could not be read, and bodies that a readable row names and that could not be read. */
  skipped: number
}

const exportRows = (connection: Connection, path: string, write: (line: object) => void): ExportCounts => {
  const bodies = sqliteBodies(connection)
  const missing = new Set<string>()
  const recordsTop = (lastSeq(connection, path) ?? lastKey(connection, 'records')) || GIVE_UP
  let skipped = 0

  const exportTable = (
    table: Parameters<typeof rowsIn>[1],
    columns: string,
    top: number,
    lineOf: (row: readonly unknown[]) => object,
  ): number => {
    let exported = 0
    for (const row of rowsIn(connection, table, columns, top)) {
      const line = row && attempt(() => lineOf(row))
      if (line) {
        write(line)
        exported += 1
      } else skipped += 1
    }
    return exported
  }
  // Receipts and checkpoints are written with records, so there are never more of them.
  const topOf = (table: 'receipts' | 'checkpoints') => Math.min(lastKey(connection, table) ?? recordsTop, recordsTop)

  const bodyOf = (digest: string | null, json?: unknown): { body?: unknown; bodyLost?: string } => {
    if (digest === null) return {}
    const body = attempt(() => (Buffer.isBuffer(json) ? unpack({ digest, json }) : bodies.read(digest)))
    if (body !== undefined) return { body }
    missing.add(digest)
    return { bodyLost: digest }
  }

  const recordColumns = `seq, CAST(fact AS BLOB), ${hasInlineBodies(connection) ? 'CAST(body AS BLOB)' : 'NULL'}`
  const records = exportTable('records', recordColumns, recordsTop, row => {
    const record = toRecord(row)
    return { record, ...bodyOf(record.digest, row[2]) }
  })
  const receiptColumns = 'CAST(fact AS BLOB), CAST(digest AS BLOB)'
  const receipts = exportTable('receipts', receiptColumns, topOf('receipts'), ([fact, digest]) => {
    const receipt = unseal<StoredReceipt>(fact)
    const { body, ...lost } = bodyOf(Buffer.isBuffer(digest) ? digest.toString() : null)
    return { receipt: body === undefined ? receipt : { ...receipt, result: body }, ...lost }
  })
  const checkpoints = exportTable('checkpoints', 'CAST(fact AS BLOB)', topOf('checkpoints'), ([fact]) => ({
    checkpoint: unseal<Checkpoint>(fact),
  }))
  // The table of the bodies may still be whole where their index is damaged.
  const bodiesTop = missing.size > 0 ? (lastKey(connection, 'bodies') ?? 2 * recordsTop) : 0
  for (const row of rowsIn(connection, 'bodies', 'CAST(digest AS BLOB), CAST(json AS BLOB)', bodiesTop)) {
    const [digest, json] = [String(row?.[0]), row?.[1]]
    const body = missing.has(digest) && Buffer.isBuffer(json) ? attempt(() => unpack({ digest, json })) : undefined
    if (body === undefined) continue
    write({ digest, body })
    missing.delete(digest)
  }
  return { records, receipts, checkpoints, skipped: skipped + missing.size }
}

/** The file to write is at fault, not the journal. */
export class ExportTargetError extends Error {
  constructor(cause: unknown) {
    super(messageOf(cause), { cause })
    this.name = 'ExportTargetError'
  }
}

const atTarget = <T>(work: () => T): T => {
  try {
    return work()
  } catch (error) {
    throw new ExportTargetError(error)
  }
}

/** Leaves the journal as it is; the file `to` must not exist yet. Throws JournalError, or ExportTargetError. */
export const exportJournal = ({ path, to }: { path: string; to: string }): ExportCounts =>
  readDamaged(path, connection => {
    const file = atTarget(() => openSync(to, 'wx', STATE_FILE_MODE))
    try {
      return exportRows(connection, path, line => atTarget(() => writeFileSync(file, `${JSON.stringify(line)}\n`)))
    } catch (error) {
      // Half an export on a full disk would keep the room that is needed.
      rmSync(to, { force: true })
      throw error
    } finally {
      closeSync(file)
    }
  })
