/** Section Daemon rules: the key of a daemon, and its files under `~/.svc/daemon/`. */
import { join, resolve } from 'node:path'
import { SOCKET_PATH_BYTES_MAX } from '../contracts/limits.ts'

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
