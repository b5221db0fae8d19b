/** How a daemon takes its place: under the lifecycle lock, where nobody answers, with socket and metadata there at once. */
import type { Clock } from '../../runtime/clock.ts'
import { thisProcess } from '../../runtime/processes.ts'
import { prepareHome } from '../home.ts'
import { acquireLock, describeHolder, type Locked } from '../lock.ts'
import { holderOf } from '../lock-file.ts'
import { type Metadata, readMetadata, removeMetadata, writeMetadata } from '../metadata.ts'
import { liveOwner } from '../ownership.ts'
import { type DaemonPaths, socketPathProblem } from '../paths.ts'
import { lookAt } from '../probe.ts'
import {
  isInPlace,
  nameSocket,
  removeSocket,
  removeStaleSocket,
  type SocketFile,
  stampOf,
  sweepDrafts,
} from '../socket-file.ts'

export type Vacancy = { ok: true; locked: Extract<Locked, { kind: 'held' }> } | { ok: false; problem: string }

/** Whoever started this process may hold the lock for it, until it answers. */
const isHeldByParent = (paths: DaemonPaths): boolean => holderOf(paths.lock)?.pid === process.ppid

const lock = async (paths: DaemonPaths, clock: Clock): Promise<Locked> =>
  isHeldByParent(paths) ? { kind: 'held', release: () => {} } : acquireLock(paths.lock, { clock })

const occupied = async (paths: DaemonPaths, clock: Clock): Promise<string | undefined> => {
  const stamp = stampOf(paths.socket)
  const sight = await lookAt(paths.socket, { clock })
  switch (sight.kind) {
    case 'answered': {
      sight.link.close()
      const owner = liveOwner(paths.metadata)
      const isOurs = owner !== undefined && owner.instanceId === sight.instance
      return isOurs
        ? `the daemon runs already, as process ${owner.pid}`
        : `${paths.socket} belongs to a listener that svc did not start`
    }
    case 'mute':
      return `somebody listens on ${paths.socket} and does not answer`
    case 'unreachable':
      return `${paths.socket} cannot be looked at: ${sight.message}`
    case 'refused':
      return removeStaleSocket(paths.socket, stamp)
    default:
      return undefined
  }
}

/** Waits for the lock and looks who is there. With `ok`, the place is free for as long as the lock is held. */
export const findVacancy = async (paths: DaemonPaths, clock: Clock): Promise<Vacancy> => {
  const impossible = socketPathProblem(paths.socket) ?? prepareHome(paths)
  if (impossible) return { ok: false, problem: impossible }
  const locked = await lock(paths, clock)
  if (locked.kind !== 'held') {
    return { ok: false, problem: locked.kind === 'taken' ? describeHolder(locked.holder) : locked.message }
  }
  const problem = await occupied(paths, clock)
  if (!problem) {
    sweepDrafts(paths, clock.now())
    return { ok: true, locked }
  }
  locked.release()
  return { ok: false, problem }
}

export interface Place {
  isKept(): boolean
  /** Puts the metadata right when somebody has damaged it: without it the socket would be nobody's. */
  mend(): void
  leaveSocket(): void
  leaveMetadata(): void
}

export type Taken = { ok: true; place: Place } | { ok: false; problem: string }

/** In one task, so that no request can be answered before the metadata says by whom. */
export const takePlace = (paths: DaemonPaths, draft: string, metadata: Metadata & { instanceId: string }): Taken => {
  const named: SocketFile | { problem: string } = nameSocket(draft, paths.socket)
  if ('problem' in named) return { ok: false, problem: named.problem }
  try {
    writeMetadata(paths.metadata, metadata)
  } catch (error) {
    removeSocket(paths.socket, named)
    return { ok: false, problem: error instanceof Error ? error.message : String(error) }
  }
  const isKept = () => isInPlace(paths.socket, named)
  return {
    ok: true,
    place: {
      isKept,
      mend: () => {
        if (isKept() && readMetadata(paths.metadata)?.instanceId !== metadata.instanceId) {
          writeMetadata(paths.metadata, metadata)
        }
      },
      leaveSocket: () => removeSocket(paths.socket, named),
      leaveMetadata: () => removeMetadata(paths.metadata, metadata.instanceId),
    },
  }
}

export const metadataOf = (
  facts: Pick<Metadata, 'daemonKey' | 'cliEntryPath' | 'rawDeviceId' | 'reach' | 'startedAt'> & { instanceId: string },
) => {
  const { pid, started } = thisProcess()
  return { pid, ...facts, startTime: started }
}
