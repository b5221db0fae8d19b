/** Reads a journal that may be damaged anywhere: what SQLite cannot read is passed over, and costs nothing beside it. */
import { randomBytes } from 'node:crypto'
import { closeSync, copyFileSync, existsSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { attempt } from '../or-undefined.ts'
import type { Connection } from './connection.ts'
import { createJournal } from './create.ts'
import { readMark } from './mark.ts'
import { openDamaged } from './open.ts'

const HEADER_BYTES = 100
/** Where the header has the size of a page, and the number of pages: https://www.sqlite.org/fileformat.html, section 1.3. */
const PAGE_SIZE_AT = 16
const PAGE_COUNT_AT = 28

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** A copy with the header of a new journal: SQLite then reads the pages behind it, and those in the log. */
const copyWithNewHeader = (path: string, copy: string): void => {
  const bytes = sizeOf(path)
  if (bytes === 0 && sizeOf(`${path}-wal`) === 0) throw new Error('no page is left')
  createJournal(copy)
  if (bytes > 0) {
    const header = readFileSync(copy).subarray(0, HEADER_BYTES)
    header.writeUInt32BE(Math.ceil(bytes / header.readUInt16BE(PAGE_SIZE_AT)), PAGE_COUNT_AT)
    copyFileSync(path, copy)
    const file = openSync(copy, 'r+')
    writeSync(file, header)
    closeSync(file)
  }
  if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`)
}

/**
 * Leaves the files as they are. Where SQLite refuses to open them, `read` gets a copy, which is removed afterwards. Throws
 * the JournalError of the files themselves if the copy cannot be opened either.
 */
export const readDamaged = <T>(path: string, read: (connection: Connection) => T): T => {
  const copy = `${path}.${randomBytes(6).toString('hex')}.salvage`
  const openCopy = (refused: unknown): Connection => {
    const opened = attempt(() => {
      copyWithNewHeader(path, copy)
      return openDamaged(copy)
    })
    if (!opened) throw refused
    return opened
  }
  let connection: Connection | undefined
  try {
    try {
      connection = openDamaged(path)
    } catch (error) {
      connection = openCopy(error)
    }
    return read(connection)
  } finally {
    connection?.close()
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${copy}${suffix}`, { force: true })
  }
}

/** The key of each table, and an index that names every row. */
const TABLES = {
  records: { key: 'seq', index: 'records_position' },
  receipts: { key: 'row', index: 'sqlite_autoindex_receipts_1' },
  checkpoints: { key: 'rowid', index: 'sqlite_autoindex_checkpoints_1' },
  bodies: { key: 'rowid', index: 'sqlite_autoindex_bodies_1' },
}
type Table = keyof typeof TABLES

/** The highest key by the index, which may be whole where the table is not, or else by the table. */
export const lastKey = (connection: Connection, table: Table): number | undefined => {
  const { key, index } = TABLES[table]
  const select = `SELECT max(${key}) FROM ${table}`
  const [found] = attempt(() => connection.statement(`${select} INDEXED BY ${index}`).get()) ??
    attempt(() => connection.statement(select).get()) ?? [undefined]
  return typeof found === 'number' && Number.isSafeInteger(found) ? found : undefined
}

/** The mark is written after the commit, so it may lag by the records of a few commits. */
const MARK_LAG_MAX = 4_096

/** The highest position known to have been used: a damaged page may claim anything, the mark does not. */
export const lastSeq = (connection: Connection, path: string): number | undefined => {
  const marked = readMark(path)?.seq
  const lastKept = lastKey(connection, 'records') ?? 0
  return marked !== undefined && lastKept > marked && lastKept <= marked + MARK_LAG_MAX ? lastKept : marked
}

const RANGE = 256
/** After so many unreadable rows in a row, the rest of the table cannot be reached either. */
export const GIVE_UP = 2 ** 15

/** Every row up to the key `top`, and undefined for each that cannot be read. */
export function* rowsIn(
  connection: Connection,
  table: Table,
  columns: string,
  top: number,
): Generator<readonly unknown[] | undefined> {
  const { key } = TABLES[table]
  const next = connection.statement(`SELECT min(${key}) FROM ${table} WHERE ${key} > ?`)
  const range = connection.statement(`SELECT ${columns} FROM ${table} WHERE ${key} > ? AND ${key} <= ? ORDER BY ${key}`)
  let unreadable = 0
  for (let after = 0; after < top && unreadable < GIVE_UP; ) {
    const first = attempt(() => next.get(after))
    if (first && typeof first[0] !== 'number') return
    const from = first ? Number(first[0]) - 1 : after
    const to = Math.min(from + RANGE, top)
    const rows = attempt(() => range.all(from, to))
    if (rows) {
      yield* rows
      unreadable = 0
    } else {
      // A damaged page spoils each range that touches it, and no row beside it.
      for (let before = from; before < to; before++) {
        const row = attempt(() => range.all(before, before + 1))
        unreadable = row ? 0 : unreadable + 1
        yield* row ?? [undefined]
      }
    }
    after = Math.max(to, after + 1)
  }
}
