/** One app behind a TCP port or a Unix socket: listening, and ending with no client able to make it hang. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { failure } from '../../contracts/failures/failures.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import type { OnRequest } from '../daemon/run/requests.ts'
import { type RefusalForm, refuseSocket } from './answer.ts'
import { CLIENT_LIMITS, type ClientLimits, createWatch } from './client-limits.ts'
import { openStreams } from './events/sse.ts'
import type { Guard } from './guard.ts'
import type { App } from './module.ts'
import { createRequestGate } from './request-gate.ts'
import { createUpgradeGate, type SocketEndpoint } from './upgrade-gate.ts'

export interface ListenerOptions {
  clock: Clock
  /** A line for a person or a log. */
  note: (text: string) => void
  clientLimits?: Partial<ClientLimits> | undefined
  /** Called before anything else is done with a request. */
  onRequest?: OnRequest | undefined
  /** Some targets are refused in another form than that of the API. */
  refusalForm?: RefusalForm | undefined
}

export interface Listening {
  server: Server
  /** Takes nothing new, ends the streams, lets answers in the making finish for so long, then ends every connection. */
  close(options: { graceMs: number }): Promise<void>
}

export type Listened = { ok: true; listening: Listening } | { ok: false; error: ErrorObject }

const KEEP_ALIVE_MS = 60_000
/** How often Node looks for requests that take too long. */
const CHECK_MS = 2_000
const HEADER_BYTES = 16 * 1_024
/** More of a target is not looked at in bytes that were not understood. */
const TARGET_BYTES = 2_048
const CONNECTIONS_MAX = 5_000

const GARBAGE: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: `The request line and the headers are larger than ${HEADER_BYTES} bytes.`,
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
}

const REASONS: Readonly<Record<string, { said: string; hint?: string }>> = {
  EADDRINUSE: { said: 'is in use', hint: 'Stop the process that listens there, or choose another port.' },
  EACCES: { said: 'is not permitted for this user', hint: 'Choose a port above 1023.' },
  EADDRNOTAVAIL: {
    said: 'is not an address of this machine',
    hint: 'Use an address of this machine, such as 127.0.0.1.',
  },
  ENOTFOUND: { said: 'is not an address of this machine', hint: 'Use an address of this machine, such as 127.0.0.1.' },
  EAI_AGAIN: { said: 'cannot be resolved' },
  ERR_SOCKET_BAD_PORT: { said: 'has no valid port', hint: 'A port must be an integer from 0 to 65535.' },
}

export const startFailed = (message: string, hint?: string): { ok: false; error: ErrorObject } => ({
  ok: false,
  error: failure('SERVE_START_FAILED', message, { hint }),
})

const whyNot = (where: string, error: unknown) => {
  const { code = '', message } = error as NodeJS.ErrnoException
  const { said: problem, hint } = REASONS[code] ?? { said: `cannot be listened on: ${message}` }
  return startFailed(`${where} ${problem}.`, hint)
}

const bind = (server: Server, where: { host: string; port: number } | { path: string }): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(where, () => {
      server.off('error', reject)
      resolve()
    })
  })

const serverOf = ({ headers, request }: ClientLimits) => {
  const server = createServer({
    headersTimeout: headers,
    requestTimeout: request,
    connectionsCheckingInterval: Math.min(CHECK_MS, headers, request),
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: HEADER_BYTES,
    // The operating system finds out when a peer has gone without closing.
    keepAlive: true,
    // The guard judges it, and answers in JSON.
    requireHostHeader: false,
  })
  server.maxConnections = CONNECTIONS_MAX
  return server
}

