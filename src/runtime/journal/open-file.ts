/** The journal file that a process has open: still the one at its path, and of a schema that this version may write. */

import { NO_TROUBLES } from '../background-failures.ts'
import type { Clock } from '../clock.ts'
import { insertLeases, leaseRows } from '../ownership/sqlite.ts'
import type { Connection } from './connection.ts'
import type { Disk } from './disk.ts'
import { JournalError, UNWRITABLE } from './fault.ts'
import type { JournalFiles } from './files.ts'
import { recordMissingTail } from './loss.ts'
import { type Marker, openMarker } from './mark.ts'
import { beginSession, openForWriting } from './open.ts'
import type { Records } from './records.ts'
import { CHECKPOINT_WAL, EMPTY_WAL, SCHEMA_VERSION } from './schema.ts'
import type { JournalOptions } from './sqlite.ts'

/** The parts that belong to the open file, and not to an earlier file at the same path. */
interface Parts {
  identity: string | undefined
  marker: Marker
  disk: Disk
}

export interface OpenFile {
  /** A position was committed. */
  mark(seq: number): void
  /** Resolves once the disk has all that was committed. */
  synced(): Promise<void>
  /** Throws JournalError if the file at the path is another one; from then on that one, or a new one, is in use. */
  refuseVanished(): void
  /** Inside a write: throws JournalError if a newer version has brought the file up to a schema that this one does not know. */
  refuseNewer(): void
  finishWal(): void
  close(): void
}

interface OpenFileOptions extends Pick<JournalOptions, 'path' | 'maxPages' | 'readOnly' | 'hasUpkeep' | 'troubles'> {
  clock: Clock
  files: JournalFiles
  connection: Connection
  records: Records
  /** Another file is in use now. */
  onReplaced: () => void
}

const unwritten: Marker = { write: () => {}, close: () => {} }

/** 256 MB: a commit brings the WAL in itself only where the upkeep cannot keep up, or is gone. */
const UPKEEP_WAL_PAGES = 65_536

/** How often a process that writes nothing looks whether its file is still there. */
const LOOK_MS = 1_000

export const keepFileOpen = (options: OpenFileOptions): OpenFile => {
  const {
    path,
    clock,
    files,
    maxPages,
    readOnly,
    hasUpkeep,
    connection,
    records,
    onReplaced,
    troubles = NO_TROUBLES,
  } = options
  const version = connection.statement('PRAGMA user_version')

  const openParts = (): Parts => {
    if (readOnly) return { identity: undefined, marker: unwritten, disk: files.openDisk(path) }
    const marker = openMarker(path)
    try {
      recordMissingTail({ path, connection, records, clock })
      connection.opened()
      if (hasUpkeep) connection.exec(`PRAGMA wal_autocheckpoint = ${UPKEEP_WAL_PAGES}`)
      return { identity: files.identity(path), marker, disk: files.openDisk(path) }
    } catch (error) {
      marker.close()
      throw error
    }
  }
  let file = openParts()
  /** A write, or a look, was kept from the file. */
  let isRefused = false

  /** Goes on with the file that is at the path now, or with a new one: what this process held there it still holds. */
  const reopen = () => {
    const before = { head: records.head(), leases: leaseRows(connection) }
    openForWriting({ path, clock, maxPages, before, busyMs: 0 }).close()
    const { marker, disk } = file
    connection.replace(path)
    beginSession(connection, maxPages)
    connection.opened()
    connection.write(() => insertLeases(connection, before.leases, clock.now()))
    file = openParts()
    marker.close()
    disk.close()
    onReplaced()
  }

  const isInPlace = () => readOnly === true || files.identity(path) === file.identity

  /** Records in a file that nobody finds again would be no records: a request that follows them must not leave. */
  const refuseVanished = () => {
    if (isInPlace()) return
    isRefused = true
    reopen()
    throw new JournalError('vanished', 'The journal file was removed or replaced; a new one is in use now')
  }

  const refuseNewer = () => {
    const found = Number(version.get()?.[0])
    if (found <= SCHEMA_VERSION) return
    isRefused = true
    const problem = `A newer svc has brought the journal up to schema ${found} while this process was running, which knows ${SCHEMA_VERSION}`
    throw new JournalError('newer-schema', `${problem}: it records nothing more`)
  }

  const look = () =>
    clock.at(
      clock.now() + LOOK_MS,
      () => {
        try {
          refuseVanished()
          refuseNewer()
          if (isRefused) troubles.over(UNWRITABLE)
          isRefused = false
        } catch (error) {
          // The next write says so, and tries again. A new file that is in use already refuses nothing.
          const isReplaced = error instanceof JournalError && error.reason === 'vanished' && isInPlace()
          const isBusy = error instanceof JournalError && error.reason === 'busy'
          if (!isReplaced && !isBusy) troubles.tell(UNWRITABLE, error)
        }
        looking = look()
      },
      { idle: true },
    )
  let looking = readOnly ? undefined : look()

  const bringIn = (statement: string) => {
    try {
      connection.exec(statement)
    } catch {
      // Nothing is lost that stays in the WAL.
    }
  }

  return {
    mark: seq => file.marker.write(seq),
    synced: () => file.disk.reach(),
    refuseVanished,
    refuseNewer,
    finishWal: () => bringIn(CHECKPOINT_WAL),
    close: () => {
      looking?.cancel()
      // The next process that opens the file would have to read it.
      if (hasUpkeep) bringIn(EMPTY_WAL)
      file.disk.close()
      file.marker.close()
    },
  }
}
