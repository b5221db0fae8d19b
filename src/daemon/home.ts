/** Whether the files of daemons may be where they would be: in directories of this user and of nobody else. */
import { chmodSync, lstatSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { HOME_MODE } from '../contracts/limits.ts'
import type { DaemonPaths } from './paths.ts'

const MODE_OF_OTHERS = 0o077

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Absent is no problem. */
const directoryProblem = (path: string): string | undefined => {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return undefined
  if (found.isSymbolicLink()) return `${path} is a symbolic link`
  if (!found.isDirectory()) return `${path} is no directory`
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

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code

/** Not `recursive`: where the parent is there and the child cannot be, as in /proc, that of Node 20 never returns. */
const makeDirectory = (path: string, mayTryAgain = true): void => {
  try {
    mkdirSync(path, { mode: HOME_MODE })
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return
    if (codeOf(error) !== 'ENOENT' || !mayTryAgain || dirname(path) === path) throw error
    makeDirectory(dirname(path))
    makeDirectory(path, false)
  }
}

/** Makes the directories where they are missing. What is in the way stays there, and is the answer. */
export const prepareHome = (paths: DaemonPaths): string | undefined => {
  const problem = homeProblem(paths)
  if (problem) return problem
  try {
    makeDirectory(paths.directory)
  } catch (error) {
    return messageOf(error)
  }
  return homeProblem(paths)
}
