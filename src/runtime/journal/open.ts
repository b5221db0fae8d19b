/** Opening the journal file: made when it is not there, refused when it is not one we can keep. */
import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Clock } from '../clock.ts'
import type { LeaseRow } from '../ownership/sqlite.ts'
import { type Connection, connect, sleepSync } from './connection.ts'
import { createJournal } from './create.ts'
import { asJournalError, JournalError, type JournalFault } from './fault.ts'
import { folderProblem, processesWithRemoved, refuseEmptied } from './file-problems.ts'
import { usedSeq } from './mark.ts'
import { MIGRATIONS, SCHEMA_VERSION, SCHEMA_VERSION_MAX, SESSION } from './schema.ts'

/** SQLite says that it cannot open a file where the cause is the directory. */
const withCause = (path: string, error: JournalError): JournalError => {
  const problem = ['not-openable', 'read-only'].includes(error.reason) ? folderProblem(dirname(path)) : undefined
  return problem ? new JournalError(problem.reason, problem.message, { cause: error }) : error
}

/** Closes what `prepare` refuses. */
const opened = (location: string, prepare: (connection: Connection) => void, busyMs?: number): Connection => {
  const connection = connect(location, busyMs)
  try {
    prepare(connection)
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

/** Brings a journal of an older schema up to this one. */
const migrate = (connection: Connection): void => {
  for (let version = connection.number('PRAGMA user_version'); MIGRATIONS[version] !== undefined; version++) {
    connection.write(() => {
      // Another process may have done it meanwhile.
      if (connection.number('PRAGMA user_version') === version) connection.exec(MIGRATIONS[version] ?? '')
    })
  }
}

/** Checks that the tables and columns of all statements exist; EXPLAIN touches no page of the tables themselves. */
const NEEDED = [
  'EXPLAIN SELECT seq, actor, n, machine, at, digest, fact FROM records',
  'EXPLAIN SELECT actor, machine, tags FROM actors',
  'EXPLAIN SELECT actor, n, fact FROM checkpoints',
  'EXPLAIN SELECT digest, json FROM bodies',
  'EXPLAIN SELECT row, id, device, command, skill_run, digest, fact FROM receipts',
  'EXPLAIN SELECT key, fence, fact FROM leases',
]

const NO_SCHEMA = 'The file does not have the schema of a journal'

const hasTables = (connection: Connection): boolean => {
  try {
    for (const sql of NEEDED) connection.exec(sql)
    return true
  } catch (error) {
    if (error instanceof JournalError && error.reason === 'failed') return false
    throw error
  }
}

/** A journal of another schema may be read as far as its tables are known; an older one is brought up before it is written. */
const refuseOtherTables = (connection: Connection, { isRead }: { isRead: boolean }): void => {
  // First what prepares no statement: if it fails, libsql closes the file at once, and it can be opened in another way.
  const isKnown = hasTables(connection)
  const version = connection.number('PRAGMA user_version')
  const isJournal = connection.number("SELECT count(*) FROM sqlite_schema WHERE name = 'records'") > 0
  const isNewer = version > SCHEMA_VERSION && version <= SCHEMA_VERSION_MAX
  const isOlder = MIGRATIONS[version] !== undefined
  if (isJournal && isNewer && !(isRead && isKnown)) {
    throw new JournalError(
      'newer-schema',
      `A newer svc has brought the journal to schema ${version}; this svc knows schema ${SCHEMA_VERSION}`,
    )
  }
  if (!isKnown || (version !== SCHEMA_VERSION && !isNewer && !isOlder)) {
    throw new JournalError('corrupt', NO_SCHEMA)
  }
}

const refuseOtherThanFile = (path: string): void => {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isFile()) return
  const message = found ? `${path} is not a file` : `There is no journal file at ${path}`
  throw new JournalError('not-openable', message)
}

export interface OpenOptions {
  path: string
  clock: Clock
  maxPages: number | undefined
  /** How long to wait for another process that writes. */
  busyMs?: number
  /** The state left by a file that vanished under this process: its last position, and the grants still held. */
  before?: { head: number; leases: readonly LeaseRow[] } | undefined
}

/** A process that works with the removed file makes a new one within a second. */
const VANISHED_MS = 2_500
const VANISHED_LOOK_MS = 50

/** The process that still works with the removed file after that time, unless there is a new file. */
const othersWithRemoved = (path: string, withinMs: number): number | undefined => {
  for (let waitedMs = 0; ; waitedMs += VANISHED_LOOK_MS) {
    const [other] = processesWithRemoved(path)
    if (other === undefined || waitedMs >= withinMs || existsSync(path)) return other
    sleepSync(VANISHED_LOOK_MS)
  }
}

/** Looks for the WAL before the file: a process that makes the journal meanwhile makes them the other way round. */
const createIfMissing = ({ path, clock, before, busyMs = VANISHED_MS }: OpenOptions): void => {
  const hasWal = existsSync(`${path}-wal`)
  if (existsSync(path)) return
  if (hasWal) throw new JournalError('truncated', 'The journal file is missing, but its write-ahead log exists')
  // One that held it brings what all of its holders have: whichever of them comes first makes the new one.
  const other = before ? undefined : othersWithRemoved(path, Math.min(busyMs, VANISHED_MS))
  if (existsSync(path)) return
  if (other !== undefined) {
    const message = `The journal file is missing, but process ${other} still uses it: stop that process, or wait for it to end`
    throw new JournalError('vanished', message)
  }
  // The file was taken away by someone; the positions and fences it has used stay used.
  const at = clock.now()
  const used = Math.max(usedSeq(path, at), before?.head ?? 0)
  const loss = used > 0 ? { from: 1, to: used, at, keys: 'unknown' as const } : undefined
  if (before) createJournal(path, { at, loss, leases: before.leases })
  else createJournal(path, loss && { at, loss, fencesAbove: at })
}

/** Sets what belongs to a connection and not to the file. */
export const beginSession = (connection: Connection, maxPages: number | undefined): void => {
  connection.exec(SESSION)
  if (maxPages !== undefined) connection.exec(`PRAGMA max_page_count = ${maxPages}`)
}

export const openForWriting = (options: OpenOptions): Connection => {
  const { path, maxPages, busyMs } = options
  try {
    createIfMissing(options)
    refuseOtherThanFile(path)
    refuseEmptied(path)
    return opened(
      path,
      connection => {
        beginSession(connection, maxPages)
        refuseOtherTables(connection, { isRead: false })
        migrate(connection)
        // A directory that cannot be written shows itself here and not at the first append.
        connection.write(() => {})
      },
      busyMs,
    )
  } catch (error) {
    throw withCause(path, asJournalError(error))
  }
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** Reasons for which SQLite cannot make or grow the index of the WAL that readers share with writers. */
const INDEX_REFUSED: ReadonlySet<JournalFault> = new Set(['not-openable', 'read-only', 'full'])

/** The ways to open a file for reading, from the one that needs most of its directory to the one that needs nothing. */
const waysToRead = (path: string): string[] => [
  'mode=ro',
  // SQLite keeps an index of its own in memory.
  ...(existsSync(`${path}-shm`) ? ['mode=ro&readonly_shm=1'] : []),
  // An absent or empty WAL means that nobody writes.
  ...(sizeOf(`${path}-wal`) === 0 ? ['immutable=1'] : []),
]

const openReadOnly = (path: string, prepare: (connection: Connection) => void, busyMs?: number): Connection => {
  try {
    refuseOtherThanFile(path)
    refuseEmptied(path)
    const url = pathToFileURL(path).href
    let refused: unknown
    for (let tried = 0; ; tried++) {
      // Looked at again each time: the failure may have left the file of the index.
      const way = waysToRead(path)[tried]
      if (way === undefined) throw refused
      try {
        return opened(`${url}?${way}`, prepare, busyMs)
      } catch (error) {
        if (!(error instanceof JournalError) || !INDEX_REFUSED.has(error.reason)) throw error
        refused ??= error
      }
    }
  } catch (error) {
    throw withCause(path, asJournalError(error))
  }
}

/** Writes nothing, and needs no room on the disk. `busyMs` is how long to wait for another process. */
export const openForReading = (path: string, busyMs?: number): Connection =>
  openReadOnly(path, connection => refuseOtherTables(connection, { isRead: true }), busyMs)

/** Opens any version, also a file shorter than its header says: SQLite wants an editable schema for that. */
export const openDamaged = (path: string): Connection =>
  openReadOnly(path, connection => {
    connection.exec('PRAGMA writable_schema = ON')
    if (!hasTables(connection)) throw new JournalError('corrupt', NO_SCHEMA)
  })
