/** Names the problem of the journal's directory, where SQLite and the system only say that a file cannot be opened. */
import { accessSync, constants, lstatSync, statSync } from 'node:fs'
import { attempt } from '../attempt.ts'

/** accessSync returns undefined, and throws where it is refused. */
const canWrite = (folder: string): boolean =>
  attempt(() => [accessSync(folder, constants.W_OK | constants.X_OK)]) !== undefined

export interface FolderProblem {
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
