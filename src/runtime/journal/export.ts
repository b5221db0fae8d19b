/** `svc journal export`: what SQLite can still read of a journal, in ever smaller ranges, as one JSON object per line. */
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { STATE_FILE_MODE } from '../../contracts/limits.ts'
import { messageOf } from '../message-of.ts'
import { sqliteBodies, unpack } from './bodies.ts'
import type { Connection } from './connection.ts'
import type { Checkpoint, StoredReceipt } from './journal.ts'
import { readMark } from './mark.ts'
import { openDamaged } from './open.ts'
import { hasInlineBodies, toRecord } from './records.ts'
import { asJournalError } from './refusals.ts'
import { fromReadable } from './salvage.ts'
import { unseal } from './seal.ts'

const RANGE = 4_096
/** After so many unreadable rows in a row, the rest of the table cannot be reached either. */
export const GIVE_UP = 2 ** 15

const attempt = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch {
    return undefined
  }
}

interface ScanOptions {
  connection: Connection
  table: string
  key: string
  columns: string
  /** No row has a higher key. */
  top: number
  /** A row that it throws at counts as skipped. */
  onRow: (row: readonly unknown[]) => void
}

/** A damaged page costs its own rows only. Returns how many rows were read and skipped. */
export const scan = ({ connection, table, key, columns, top, onRow }: ScanOptions) => {
  const next = connection.statement(`SELECT min(${key}) FROM ${table} WHERE ${key} > ?`)
  const range = connection.statement(`SELECT ${columns} FROM ${table} WHERE ${key} > ? AND ${key} <= ? ORDER BY ${key}`)
  let read = 0
  let skipped = 0

  const readRange = (from: number, to: number): void => {
    const found = attempt(() => range.all(from, to))
    if (found) {
      for (const row of found) {
        if (attempt(() => [onRow(row)])) read += 1
        else skipped += 1
      }
    } else if (to - from === 1) {
      skipped += 1
    } else {
      const middle = from + Math.floor((to - from) / 2)
      readRange(from, middle)
      readRange(middle, to)
    }
  }

  let skippedInARow = 0
  let from = 0
  while (from < top && skippedInARow < GIVE_UP) {
    const first = attempt(() => next.get(from))
    if (first && typeof first[0] !== 'number') break
    const start = first ? Number(first[0]) - 1 : from
    const end = Math.min(start + RANGE, top)
    const before = skipped
    if (start < end) readRange(start, end)
    skippedInARow = skipped - before === end - start ? skippedInARow + RANGE : 0
    from = Math.max(end, from + 1)
  }
  return { read, skipped }
}

/** An index names every row of its table, and may be whole where the table is not. */
export const lastKey = (connection: Connection, table: string, key: string, index: string): number | undefined => {
  const first = attempt(() => connection.statement(`SELECT max(${key}) FROM ${table} INDEXED BY ${index}`).get()?.[0])
  const found = first ?? attempt(() => connection.statement(`SELECT max(${key}) FROM ${table}`).get()?.[0])
  return typeof found === 'number' && Number.isSafeInteger(found) ? found : undefined
}

/** The highest position known to have been used: a damaged page may claim anything, the mark does not. */
export const lastSeq = (connection: Connection, path: string): number | undefined => {
  const marked = readMark(path)?.seq
  const told = lastKey(connection, 'records', 'seq', 'records_position') ?? 0
  return marked !== undefined && told > marked && told <= marked + RANGE ? told : marked
}

export interface Exported {
  records: number
  receipts: number
  checkpoints: number
  /** Rows that could not be read, and bodies that a readable row names and that could not be read. */
  skipped: number
}

