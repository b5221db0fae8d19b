/**
 * Section Daemon rules: the key of a daemon, its files under `~/.svc/daemon/`, and the check that the directories
 * belong to this user alone.
 */

import { chmodSync, lstatSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { HOME_MODE, SOCKET_PATH_BYTES_MAX } from '../../contracts/limits/limits.ts'
import type { LockHolder } from '../../runtime/files/lock-file.ts'
import { makeFolder } from '../../runtime/files/make-folder.ts'
import { messageOf } from '../../runtime/message-of.ts'

const DEFAULT_KEY = 'default'

/** The metadata holds this form: empty for the default daemon. */
export const rawDeviceId = (device: string | undefined): string => (device?.trim() ? device : '')

/**
 * Derives the key from the raw `--device` value, before any device is looked at. Base64url keeps similar serials apart,
 * and fits into a file name whatever the serial holds.
 */
export const daemonKey = (device: string | undefined): string => {
  const raw = rawDeviceId(device)
  return raw === '' ? DEFAULT_KEY : `id-${Buffer.from(raw).toString('base64url')}`
}

export const daemonPaths = (home: string, device: string | undefined) => {
  /** `~/.svc`, or SVC_HOME; absolute. */
  const absolute = resolve(home)
  /** Holds the files of all daemons of this home. */
  const directory = join(absolute, 'daemon')
  const key = daemonKey(device)
  const file = (extension: string) => join(directory, `daemon-${key}.${extension}`)
  return {
    home: absolute,
    directory,
    key,
    socket: file('sock'),
    metadata: file('pid'),
    log: file('log'),
    lock: file('lock'),
  }
}

export type DaemonPaths = ReturnType<typeof daemonPaths>

/** Node silently truncates a longer path and would reach another daemon, so it is never bound or connected. */
export const socketPathProblem = (socket: string): string | undefined => {
  const bytes = Buffer.byteLength(socket)
  if (bytes <= SOCKET_PATH_BYTES_MAX) return undefined
  return `the socket path of this daemon has ${bytes} bytes, the maximum is ${SOCKET_PATH_BYTES_MAX}: ${socket}`
}

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
