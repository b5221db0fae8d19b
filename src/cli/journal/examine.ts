/** Examines a journal for `svc doctor` and `svc journal repair`. */
import { lstatSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Clock } from '../../runtime/clock.ts'
import { type Checked, checkJournal } from '../../runtime/journal/check.ts'
import { JournalError } from '../../runtime/journal/fault.ts'
import { folderProblem } from '../../runtime/journal/folder-problem.ts'

export type Examined =
  | { state: 'absent' }
  | ({ state: 'in order' } & Checked)
  | { state: 'faulty'; error: JournalError }

const isThere = (path: string): boolean => {
  try {
    lstatSync(path)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}

/** Nothing is there, and nothing is in the way of a new journal. */
const isAbsent = (path: string): boolean =>
  !isThere(path) && !isThere(`${path}-wal`) && folderProblem(dirname(path)) === undefined

/** Looking does not make a journal where there is none. */
export const examineJournal = (options: { path: string; clock: Clock }): Examined => {
  const { path } = options
  try {
    if (isAbsent(path)) return { state: 'absent' }
    return { state: 'in order', ...checkJournal(options) }
  } catch (error) {
    if (error instanceof JournalError) return { state: 'faulty', error }
    throw error
  }
}
