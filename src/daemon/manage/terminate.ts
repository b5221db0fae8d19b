/** The port `terminate`: the managed process is asked to end, or made to. A process that is not ours is never signalled. */
import type { TerminateInput } from '../../../machines/daemon-setup.ts'
import { pause } from '../../runtime/clock.ts'
import { messageOf } from '../../runtime/message-of.ts'
import type { Port } from '../../runtime/port.ts'
import { isRunning, type Owner, removeMetadata } from '../metadata.ts'
import { probeDaemon } from '../probe.ts'
import { removeStaleSocket } from '../socket-file.ts'
import type { RequestState } from './request.ts'

const POLL_MS = 20
/** How long a dead process may keep its socket. */
const CLEAN_MS = 1_000

/**
 * Probes until the socket is refused, or somebody else's. A process of several threads counts as dead with its first one;
 * the others may hold its files a moment longer, and connections are taken that nobody will answer.
 */
const probeLeft = async ({ paths, clock }: RequestState) => {
  const began = clock.elapsed()
  for (;;) {
    const probed = await probeDaemon(paths, clock)
    if (probed.found !== 'silent' || clock.elapsed() - began >= CLEAN_MS) return probed
    await pause(clock, POLL_MS)
  }
}

/** Removes the files of a killed daemon. A socket on which something answers belongs to somebody else by now. */
const cleanUp = async (owner: Owner, state: RequestState): Promise<string | undefined> => {
  const { paths } = state
  const { found, stamp } = await probeLeft(state)
  const problem = found === 'refused' ? removeStaleSocket(paths.socket, stamp) : undefined
  removeMetadata(paths.metadata, owner.instanceId)
  return problem
}

/** One signal, then the wait for the end of the process. How long that may take, and what follows, is the machine's. */
export const terminatePort =
  (state: RequestState): Port<TerminateInput> =>
  async ({ signal: name }, { send, signal }) => {
    const { clock, probed } = state
    const owner = probed?.owner
    const stuck = (message: string) => void send({ type: 'daemon.stuck', message })
    if (!owner) return stuck('the process that is to be ended is not known')
    try {
      // Looks once more who the pid belongs to: the probe may be a while ago.
      if (isRunning(owner)) process.kill(owner.pid, name)
      while (!signal.aborted && isRunning(owner)) await pause(clock, POLL_MS, signal)
      if (signal.aborted) return
      const problem = await cleanUp(owner, state)
      if (problem) return stuck(problem)
      state.probed = undefined
      await send({ type: 'daemon.stopped' })
    } catch (error) {
      stuck(`process ${owner.pid} cannot be ended: ${messageOf(error)}`)
    }
  }
