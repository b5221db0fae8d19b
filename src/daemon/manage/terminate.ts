/** The port `terminate`: the managed process is asked to end, then made to. A process that is not ours is never signalled. */
import { DAEMON_REPLACE_MS, DAEMON_STOP_MS } from '../../contracts/limits.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import type { Port } from '../../runtime/port.ts'
import { removeMetadata } from '../metadata.ts'
import { isRunning, type Owner } from '../ownership.ts'
import type { DaemonPaths } from '../paths.ts'
import { lookAt } from '../probe.ts'
import { END, KILL, RETIRE } from '../signals.ts'
import { removeStaleSocket, stampOf } from '../socket-file.ts'
import type { Errand } from './request.ts'

const POLL_MS = 20
/** What is left of the 2000 ms then is for the daemon to record what it had to give up. */
const HURRY_AFTER_MS = 1_500
/** SIGKILL takes effect when the kernel gets to it; a process that waits for a disk may take longer than this. */
const KILLED_MS = 1_000

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const isGone = async (owner: Owner, ms: number, clock: Clock): Promise<boolean> => {
  const began = clock.elapsed()
  while (isRunning(owner)) {
    if (clock.elapsed() - began >= ms) return false
    await pause(clock, POLL_MS)
  }
  return true
}

/** Looks once more who the pid belongs to: what was found may be a while ago. Throws what the system says. */
const signalOwner = (owner: Owner, signal: NodeJS.Signals): void => {
  if (isRunning(owner)) process.kill(owner.pid, signal)
}

/** True once the process has gone. */
const end = async (owner: Owner, clock: Clock): Promise<boolean> => {
  signalOwner(owner, END)
  if (await isGone(owner, HURRY_AFTER_MS, clock)) return true
  signalOwner(owner, RETIRE)
  if (await isGone(owner, DAEMON_STOP_MS - HURRY_AFTER_MS, clock)) return true
  signalOwner(owner, KILL)
  return isGone(owner, KILLED_MS, clock)
}

/** For the daemon of another build: it ends itself between two executions, never under one. */
const retire = async (owner: Owner, clock: Clock): Promise<boolean> => {
  signalOwner(owner, RETIRE)
  return isGone(owner, DAEMON_REPLACE_MS, clock)
}

/**
 * Looks until the socket is refused, or somebody else's. A process of several threads counts as dead with its first one;
 * the others may hold its files a moment longer, and connections are taken that nobody will answer.
 */
const lookAtRest = async (socket: string, clock: Clock) => {
  const began = clock.elapsed()
  for (;;) {
    const stamp = stampOf(socket)
    const sight = await lookAt(socket, { clock })
    if (sight.kind === 'answered') sight.link.close()
    if (sight.kind !== 'mute' || clock.elapsed() - began >= KILLED_MS) return { stamp, sight }
    await pause(clock, POLL_MS)
  }
}

/** What a killed daemon leaves behind. A socket on which somebody answers is somebody else's by now. */
const cleanUp = async (owner: Owner, paths: DaemonPaths, clock: Clock): Promise<string | undefined> => {
  const { stamp, sight } = await lookAtRest(paths.socket, clock)
  const problem = sight.kind === 'refused' ? removeStaleSocket(paths.socket, stamp) : undefined
  removeMetadata(paths.metadata, owner.instanceId)
  return problem
}

export const terminatePort =
  (errand: Errand): Port =>
  async (_, { send }) => {
    const { ask, clock, paths, found } = errand
    const owner = found?.owner
    const stuck = (message: string) => void send({ type: 'daemon.stuck', message })
    if (!owner) return stuck('the process that is to be ended is not known')
    try {
      if (ask === 'differed') {
        if (!(await retire(owner, clock))) return stuck(`the daemon of another build (process ${owner.pid}) is at work`)
      } else if (!(await end(owner, clock))) return stuck(`process ${owner.pid} is still there after SIGKILL`)
      const problem = await cleanUp(owner, paths, clock)
      if (problem) return stuck(problem)
      // What was seen of it is no longer so.
      errand.found = undefined
      send({ type: 'daemon.stopped' })
    } catch (error) {
      stuck(`process ${owner.pid} cannot be ended: ${messageOf(error)}`)
    }
  }
