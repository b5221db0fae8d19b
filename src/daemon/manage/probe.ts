/** The ports `probe` and `ready`: what answers on the socket, asked once, and asked until it is the managed daemon. */
import { DAEMON_POLL_MS } from '../../contracts/limits.ts'
import { pause } from '../../runtime/clock.ts'
import type { Port } from '../../runtime/port.ts'
import { probeDaemon } from '../probe.ts'
import type { RequestState } from './request.ts'

export const probePort =
  (state: RequestState): Port =>
  async (_, { send }) => {
    const probed = await probeDaemon(state.paths, state.clock)
    state.probed = probed
    await send({ type: 'probe.answered', found: probed.found, pid: probed.owner?.pid ?? null })
  }

/** Until the managed daemon answers, or nobody waits for it any more. */
export const readyPort =
  (state: RequestState): Port =>
  async (_, { send, signal }) => {
    while (!signal.aborted) {
      const { found, owner } = await probeDaemon(state.paths, state.clock)
      if (found === 'managed' && owner) return void (await send({ type: 'daemon.ready', pid: owner.pid }))
      await pause(state.clock, DAEMON_POLL_MS, signal)
    }
  }
