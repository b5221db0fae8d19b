/** Makes a folder with those around it that are missing. */
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** Another process may have been quicker. */
const makeOne = (path: string, mode: number): void => {
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder(path)) throw error
  }
}

/**
 * Not Node's own `recursive`: under `/proc`, where a folder can be missing and not be made, that one never returns, and
 * the process heeds no signal.
 */
export const makeFolder = (path: string, mode: number): void => {
  if (isFolder(path)) return
  const parent = dirname(path)
  if (parent !== path) makeFolder(parent, mode)
  makeOne(path, mode)
}
