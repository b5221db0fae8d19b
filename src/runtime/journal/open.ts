/** Opening the journal file: made when it is not there, refused when it is not one we can keep. */
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Clock } from '../clock.ts'
import { type Connection, connect } from './connection.ts'
import { createJournal } from './create.ts'
import { JournalError } from './fault.ts'
import { readMark } from './mark.ts'
import { SCHEMA_VERSION, SESSION } from './schema.ts'

const canWrite = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** SQLite says that it cannot open a file where the system says that its directory may not be written. */
const withCause = (path: string, error: unknown): unknown => {
  const isRefused = error instanceof JournalError && error.reason === 'not-openable'
  if (!isRefused || !existsSync(dirname(path)) || canWrite(dirname(path))) return error
  return new JournalError('read-only', error.message, { cause: error })
}

/** Closes what `prepare` refuses. */
const opened = (location: string, prepare: (connection: Connection) => void): Connection => {
  const connection = connect(location)
  try {
    prepare(connection)
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

const refuseOtherSchema = (connection: Connection): void => {
  const version = connection.number('PRAGMA user_version')
  if (version > SCHEMA_VERSION) {
    throw new JournalError('newer-schema', `the journal has schema ${version}, this is ${SCHEMA_VERSION}`)
  }
  if (version < SCHEMA_VERSION) throw new JournalError('corrupt', 'the journal file has no schema')
}

export interface OpenOptions {
  path: string
  clock: Clock
  maxPages: number | undefined
}

/** Looks for the WAL before the file: a process that makes the journal meanwhile makes them the other way round. */
const createIfMissing = (path: string, clock: Clock): void => {
  const hasWal = existsSync(`${path}-wal`)
  if (existsSync(path)) return
  if (hasWal) throw new JournalError('truncated', 'the journal file is gone, and what was written to it last is left')
  // The file was taken away by someone; the positions it has used stay used.
  const used = readMark(path)?.seq ?? 0
  createJournal(path, used > 0 ? { loss: { from: 1, to: used, at: clock.now() } } : {})
}

export const openForWriting = ({ path, clock, maxPages }: OpenOptions): Connection => {
  try {
    createIfMissing(path, clock)
    return opened(path, connection => {
      connection.exec(SESSION)
      if (maxPages !== undefined) connection.exec(`PRAGMA max_page_count = ${maxPages}`)
      refuseOtherSchema(connection)
      // A directory that cannot be written shows itself here and not at the first append.
      connection.write(() => {})
    })
  } catch (error) {
    throw withCause(path, error)
  }
}

/** What the reading statements need; explaining them touches no page of the tables themselves. */
const NEEDED = [
  'EXPLAIN SELECT seq, actor, n, machine, at, digest, fact FROM records',
  'EXPLAIN SELECT actor, machine, tags FROM actors',
  'EXPLAIN SELECT actor, n, fact FROM checkpoints',
  'EXPLAIN SELECT digest, json FROM bodies',
  'EXPLAIN SELECT row, id, device, command, skill_run, digest, fact FROM receipts',
  'EXPLAIN SELECT key, fence, fact FROM leases',
]

const refuseOtherTables = (connection: Connection): void => {
  const version = connection.number('PRAGMA user_version')
  try {
    for (const sql of NEEDED) connection.exec(sql)
  } catch (error) {
    if (version <= SCHEMA_VERSION || !(error instanceof JournalError) || error.reason !== 'failed') throw error
    throw new JournalError('newer-schema', `the journal has schema ${version}, this is ${SCHEMA_VERSION}`)
  }
}

const sizeOf = (file: string): number | undefined => {
  const found = statSync(file, { throwIfNoEntry: false })
  return found?.isFile() ? found.size : undefined
}

export const openForReading = (path: string): Connection => {
  if (sizeOf(path) === undefined) throw new JournalError('not-openable', `there is no journal file at ${path}`)
  const url = pathToFileURL(path).href
  try {
    return opened(`${url}?mode=ro`, refuseOtherTables)
  } catch (error) {
    // SQLite wants to create the index that readers share with writers. Without a WAL nobody is writing.
    const isIndexRefused = error instanceof JournalError && ['not-openable', 'read-only'].includes(error.reason)
    if (!isIndexRefused || sizeOf(`${path}-wal`)) throw withCause(path, error)
    return opened(`${url}?immutable=1`, refuseOtherTables)
  }
}
