/** Replaces the content of a file in one step: a reader gets the old text or the new one, also after a crash. */
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { STATE_FILE_MODE } from '../../contracts/limits.ts'

const PERMISSIONS = 0o777

/** Resolves symbolic links, so that a link to the file stays one. The file itself need not exist. */
export const realFile = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

const modeOf = (path: string): number => {
  try {
    return statSync(path).mode & PERMISSIONS
  } catch {
    return STATE_FILE_MODE
  }
}

/** Not every system lets a folder be opened; then the rename is as durable as the system makes it. */
const syncFolder = (folder: string): void => {
  try {
    const opened = openSync(folder, 'r')
    try {
      fsyncSync(opened)
    } finally {
      closeSync(opened)
    }
  } catch {
    return
  }
}

/** To be called under a lock: the draft has one name, so that what a crash leaves behind is overwritten. */
export const replaceFile = (path: string, text: string): void => {
  const target = realFile(path)
  const draft = join(dirname(target), `.svc-${basename(target)}.draft`)
  rmSync(draft, { force: true })
  const file = openSync(draft, 'wx', STATE_FILE_MODE)
  try {
    fchmodSync(file, modeOf(target))
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(draft, target)
  syncFolder(dirname(target))
}
