/** How a daemon becomes known: under the lifecycle lock, where nobody answers, with socket and metadata there at once. */

import type { Clock } from '../../../runtime/clock.ts'
import { acquireLock, holderOf, type LockAttempt } from '../../../runtime/files/lock-file.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import { thisProcess } from '../../../runtime/processes/processes.ts'
import { type Metadata, readMetadata, removeMetadata, writeMetadata } from '../identity.ts'
import { type DaemonPaths, describeHolder, prepareHome, socketPathProblem } from '../paths.ts'
import { probeDaemon } from '../probe.ts'
import { isInPlace, nameSocket, removeSocket, removeStaleSocket, type SocketFile, sweepDrafts } from '../socket-file.ts'

export type SocketClaim = { ok: true; locked: Extract<LockAttempt, { kind: 'held' }> } | { ok: false; problem: string }

/** The process that started this one may hold the lock for it, until it answers. */
const isHeldByParent = (paths: DaemonPaths): boolean => holderOf(paths.lock)?.pid === process.ppid

const lock = async (paths: DaemonPaths, clock: Clock): Promise<LockAttempt> =>
  isHeldByParent(paths) ? { kind: 'held', release: () => {} } : acquireLock(paths.lock, { clock })

const occupant = async (paths: DaemonPaths, clock: Clock): Promise<string | undefined> => {
  const { found, message, stamp, owner } = await probeDaemon(paths, clock)
  switch (found) {
    case 'managed':
      return `the daemon is already running as process ${owner?.pid}`
    case 'foreign':
      return `${paths.socket} belongs to a listener that svc did not start`
    case 'silent':
      return `a process listens on ${paths.socket} and does not answer`
    case 'unreachable':
      return `${paths.socket} cannot be probed: ${message}`
    case 'refused':
      return removeStaleSocket(paths.socket, stamp)
    default:
      return undefined
  }
}

/** Waits for the lock and looks who is there. With `ok`, the place is free for as long as the lock is held. */
export const claimSocket = async (paths: DaemonPaths, clock: Clock): Promise<SocketClaim> => {
  const impossible = socketPathProblem(paths.socket) ?? prepareHome(paths)
  if (impossible) return { ok: false, problem: impossible }
  const locked = await lock(paths, clock)
  if (locked.kind !== 'held') {
    return { ok: false, problem: locked.kind === 'taken' ? describeHolder(locked.holder) : locked.message }
  }
  const problem = await occupant(paths, clock)
  if (!problem) {
    sweepDrafts(paths, clock.now())
    return { ok: true, locked }
  }
  locked.release()
  return { ok: false, problem }
}

export interface Published {
  isInPlace(): boolean
  /** Puts the metadata right when somebody has damaged it: without it the socket would be nobody's. */
  repair(): void
  removeSocket(): void
  removeMetadata(): void
}

export type PublishResult = { ok: true; published: Published } | { ok: false; problem: string }

/** In one task, so that no request can be answered before the metadata says by whom. */
export const publish = (
  paths: DaemonPaths,
  draft: string,
  metadata: Metadata & { instanceId: string },
): PublishResult => {
  const named: SocketFile | { problem: string } = nameSocket(draft, paths.socket)
  if ('problem' in named) return { ok: false, problem: named.problem }
  try {
    writeMetadata(paths.metadata, metadata)
  } catch (error) {
    removeSocket(paths.socket, named)
    return { ok: false, problem: messageOf(error) }
  }
  const isPublished = () => isInPlace(paths.socket, named)
  return {
    ok: true,
    published: {
      isInPlace: isPublished,
      repair: () => {
        if (isPublished() && readMetadata(paths.metadata)?.instanceId !== metadata.instanceId) {
          writeMetadata(paths.metadata, metadata)
        }
      },
      removeSocket: () => removeSocket(paths.socket, named),
      removeMetadata: () => removeMetadata(paths.metadata, metadata.instanceId),
    },
  }
}

export const metadataOf = (
  facts: Pick<Metadata, 'daemonKey' | 'cliEntryPath' | 'rawDeviceId' | 'environment' | 'startedAt'> & {
    instanceId: string
  },
) => {
  const { pid, started } = thisProcess()
  return { pid, ...facts, startTime: started }
}
