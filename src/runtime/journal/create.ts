/** A new journal file, put in place whole: a process that opens the path finds all of the schema or no file. */
import { randomBytes } from 'node:crypto'
import { closeSync, constants, copyFileSync, linkSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { HOME_MODE, STATE_FILE_MODE } from '../../contracts/limits/limits.ts'
import { makeFolder } from '../files/make-folder.ts'
import { codeOf } from '../message-of.ts'
import { insertLeases, LEAST_FENCE, type LeaseRow } from '../ownership/sqlite.ts'
import { type Connection, connect } from './connection.ts'
import { asJournalError, JournalError } from './fault.ts'
import type { StoredReceipt } from './journal.ts'
import { insertLoss, type Loss } from './loss.ts'
import { sqliteReceipts } from './receipts.ts'
import { sqliteRecords } from './records.ts'
import { SCHEMA } from './schema.ts'
import { pack, sqliteBodies } from './stored-json.ts'

export interface Beginning {
  /** When it begins: from then on it shows whether a holder renews its lease. */
  at: number
  loss?: Loss | undefined
  /** Grants of an earlier file: their holders may be alive, and their fences must go on growing. */
  leases?: readonly LeaseRow[]
  /** Not all grants of the earlier file are known: every fence from now on is above this one. */
  fencesAbove?: number
  /** Receipts of the earlier file, oldest first. */
  receipts?: readonly StoredReceipt[]
}

const fill = (connection: Connection, { at, loss, leases = [], fencesAbove = 0, receipts = [] }: Beginning): void => {
  const least = fencesAbove > 0 ? [{ key: LEAST_FENCE, fence: fencesAbove, fact: null }] : []
  const rows = [...leases, ...least].map(row => ({ ...row, fence: Math.max(row.fence, fencesAbove) }))
  insertLeases(connection, rows, at)
  if (loss) insertLoss(sqliteRecords(connection), loss)
  const bodies = sqliteBodies(connection)
  const kept = sqliteReceipts(connection, bodies)
  for (const receipt of receipts) {
    const result = pack(receipt.result)
    bodies.keep(result)
    kept.keep(receipt, { result, at: receipt.settledAt ?? receipt.acceptedAt })
  }
}

/** Returns the path of the complete file. */
const build = (draft: string, beginning: Beginning | undefined): string => {
  closeSync(openSync(draft, 'wx', STATE_FILE_MODE))
  const connection = connect(draft)
  try {
    connection.exec(SCHEMA)
    if (!beginning) return draft
    connection.write(() => fill(connection, beginning))
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    connection.close()
  }
  // libsql closes a file on which statements were prepared only when they are collected: the journal is another file.
  copyFileSync(draft, `${draft}.copy`, constants.COPYFILE_EXCL)
  return `${draft}.copy`
}

const makeDirectory = (directory: string) => {
  try {
    makeFolder(directory, HOME_MODE)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    throw new JournalError('not-openable', `${directory} is not a directory`, { cause: error })
  }
}

/** Leaves the file of a process that was first. */
const place = (draft: string, path: string) => {
  try {
    linkSync(draft, path)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return
    // A file system without links: then a copy, which does not overwrite either.
    if (!['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'].includes(codeOf(error) ?? '')) throw error
    copyFileSync(draft, path, constants.COPYFILE_EXCL)
  }
}

const discard = (draft: string) => {
  try {
    for (const suffix of ['', '-wal', '-shm', '.copy']) rmSync(`${draft}${suffix}`, { force: true })
  } catch {
    // Nothing was made.
  }
}

/** `clear` removes the old files once the new file is complete: a full disk leaves everything as it was. */
export const createJournal = (path: string, beginning?: Beginning, clear: () => void = () => {}): void => {
  const draft = `${path}.${randomBytes(6).toString('hex')}.new`
  try {
    makeDirectory(dirname(path))
    const complete = build(draft, beginning)
    clear()
    place(complete, path)
  } catch (error) {
    throw asJournalError(error)
  } finally {
    discard(draft)
  }
}
