/** Looks at the journal's file and folder before SQLite does: replaced, removed, emptied, or not to be written. */
import { accessSync, constants, lstatSync, statSync } from 'node:fs'
import { attempt } from '../or-undefined.ts'
import { processesWithOpen, removedName } from '../processes/process-list.ts'
import { JournalError } from './fault.ts'

const sizeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.size

/** To be called before SQLite opens the file. Throws JournalError. */
export const refuseEmptied = (path: string): void => {
  // The log first: whoever makes the journal meanwhile makes the file before it.
  const hasWal = (sizeOf(`${path}-wal`) ?? 0) > 0
  if (!hasWal || sizeOf(path) !== 0) return
  throw new JournalError('truncated', 'The journal file is empty, but its write-ahead log is not')
}

/** accessSync returns undefined, and throws where it is refused. */
const canWrite = (folder: string): boolean =>
  attempt(() => [accessSync(folder, constants.W_OK | constants.X_OK)]) !== undefined

interface FolderProblem {
  reason: 'not-openable' | 'read-only'
  message: string
}

/** Undefined where the directory can be written, or is not there and can be created when needed. */
export const folderProblem = (folder: string): FolderProblem | undefined => {
  if (!attempt(() => lstatSync(folder))) return undefined
  const found = attempt(() => statSync(folder))
  if (!found) return { reason: 'not-openable', message: `${folder} is a link to a directory that does not exist` }
  if (!found.isDirectory()) return { reason: 'not-openable', message: `${folder} is not a directory` }
  if (canWrite(folder)) return undefined
  const user = process.getuid?.()
  const message =
    user === undefined || user === found.uid
      ? `${folder} cannot be written`
      : `${folder} belongs to user ${found.uid}, and user ${user} cannot write it`
  return { reason: 'read-only', message }
}

/** Tells two files apart that were at the same path; undefined when there is none. */
export const fileIdentity = (path: string): string | undefined => {
  const found = attempt(() => statSync(path))
  return found && `${found.dev}:${found.ino}`
}

/**
 * The other processes of this user that have the removed file open: they may own devices, and the leases that say so
 * are in that file.
 */
export const processesWithRemoved = (path: string): number[] => processesWithOpen(new Set([removedName(path)]))
