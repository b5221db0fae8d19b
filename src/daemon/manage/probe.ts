/** The ports `probe` and `ready`: who answers on the socket, and which live process the metadata names. */
import { DAEMON_POLL_MS } from '../../contracts/limits.ts'
import { pause } from '../../runtime/clock.ts'
import type { Port } from '../../runtime/port.ts'
import { liveOwner } from '../metadata.ts'
import { socketPathProblem } from '../paths.ts'
import { probeSocket } from '../probe.ts'
import { stampOf } from '../socket-file.ts'
import type { ProbeResult, RequestState } from './request.ts'

export const probeDaemon = async ({ paths, clock }: Pick<RequestState, 'paths' | 'clock'>): Promise<ProbeResult> => {
  const stamp = stampOf(paths.socket)
  if (socketPathProblem(paths.socket)) return { found: 'absent', stamp, owner: liveOwner(paths.metadata) }
  const probed = await probeSocket(paths.socket, { clock })
  // Read after the answer, so that it is not that of a predecessor.
  const owner = liveOwner(paths.metadata)
  if (probed.kind !== 'answered') return { found: probed.kind, stamp, owner }
  return { found: owner && owner.instanceId === probed.instance ? 'managed' : 'foreign', stamp, owner }
}

export const probePort =
  (state: RequestState): Port =>
  async (_, { send }) => {
    const probed = await probeDaemon(state)
    state.probed = probed
    await send({ type: 'probe.answered', found: probed.found, pid: probed.owner?.pid ?? null })
  }

/** Until the managed daemon answers, or nobody waits for it any more. */
export const readyPort =
  (state: RequestState): Port =>
  async (_, { send, signal }) => {
    while (!signal.aborted) {
      const { found, owner } = await probeDaemon(state)
      if (found === 'managed' && owner) return void (await send({ type: 'daemon.ready', pid: owner.pid }))
      await pause(state.clock, DAEMON_POLL_MS, signal)
    }
  }