const exportAll = (connection: Connection, path: string, write: (line: unknown) => void): Exported => {
  const bodies = sqliteBodies(connection)
  const bodiesSkipped = new Set<string>()
  const records = (lastSeq(connection, path) ?? lastKey(connection, 'records', 'seq', 'records_position')) || GIVE_UP
  // Receipts and checkpoints are written with records, so there are never more of them.
  const topOf = (table: string, key: string) =>
    Math.min(lastKey(connection, table, key, `sqlite_autoindex_${table}_1`) ?? records, records)

  const bodyOf = (digest: string | null, json?: unknown): { body?: unknown; bodyLost?: string } => {
    if (digest === null) return {}
    const body = attempt(() => (Buffer.isBuffer(json) ? unpack({ digest, json }) : bodies.read(digest)))
    if (body !== undefined) return { body }
    bodiesSkipped.add(digest)
    return { bodyLost: digest }
  }
  const receiptOf = (fact: unknown, digest: unknown) => {
    const receipt = unseal<StoredReceipt>(fact)
    const { body, ...lost } = bodyOf(Buffer.isBuffer(digest) ? digest.toString() : null)
    return { receipt: body === undefined ? receipt : { ...receipt, result: body }, ...lost }
  }

  const scanned = {
    records: scan({
      connection,
      table: 'records',
      key: 'seq',
      columns: `seq, CAST(fact AS BLOB), ${hasInlineBodies(connection) ? 'CAST(body AS BLOB)' : 'NULL'}`,
      top: records,
      onRow: row => {
        const record = toRecord(row)
        write({ record, ...bodyOf(record.digest, row[2]) })
      },
    }),
    receipts: scan({
      connection,
      table: 'receipts',
      key: 'row',
      columns: 'CAST(fact AS BLOB), CAST(digest AS BLOB)',
      top: topOf('receipts', 'row'),
      onRow: ([fact, digest]) => write(receiptOf(fact, digest)),
    }),
    checkpoints: scan({
      connection,
      table: 'checkpoints',
      key: 'rowid',
      columns: 'CAST(fact AS BLOB)',
      top: topOf('checkpoints', 'rowid'),
      onRow: ([fact]) => write({ checkpoint: unseal<Checkpoint>(fact) }),
    }),
  }
  // The table of the bodies may still be whole where their index is damaged.
  if (bodiesSkipped.size > 0) {
    scan({
      connection,
      table: 'bodies',
      key: 'rowid',
      columns: 'CAST(digest AS BLOB), CAST(json AS BLOB)',
      top: lastKey(connection, 'bodies', 'rowid', 'sqlite_autoindex_bodies_1') ?? 2 * records,
      onRow: ([name, json]) => {
        const digest = String(name)
        if (!bodiesSkipped.has(digest) || !Buffer.isBuffer(json)) return
        write({ digest, body: unpack({ digest, json }) })
        bodiesSkipped.delete(digest)
      },
    })
  }
  return {
    records: scanned.records.read,
    receipts: scanned.receipts.read,
    checkpoints: scanned.checkpoints.read,
    skipped: Object.values(scanned).reduce((sum, { skipped }) => sum + skipped, bodiesSkipped.size),
  }
}

export interface ExportOptions {
  path: string
  /** The file to write; it must not exist yet. */
  to: string
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

/** Leaves the journal as it is. */
export const exportJournal = (options: ExportOptions): Exported =>
  fromReadable(options.path, readable => exportFrom(readable, options))

const exportFrom = (readable: string, { path, to }: ExportOptions): Exported => {
  const connection = openDamaged(readable)
  try {
    const file = atTarget(() => openSync(to, 'wx', STATE_FILE_MODE))
    let failure: unknown
    try {
      const exported = exportAll(connection, path, line => {
        try {
          if (!failure) atTarget(() => writeFileSync(file, `${JSON.stringify(line)}\n`))
        } catch (error) {
          failure = error
        }
      })
      if (failure) throw failure
      return exported
    } catch (error) {
      // Half an export on a full disk would keep the room that is needed.
      rmSync(to, { force: true })
      throw error
    } finally {
      closeSync(file)
    }
  } catch (error) {
    throw error instanceof ExportTargetError ? error : asJournalError(error)
  } finally {
    connection.close()
  }
}
