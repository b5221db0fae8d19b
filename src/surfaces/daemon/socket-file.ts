/** The socket file of a daemon: put there in one step, and removed only by the daemon whose it is, or when nobody listens. */
import { linkSync, readdirSync, renameSync, rmSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { statOf } from '../../runtime/files/small-file.ts'
import { codeOf, messageOf } from '../../runtime/message-of.ts'
import type { DaemonPaths } from './paths.ts'

export interface SocketFile {
  inode: number
}

/**
 * The server binds here before the file gets its name. When it closes, Node deletes the path that it has bound, even if
 * another process owns it by then; nobody else uses this one. Shorter than any socket's name, so the limit holds.
 */
export const draftSocket = ({ directory }: DaemonPaths, instanceId: string): string =>
  join(directory, `.${instanceId.slice(0, 8)}.s`)

const DRAFT = /^\.[^.]{8}\.s$/
/** A draft gets its name within milliseconds. */
const DRAFT_OLD_MS = 60_000

/** Removes drafts of daemons that were killed before their socket got its name. */
export const sweepDrafts = ({ directory }: DaemonPaths, now: number): void => {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name)
    const found = DRAFT.test(name) ? statOf(path) : undefined
    if (found?.isSocket() && now - found.mtimeMs > DRAFT_OLD_MS) rmSync(path, { force: true })
  }
}

/** Why there can be no socket: something that svc never puts there is in the way, and stays. */
export const socketObstacle = (socket: string): string | undefined => {
  const found = statOf(socket)
  return found && !found.isSocket() ? `${socket} exists and is not a socket; remove it` : undefined
}

/** Tells a file from the next one at this place. The inode alone does not: that of a dead daemon is used again. */
export const stampOf = (socket: string): string | undefined => {
  const found = statOf(socket)
  return found && `${found.ino}:${found.ctimeMs}`
}

/** Only the holder of the lifecycle lock may call this, after a probe of the file with this stamp got no answer. */
export const removeStaleSocket = (socket: string, stamp: string | undefined): string | undefined => {
  const obstacle = socketObstacle(socket)
  if (obstacle) return obstacle
  try {
    if (stampOf(socket) === stamp) rmSync(socket, { force: true })
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

/** Moves a bound socket to its name, unless something is there. */
export const nameSocket = (draft: string, socket: string): SocketFile | { problem: string } => {
  try {
    try {
      linkSync(draft, socket)
      unlinkSync(draft)
    } catch (error) {
      // Some file systems have no hard links, or none to sockets.
      if (codeOf(error) === 'EEXIST' || statOf(socket)) throw error
      renameSync(draft, socket)
    }
    return { inode: statOf(socket)?.ino ?? 0 }
  } catch (error) {
    return { problem: messageOf(error) }
  }
}

/** False once the file has gone, or is another daemon's. */
export const isInPlace = (socket: string, { inode }: SocketFile): boolean => {
  const found = statOf(socket)
  return found?.isSocket() === true && found.ino === inode
}

export const removeSocket = (socket: string, file: SocketFile): void => {
  if (isInPlace(socket, file)) rmSync(socket, { force: true })
}
