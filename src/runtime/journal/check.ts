/** The full check of a journal: SQLite's own, every row against its checksum, and an append that is rolled back. */
import { lstatSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Clock } from '../clock.ts'
import { codeOf } from '../message-of.ts'
import { attempt } from '../or-undefined.ts'
import { leaseRows } from '../ownership/sqlite.ts'
import type { Connection } from './connection.ts'
import { JournalError } from './fault.ts'
import { folderProblem } from './file-problems.ts'
import type { StoredReceipt } from './journal.ts'
import { keysUnknownBefore, recordMissingTail } from './loss.ts'
import { openMarker } from './mark.ts'
import { openForWriting } from './open.ts'
import { sqliteRecords, toRecord } from './records.ts'
import { seal, sqliteBodies, unpack, unseal } from './stored-json.ts'

const damaged = (message: string) => new JournalError('corrupt', message)

/** Every page that SQLite can reach, and every index against its table. */
export const refuseDamagedPages = (connection: Connection): void => {
  const verdict = connection.statement('SELECT CAST(integrity_check AS BLOB) FROM pragma_integrity_check(1)').get()?.[0]
  const text = String(verdict)
  if (text !== 'ok') throw damaged(`SQLite reports that the journal is damaged: ${text.split('\n').at(-1)}`)
}

const BATCH = 500

/** Every row by its key, a batch at a time. */
function* rowsOf(connection: Connection, table: string, key: string, columns: string) {
  const select = connection.statement(
    `SELECT ${key}, ${columns} FROM ${table} WHERE ${key} > ? ORDER BY ${key} LIMIT ${BATCH}`,
  )
  let after = 0
  for (;;) {
    const rows = select.all(after)
    yield* rows
    if (rows.length < BATCH) return
    after = Number(rows.at(-1)?.[0])
  }
}

const textOf = (column: unknown) => (Buffer.isBuffer(column) ? column.toString() : null)

/** The columns beside a sealed row are what it is found by: they must say the same. */
const refuseDamagedRows = (connection: Connection): void => {
  const bodies = sqliteBodies(connection)
  const refuseLostBody = (digest: string | null) => {
    if (digest !== null && bodies.read(digest) === undefined) throw damaged(`The body ${digest} is missing`)
  }

  const recordColumns =
    'CAST(fact AS BLOB), CAST(actor AS BLOB), CAST(n AS INTEGER), CAST(machine AS BLOB), CAST(at AS INTEGER), CAST(body AS BLOB)'
  for (const [seq, fact, actor, n, machine, at, body] of rowsOf(connection, 'records', 'seq', recordColumns)) {
    const record = toRecord([seq, fact])
    const isSame =
      record.actor === textOf(actor) && record.n === n && record.machine === textOf(machine) && record.at === at
    if (!isSame) throw damaged(`The columns of record ${seq} do not match its content`)
    if (Buffer.isBuffer(body) && record.digest !== null) unpack({ digest: record.digest, json: body })
    else refuseLostBody(record.digest)
  }
  const receiptColumns = 'CAST(fact AS BLOB), CAST(id AS BLOB), CAST(digest AS BLOB)'
  for (const [row, fact, id, digest] of rowsOf(connection, 'receipts', 'row', receiptColumns)) {
    if (unseal<StoredReceipt>(fact).executionId !== textOf(id)) {
      throw damaged(`The columns of receipt ${row} do not match its content`)
    }
    refuseLostBody(textOf(digest))
  }
  for (const [, fact] of rowsOf(connection, 'checkpoints', 'rowid', 'CAST(fact AS BLOB)')) unseal(fact)
  for (const { key, fence, fact } of leaseRows(connection)) {
    if (!Number.isSafeInteger(fence) || fence < 1) throw damaged(`The lease ${key} has no fence`)
    if (fact !== null) unseal(fact)
  }
}

const TRIALS = [
  "INSERT INTO records VALUES (NULL, 'trial', 0, 'trial', 0, 'trial', ?, 'trial', NULL)",
  "INSERT INTO actors VALUES ('trial', 'trial', '[]')",
  "INSERT INTO checkpoints VALUES ('trial', 0, ?)",
  // Longer than a page: takes free pages, or new ones at the end of the file.
  "INSERT INTO bodies VALUES ('trial', zeroblob(20000))",
  "INSERT INTO receipts VALUES (NULL, 'trial', 'trial', 'trial', 'trial', 0, 0, 'trial', ?, 'trial')",
  "INSERT INTO leases VALUES ('trial', 1, ?, NULL)",
]

/** Whatever `work` does is undone. */
const undone = (connection: Connection, begin: string, work: () => void): void => {
  connection.exec(begin)
  try {
    work()
  } finally {
    // The statement fails where SQLite has rolled back already, because of the failure that is on its way.
    attempt(() => connection.exec('ROLLBACK'))
  }
}

const tryAppend = (connection: Connection): void => {
  const fact = seal({})
  try {
    for (const sql of TRIALS) connection.statement(sql).run(...(sql.includes('?') ? [fact] : []))
  } catch (error) {
    if (!(error instanceof JournalError) || error.reason !== 'failed') throw error
    throw new JournalError('corrupt', `An append fails: ${error.message}`, { cause: error })
  }
}

interface CheckOptions {
  path: string
  clock: Clock
}

interface CheckedJournal {
  /** The last position. */
  seq: number
  /** Receipts were lost with an earlier file: keys that were used before this time may be among them. */
  keysUnknownBefore: number | undefined
}

/** Opens the journal as an execution does. Throws JournalError. */
export const checkJournal = ({ path, clock }: CheckOptions): CheckedJournal => {
  const connection = openForWriting({ path, clock, maxPages: undefined })
  try {
    openMarker(path).close()
    const records = sqliteRecords(connection)
    recordMissingTail({ path, connection, records, clock })
    // One state of the journal, whatever other processes append or prune meanwhile.
    undone(connection, 'BEGIN', () => {
      refuseDamagedPages(connection)
      refuseDamagedRows(connection)
    })
    undone(connection, 'BEGIN IMMEDIATE', () => tryAppend(connection))
    return { seq: records.head(), keysUnknownBefore: keysUnknownBefore(records, clock.now()) }
  } finally {
    connection.close()
  }
}

type ExaminedJournal =
  | { state: 'absent' }
  | ({ state: 'in order' } & CheckedJournal)
  | { state: 'faulty'; error: JournalError }

/** True for anything that a new journal would meet at the path, also where it cannot be looked at. */
const isThere = (path: string): boolean => {
  try {
    lstatSync(path)
    return true
  } catch (error) {
    return codeOf(error) !== 'ENOENT'
  }
}

/** For commands: makes no journal where there is none. */
export const examineJournal = (options: CheckOptions): ExaminedJournal => {
  const { path } = options
  try {
    const isAbsent = !isThere(path) && !isThere(`${path}-wal`) && folderProblem(dirname(path)) === undefined
    return isAbsent ? { state: 'absent' } : { state: 'in order', ...checkJournal(options) }
  } catch (error) {
    if (error instanceof JournalError) return { state: 'faulty', error }
    throw error
  }
}
