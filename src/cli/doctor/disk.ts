/** `svc doctor` on the disk under the home: how much is free, and whether a file can be written and synced. */
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DISK_FREE_LEAST, STATE_FILE_MODE } from '../../contracts/limits.ts'
import { journalPath } from '../../runtime/home.ts'
import { asJournalError } from '../../runtime/journal/fault.ts'
import { folderProblem } from '../../runtime/journal/file-problems.ts'
import { type Check, failed, fine, warning } from './check.ts'
import { existing } from './host.ts'

const TRIAL_BYTES = 65_536

/** A few pages, as one record takes them: a file system may report room that it does not give. */
const tryWriting = (folder: string): void => {
  const trial = join(folder, `.svc-doctor-${randomBytes(6).toString('hex')}`)
  const file = openSync(trial, 'wx', STATE_FILE_MODE)
  try {
    let left = TRIAL_BYTES
    while (left > 0) left -= writeSync(file, Buffer.alloc(left))
    fsyncSync(file)
  } finally {
    closeSync(file)
    rmSync(trial, { force: true })
  }
}

const FREE = { hint: 'Free space on that disk, or set SVC_HOME to a directory on another disk.' }

const mebibytes = (bytes: number) => `${Math.floor(bytes / 2 ** 20)} MiB`

export const checkDisk = (home: string): Check => {
  let folder = dirname(journalPath(home))
  try {
    folder = existing(folder)
    const { bavail, bsize, files, ffree } = statfsSync(folder)
    const bytes = bavail * bsize
    // Some file systems do not count files.
    const inodes = files > 0 ? ffree : undefined
    const details = { folder, freeBytes: bytes, ...(inodes === undefined ? {} : { freeInodes: inodes }) }
    try {
      tryWriting(folder)
    } catch (error) {
      const { reason, message, hint } = asJournalError(error)
      if (reason === 'full') return failed('disk', `the disk of ${folder} is full: ${message}`, { ...FREE, details })
      return failed('disk', folderProblem(folder)?.message ?? `${folder} cannot be written: ${message}`, {
        details,
        hint,
      })
    }
    if (bytes < DISK_FREE_LEAST.bytes) {
      return warning('disk', `the disk of ${folder} has ${mebibytes(bytes)} left`, { ...FREE, details })
    }
    if (inodes !== undefined && inodes < DISK_FREE_LEAST.inodes) {
      return warning('disk', `the disk of ${folder} has room for ${inodes} more files`, { ...FREE, details })
    }
    return fine('disk', `${mebibytes(bytes)} are free`, { details })
  } catch (error) {
    const { message, hint } = asJournalError(error)
    return failed('disk', `${folder} cannot be used: ${message}`, { hint })
  }
}
