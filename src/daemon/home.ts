/** Checks that the directories of the daemons belong to this user alone. Says who is at work there. */

import { chmodSync, lstatSync } from 'node:fs'
import { HOME_MODE } from '../contracts/limits.ts'
import type { LockHolder } from '../runtime/lock-file.ts'
import { makeFolder } from '../runtime/make-folder.ts'
import { messageOf } from '../runtime/message-of.ts'
import type { DaemonPaths } from './paths.ts'

const MODE_OF_OTHERS = 0o077

/** Absent is not a problem. */
const directoryProblem = (path: string): string | undefined => {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return undefined
  if (found.isSymbolicLink()) return `${path} is a symbolic link`
  if (!found.isDirectory()) return `${path} is not a directory`
  const user = process.getuid?.()
  if (user !== undefined && found.uid !== user) return `${path} belongs to another user (${found.uid})`
  return undefined
}

const closeToOthers = (path: string) => {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found && found.mode & MODE_OF_OTHERS) chmodSync(path, HOME_MODE)
}

/** Why no daemon can be used here. Makes nothing, and never throws. */
export const homeProblem = ({ home, directory }: DaemonPaths): string | undefined => {
  try {
    const problem = directoryProblem(home) ?? directoryProblem(directory)
    if (!problem) closeToOthers(directory)
    return problem
  } catch (error) {
    return messageOf(error)
  }
}

/** Makes the directories that are missing, and says what is in the way. */
export const prepareHome = (paths: DaemonPaths): string | undefined => {
  const problem = homeProblem(paths)
  if (problem) return problem
  try {
    makeFolder(paths.directory, HOME_MODE)
  } catch (error) {
    return messageOf(error)
  }
  return homeProblem(paths)
}

export const describeHolder = (holder: LockHolder | undefined): string =>
  holder
    ? `process ${holder.pid} is starting or stopping this daemon`
    : 'another process is starting or stopping this daemon'
