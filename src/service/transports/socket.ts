/** The way to a server of this user over its Unix socket. */
import { EXPECT_INSTANCE_HEADER } from '../../contracts/doors/headers.ts'
import { failure } from '../../contracts/failures/failures.ts'
import type { Clock } from '../../runtime/clock.ts'
import { exchange } from '../../runtime/http-exchange.ts'
import { requestTimeout } from '../deadline.ts'
import type { Transport } from '../remote.ts'
import { requestOf, resultOf } from './http-message.ts'

interface SocketOptions {
  path: string
  /** The process that must be the one that answers. */
  instanceId: string
  clock: Clock
}

export const socketTransport = ({ path: socketPath, instanceId, clock }: SocketOptions): Transport => ({
  async send(id, input, { context, signal }) {
    const place = { socketPath, headers: { [EXPECT_INSTANCE_HEADER]: instanceId } }
    const ms = requestTimeout(id, input as object)
    const exchanged = await exchange(place, requestOf(id, input as object, context), { clock, ms, leave: signal })
    if (exchanged.kind === 'done') {
      return { kind: 'done', result: resultOf(id, input, exchanged.answer, 'this machine') }
    }
    const { kind, reason } = exchanged
    const message = `The daemon gave no answer: ${reason}.`
    const hint =
      kind === 'not sent'
        ? 'Nothing was done; run the command again.'
        : 'List what there is before you run the command again.'
    return { kind, error: failure('DAEMON_PROXY_ERROR', message, { hint }) }
  },
})
