/** One open database file: prepared statements, write transactions, and every failure as a JournalError. */
import Database from 'libsql'
import { asJournalError, JournalError } from './fault.ts'

export type Value = string | number | null | Buffer

/**
 * Rows are arrays. Every column but a rowid is to be read through CAST(... AS BLOB) or CAST(... AS INTEGER): libsql
 * aborts the process when a damaged page yields text that is not UTF-8.
 */
interface Statement {
  get(...values: Value[]): readonly unknown[] | undefined
  all(...values: Value[]): (readonly unknown[])[]
  run(...values: Value[]): { changes: number; rowid: number }
}

export interface Connection {
  /** Prepared when first used, then kept. */
  statement(sql: string): Statement
  exec(sql: string): void
  /** One number, as pragmas give them. */
  number(sql: string): number
  /** All of `work` or nothing; reason `busy` at once while another process writes, unless it is still being opened. */
  write<T>(work: () => T): T
  /** From now on nothing waits for another process for long: the event loop has other work. */
  opened(): void
  /** Goes on with another file in the place of this one. */
  replace(location: string): void
  close(): void
}

/** While a process opens its journal, it may wait for another one. */
const OPENING_BUSY_MS = 5_000
/** Readers wait for no writer, only for the moment in which another process begins or ends its use of the file. */
const READ_BUSY_MS = 1_000
const READ_RETRY_MS = 5

const asleep = new Int32Array(new SharedArrayBuffer(4))
export const sleepSync = (ms: number): void => void Atomics.wait(asleep, 0, 0, ms)

export const connect = (location: string, busyMs: number = OPENING_BUSY_MS): Connection => {
  const prepared = new Map<string, Database.Statement>()
  let database: Database.Database | undefined

  const guarded = <T>(work: (open: Database.Database) => T): T => {
    if (!database) throw new JournalError('closed', 'The journal is closed')
    try {
      return work(database)
    } catch (error) {
      throw asJournalError(error)
    }
  }

  /** Runs a read again while the file is locked as a whole. */
  const patient = <T>(read: (open: Database.Database) => T): T => {
    for (let waitedMs = 0; ; waitedMs += READ_RETRY_MS) {
      try {
        return guarded(read)
      } catch (error) {
        const isBusy = error instanceof JournalError && error.reason === 'busy'
        if (!isBusy || waitedMs >= READ_BUSY_MS || database?.inTransaction) throw error
        sleepSync(READ_RETRY_MS)
      }
    }
  }

  const preparedFor = (open: Database.Database, sql: string, isReader: boolean) => {
    const known = prepared.get(sql)
    if (known) return known
    const fresh = open.prepare(sql)
    if (isReader) fresh.raw()
    prepared.set(sql, fresh)
    return fresh
  }

  const abandon = (open: Database.Database) => {
    try {
      if (open.inTransaction) open.exec('ROLLBACK')
    } catch {
      // The failure that brought us here is the one to tell.
    }
  }

  const connection: Connection = {
    statement: sql => ({
      get: (...values) => patient(open => preparedFor(open, sql, true).get(values)) as readonly unknown[] | undefined,
      all: (...values) => patient(open => preparedFor(open, sql, true).all(values)) as (readonly unknown[])[],
      run: (...values) => {
        const { changes, lastInsertRowid } = guarded(open => preparedFor(open, sql, false).run(values))
        return { changes, rowid: Number(lastInsertRowid) }
      },
    }),
    exec: sql =>
      guarded(open => {
        open.exec(sql)
      }),
    number: sql => Number(connection.statement(sql).get()?.[0] ?? 0),
    write: work =>
      guarded(open => {
        try {
          open.exec('BEGIN IMMEDIATE')
          const result = work()
          open.exec('COMMIT')
          return result
        } catch (error) {
          abandon(open)
          throw error
        }
      }),
    opened: () => connection.exec('PRAGMA busy_timeout = 0'),
    replace: next => {
      const before = database
      database = openDatabase(next, busyMs)
      // libsql closes a file once its statements are collected too.
      prepared.clear()
      before?.close()
    },
    close: () => {
      prepared.clear()
      database?.close()
      database = undefined
    },
  }

  database = openDatabase(location, busyMs)
  return connection
}

const openDatabase = (location: string, timeout: number): Database.Database => {
  try {
    return new Database(location, { timeout })
  } catch (error) {
    throw asJournalError(error)
  }
}
