/** The log of a daemon: its standard output and error, kept to one file of 5 MB and the one before it. */
import { closeSync, copyFileSync, fstatSync, openSync, readSync, truncateSync } from 'node:fs'
import { DAEMON_LOG_BYTES, STATE_FILE_MODE } from '../../contracts/limits/limits.ts'
import { parseObject, statOf } from '../../runtime/files/small-file.ts'

const TAIL_BYTES = 4 * 1_024

/**
 * Copied and emptied, not renamed: a process that has the file open for appending (the daemon itself, as its standard error)
 * goes on in the empty one. Never throws: a log that cannot be rotated ends no daemon.
 */
export const rotateLog = (path: string, bytesMax = DAEMON_LOG_BYTES): boolean => {
  const found = statOf(path)
  if (!found?.isFile() || found.size <= bytesMax) return false
  try {
    copyFileSync(path, `${path}.1`)
    truncateSync(path, 0)
    return true
  } catch {
    return false
  }
}

/** Opens the log for appending, and returns the offset of the next output. Throws errors of the file system. */
export const openLog = (path: string): { fd: number; from: number } => {
  const found = statOf(path)
  if (found && !found.isFile()) throw new Error(`${path} is not a regular file`)
  rotateLog(path)
  const fd = openSync(path, 'a', STATE_FILE_MODE)
  return { fd, from: fstatSync(fd).size }
}

const tailOf = (path: string, from: number): string => {
  const fd = openSync(path, 'r')
  try {
    const { size } = fstatSync(fd)
    const start = Math.max(from, size - TAIL_BYTES)
    const bytes = Buffer.alloc(Math.max(0, size - start))
    return bytes.toString('utf8', 0, readSync(fd, bytes, 0, bytes.length, start))
  } finally {
    closeSync(fd)
  }
}

/** Reads the last words of a daemon that did not come up: the message of a printed failure, or the line as it is. */
export const lastWords = (path: string, from: number): string | undefined => {
  try {
    const line = tailOf(path, from).trimEnd().split('\n').at(-1)?.trim()
    const { message } = parseObject(line) ?? {}
    return typeof message === 'string' ? message : line || undefined
  } catch {
    return undefined
  }
}
