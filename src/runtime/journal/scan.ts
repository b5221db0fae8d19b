/** Reads a damaged table in ever smaller ranges, so that a damaged page costs its own rows only. */
import type { Connection } from './connection.ts'
import { readMark } from './mark.ts'

export interface ScanOptions {
  connection: Connection
  rows: { table: string; key: string; columns: string }
  /** No row has a higher key. */
  top: number
  /** A row that it throws at counts as lost. */
  onRow: (row: readonly unknown[]) => void
}

const RANGE = 4_096
/** So many rows lost in a row mean that the way to the rest of the table is lost. */
const GIVE_UP = 2 ** 18

const attempt = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** Says how many rows could not be read. */
export const scan = ({ connection, rows: { table, key, columns }, top, onRow }: ScanOptions): number => {
  const next = connection.statement(`SELECT min(${key}) FROM ${table} WHERE ${key} > ?`)
  const range = connection.statement(`SELECT ${columns} FROM ${table} WHERE ${key} > ? AND ${key} <= ? ORDER BY ${key}`)
  let lost = 0

  const readRange = (from: number, to: number): void => {
    const found = attempt(() => range.all(from, to))
    if (found) {
      for (const row of found) {
        if (!attempt(() => [onRow(row)])) lost += 1
      }
    } else if (to - from === 1) {
      lost += 1
    } else {
      const middle = from + Math.floor((to - from) / 2)
      readRange(from, middle)
      readRange(middle, to)
    }
  }

  let lostInARow = 0
  let from = 0
  while (from < top && lostInARow < GIVE_UP) {
    const first = attempt(() => next.get(from))
    if (first && typeof first[0] !== 'number') break
    const start = first ? Number(first[0]) - 1 : from
    const end = Math.min(start + RANGE, top)
    const before = lost
    if (start < end) readRange(start, end)
    lostInARow = lost - before === end - start ? lostInARow + RANGE : 0
    from = Math.max(end, from + 1)
  }
  return lost
}

/** An index names every row of its table, and may be whole where the table is not. */
const highestKey = (connection: Connection, table: string, key: string, index: string): number | undefined => {
  const first = attempt(() => connection.statement(`SELECT max(${key}) FROM ${table} INDEXED BY ${index}`).get()?.[0])
  const found = first ?? attempt(() => connection.statement(`SELECT max(${key}) FROM ${table}`).get()?.[0])
  return typeof found === 'number' && found <= Number.MAX_SAFE_INTEGER ? found : undefined
}

/** The highest position known to have been used, 0 if none is: a damaged page may claim anything, the mark does not. */
export const knownSeq = (connection: Connection, path: string): number => {
  const told = highestKey(connection, 'records', 'seq', 'records_position') ?? 0
  const marked = readMark(path)?.seq
  return marked === undefined || (told > marked && told <= marked + RANGE) ? told : marked
}

export const highest = (connection: Connection, path: string) => {
  const records = knownSeq(connection, path) || GIVE_UP
  // Receipts and checkpoints are written with records, so there are never more of them.
  const atMost = (key: number | undefined) => Math.min(key ?? records, records)
  return {
    records,
    receipts: atMost(highestKey(connection, 'receipts', 'row', 'sqlite_autoindex_receipts_1')),
    checkpoints: atMost(highestKey(connection, 'checkpoints', 'rowid', 'sqlite_autoindex_checkpoints_1')),
  }
}
