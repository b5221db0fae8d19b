/** The way to a server of this user over its Unix socket. */
import { request } from 'node:http'
import { EXPECT_INSTANCE_HEADER } from '../../contracts/doors/headers.ts'
import { failure } from '../../contracts/failures/failures.ts'
import { BODY_BYTES } from '../../contracts/limits/limits.ts'
import type { Clock } from '../../runtime/clock.ts'
import { codeOf, messageOf } from '../../runtime/message-of.ts'
import { requestTimeout } from '../deadline.ts'
import type { Transport } from '../remote.ts'
import { type HttpAnswer, type HttpRequest, requestOf, resultOf } from './http-message.ts'

interface SocketOptions {
  path: string
  /** The process that must be the one that answers. */
  instanceId: string
  clock: Clock
}

/** Lists of a server are no longer than what it may be sent. */
const ANSWER_BYTES_MAX = 64 * BODY_BYTES
const OTHER_INSTANCE = 412

const exchange = (
  { path: socketPath, instanceId, clock }: SocketOptions,
  { method, path, headers, body }: HttpRequest,
  { ms, signal }: { ms: number; signal: AbortSignal | undefined },
): Promise<HttpAnswer> =>
  new Promise((resolve, reject) => {
    const expected = { [EXPECT_INSTANCE_HEADER]: instanceId, 'content-length': String(body.length) }
    const sent = request({ socketPath, method, path, headers: { ...headers, ...expected }, agent: false, signal })
    const timer = clock.at(clock.now() + ms, () => sent.destroy(new Error(`no answer came within ${ms} ms`)))
    const end = (error: unknown) => {
      timer.cancel()
      reject(error)
    }
    sent.on('error', end)
    sent.on('response', incoming => {
      const parts: Buffer[] = []
      let bytes = 0
      incoming.on('error', end)
      incoming.on('data', (part: Buffer) => {
        bytes += part.length
        if (bytes > ANSWER_BYTES_MAX) incoming.destroy(new Error('the answer is too long'))
        else parts.push(part)
      })
      incoming.on('end', () => {
        timer.cancel()
        const answered = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])
        const { statusCode: status = 0 } = incoming
        resolve({ status, headers: Object.fromEntries(answered), body: Buffer.concat(parts) })
      })
    })
    sent.end(body)
  })

export const socketTransport = (options: SocketOptions): Transport => ({
  async send(id, input, { context, signal }) {
    const ms = requestTimeout(id, input as object)
    try {
      const answer = await exchange(options, requestOf(id, input as object, context), { ms, signal })
      if (answer.status === OTHER_INSTANCE) {
        const message = 'The daemon was replaced during the request; nothing was done.'
        const hint = 'Run the command again.'
        return { kind: 'not sent', error: failure('DAEMON_PROXY_ERROR', message, { hint }) }
      }
      return { kind: 'done', result: resultOf(id, input, answer, 'this machine') }
    } catch (thrown) {
      const message = `The daemon gave no answer: ${messageOf(thrown)}.`
      const hint = 'List what there is before you run the command again.'
      const isUnsent = ['ECONNREFUSED', 'ENOENT'].includes(codeOf(thrown) ?? '')
      return { kind: isUnsent ? 'not sent' : 'unknown', error: failure('DAEMON_PROXY_ERROR', message, { hint }) }
    }
  },
})
