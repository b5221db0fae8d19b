/** One open database file: prepared statements, write transactions, and every failure as a JournalError. */
import Database from 'libsql'
import { JournalError } from './fault.ts'
import { asJournalError } from './refusals.ts'

export type Value = string | number | null | Buffer

/**
 * Rows are arrays. Every column but a rowid is to be read through CAST(... AS BLOB) or CAST(... AS INTEGER): libsql
 * aborts the process when a damaged page yields text that is not UTF-8.
 */
export interface Statement {
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
  /** All of `work` or nothing. */
  write<T>(work: () => T): T
  close(): void
}

const BUSY_MS = 5_000

export const connect = (location: string): Connection => {
  const prepared = new Map<string, Database.Statement>()
  let database: Database.Database | undefined

  const guarded = <T>(work: (open: Database.Database) => T): T => {
    if (!database) throw new JournalError('closed', 'the journal is closed')
    try {
      return work(database)
    } catch (error) {
      throw asJournalError(error)
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
      get: (...values) => guarded(open => preparedFor(open, sql, true).get(values)) as readonly unknown[] | undefined,
      all: (...values) => guarded(open => preparedFor(open, sql, true).all(values)) as (readonly unknown[])[],
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
    close: () => {
      // libsql closes the file once its statements are collected too.
      prepared.clear()
      database?.close()
      database = undefined
    },
  }

  try {
    database = new Database(location, { timeout: BUSY_MS })
  } catch (error) {
    throw asJournalError(error)
  }
  return connection
}
