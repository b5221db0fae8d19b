/** One HTTP request and its answer, over TCP or a Unix socket, with an end and with what is known when it fails. */
import { type ClientRequest, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { EXPECT_INSTANCE_HEADER } from '../contracts/doors/headers.ts'
import type { Outcome } from '../contracts/outcome.ts'
import type { Clock } from './clock.ts'
import { messageOf } from './message-of.ts'

/** Where one request goes: a Unix socket, or an origin with the path before every route. */
export interface Place {
  readonly socketPath?: string | undefined
  readonly url?: URL | undefined
  readonly headers: Readonly<Record<string, string>>
}

export interface Message {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export type Exchanged = Outcome<{ answer: Answered }, { reason: string }>

/** A connection that is not there by then never will be. */
const CONNECT_MS = 10_000
const ANSWER_BYTES_MAX = 256 * 1_024 * 1_024
const OTHER_INSTANCE = 412

export interface ExchangeOptions {
  clock: Clock
  /** How long the answer may take. */
  ms: number
  /** Aborted by a caller that gives the connection up. */
  leave?: AbortSignal | undefined
  /** With it, giving a request up that was sent ends this side of the connection only: an answer that was given before is heard for so many ms. */
  partingMs?: number | undefined
  /** Called once, before the first byte leaves. */
  onSending?: (() => void) | undefined
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

/** The request of Node for a message, with a connection of its own: one that is reused may be gone before it is written to. */
export const openRequest = ({ socketPath, url, headers }: Place, { method, path, body, ...message }: Message) => {
  const length =
    body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const common: RequestOptions = { method, agent: false, headers: { ...message.headers, ...headers, ...length } }
  if (url === undefined) return httpRequest({ ...common, socketPath, path })
  const { protocol, hostname, port, pathname } = url
  const options = {
    ...common,
    protocol,
    hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
    ...(port === '' ? {} : { port }),
    path: `${pathname.replace(/\/$/, '')}${path}`,
  }
  return protocol === 'https:' ? httpsRequest(options) : httpRequest(options)
}

/** Calls one of the two in the end: Node tells of an answer that changes the protocol by closing the connection alone. */
export const onAnswer = (
  sent: ClientRequest,
  answered: (incoming: IncomingMessage) => void,
  failed: (error: Error) => void,
): void => {
  let isAnswered = false
  sent.on('error', failed)
  sent.on('response', incoming => {
    isAnswered = true
    answered(incoming)
  })
  sent.on('close', () => {
    if (!isAnswered) failed(new Error('the connection was closed without an answer of HTTP'))
  })
}

/** Only a daemon is asked to be a certain one: from anything else the status is an answer like others. */
const isOtherInstance = ({ headers }: Place, status: number): boolean =>
  status === OTHER_INSTANCE && headers[EXPECT_INSTANCE_HEADER] !== undefined

export const exchange = (
  place: Place,
  message: Message,
  { clock, ms, leave, partingMs, onSending }: ExchangeOptions,
): Promise<Exchanged> =>
  new Promise(resolve => {
    if (leave?.aborted) return resolve({ kind: 'not sent', reason: 'the call was given up' })
    const sent = openRequest(place, message)
    let isSending = false
    let gaveUp: Error | undefined
    const part = (why: string) => {
      if (gaveUp !== undefined) return
      const error = new Error(why)
      gaveUp = error
      if (!isSending || partingMs === undefined) return void sent.destroy(error)
      // The server hears that its caller has left.
      sent.socket?.end()
      timers.push(clock.at(clock.now() + partingMs, () => sent.destroy(error)))
    }
    const give = () => part('the call was given up')
    const timers = [
      clock.at(clock.now() + ms, () => part(`no answer came within ${ms} ms`)),
      clock.at(clock.now() + CONNECT_MS, () => {
        if (!isSending) sent.destroy(new Error(`no connection within ${CONNECT_MS} ms`))
      }),
    ]
    const settle = (exchanged: Exchanged) => {
      for (const timer of timers) timer.cancel()
      leave?.removeEventListener('abort', give)
      resolve(exchanged)
    }
    const fail = (error: unknown) =>
      settle({ kind: isSending ? 'unknown' : 'not sent', reason: messageOf(gaveUp ?? error) })
    leave?.addEventListener('abort', give, { once: true })
    sent.on('socket', socket => {
      // Node writes nothing before: so far the request waits in this process.
      socket.once(place.url?.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        isSending = true
        onSending?.()
      })
    })
    const read = (incoming: IncomingMessage) => {
      const parts: Buffer[] = []
      let bytes = 0
      incoming.on('error', fail)
      incoming.on('data', (part: Buffer) => {
        bytes += part.length
        if (bytes > ANSWER_BYTES_MAX) incoming.destroy(new Error('the answer is too long'))
        else parts.push(part)
      })
      incoming.on('end', () => {
        const { statusCode: status = 0 } = incoming
        if (!incoming.complete) return fail(new Error('the answer was cut off'))
        if (isOtherInstance(place, status)) return settle({ kind: 'not sent', reason: 'the daemon was replaced' })
        settle({ kind: 'done', answer: { status, headers: headersOf(incoming), body: Buffer.concat(parts) } })
      })
      incoming.on('close', () => fail(new Error('the answer was cut off')))
    }
    onAnswer(sent, read, fail)
    sent.end(message.body)
  })