/** The target in the first line of bytes that were not understood, as far as they are there. */
const targetIn = ({ rawPacket }: NodeJS.ErrnoException & { rawPacket?: Buffer }): string | undefined =>
  /^[\w!#$%&'*+.^`|~-]+ +([^\s]+)/.exec(rawPacket?.subarray(0, TARGET_BYTES).toString('latin1') ?? '')?.[1]

/** With the headers that are set already: who answers is known before the body is sent. */
export const writeContinue = (outgoing: ServerResponse): void => {
  const headers = Object.entries(outgoing.getHeaders()).map(([name, value]) => `${name}: ${value}\r\n`)
  if (headers.length === 0 || !outgoing.socket) outgoing.writeContinue()
  else outgoing.socket.write(`HTTP/1.1 100 Continue\r\n${headers.join('')}\r\n`)
}

/** The handlers of a server. */
export interface Answering {
  app: App
  /** None on a Unix socket: the file system says who may connect. */
  guard: Guard | undefined
  /** Handles WebSocket connections; undefined when the server takes none. */
  endpoint?: SocketEndpoint | undefined
}

/** `answeringOn` is called once the server listens, for only then is the port known. */
export const listenOn = async (
  where: { host: string; port: number } | { path: string },
  { clock, note, clientLimits, onRequest, refusalForm }: ListenerOptions,
  answeringOn: (server: Server) => Answering,
): Promise<Listened> => {
  const wait = { ...CLIENT_LIMITS, ...clientLimits }
  const streams = openStreams()
  const sockets = new Set<Socket>()
  const watch = createWatch(clock, wait)
  const server = serverOf(wait)
  const named = 'path' in where ? where.path : `${where.host}:${where.port}`
  let closing: Promise<void> | undefined

  const garbage = (error: NodeJS.ErrnoException, socket: Socket) => {
    // A reply to bad bytes behind a request would look like the answer to that request.
    if (watch.isOwed(socket)) return
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
    const code = error.code === 'HPE_HEADER_OVERFLOW' ? 'PAYLOAD_TOO_LARGE' : 'INVALID_BODY'
    const message = GARBAGE[error.code ?? ''] ?? 'The bytes received are not a valid HTTP/1.1 request.'
    refuseSocket(socket, failure(code, message), clock, { target: targetIn(error), form: refusalForm })
  }

  const end = async (graceMs: number) => {
    const closed = new Promise<void>(resolve => server.close(() => resolve()))
    watch.lastAnswers(() => server.closeIdleConnections())
    streams.close()
    // Node does not count connections that never sent a request as idle.
    const busy = watch.busy()
    for (const socket of sockets) if (!busy.has(socket)) socket.destroy()
    const done = new AbortController()
    await Promise.race([closed, pause(clock, graceMs, done.signal)])
    done.abort()
    for (const socket of sockets) socket.destroy()
    await closed
    watch.close()
  }

  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('clientError', (error, socket) => garbage(error, socket as Socket))
  server.on('connect', (_, socket) =>
    refuseSocket(socket, failure('METHOD_NOT_ALLOWED', 'CONNECT is not supported: this server is not a proxy.'), clock),
  )
  try {
    await bind(server, where)
    const { app, guard, endpoint } = answeringOn(server)
    const gate = createRequestGate({ app, guard, streams, note, refusalForm })
    const take = (incoming: IncomingMessage, outgoing: ServerResponse, expects = false) => {
      if (onRequest?.(incoming, outgoing) === false) return
      if (expects) writeContinue(outgoing)
      watch.add(incoming, outgoing)
      if (closing !== undefined) outgoing.shouldKeepAlive = false
      gate(incoming, outgoing)
    }
    if (endpoint) {
      const upgrade = createUpgradeGate({ endpoint, server, guard, clock })
      server.on('upgrade', (incoming, socket, head) => upgrade(incoming, socket as Socket, head))
      streams.add(endpoint.close)
    }
    server.on('request', (incoming, outgoing) => take(incoming, outgoing))
    server.on('checkContinue', (incoming, outgoing) => take(incoming, outgoing, true))
    // With an Expect that nobody knows; it may be ignored, and the answer is JSON then.
    server.on('checkExpectation', (incoming, outgoing) => take(incoming, outgoing))
  } catch (error) {
    server.close()
    return whyNot(named, error)
  }
  server.on('error', error => note(`the server on ${named}: ${error.message}`))
  return {
    ok: true,
    listening: {
      server,
      close: ({ graceMs }) => {
        closing ??= end(graceMs)
        return closing
      },
    },
  }
}
