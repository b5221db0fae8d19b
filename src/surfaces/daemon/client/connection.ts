/** One connection to a daemon's socket: requests one after the other, each wait with an end, nothing sent twice. */
import type { Socket } from 'node:net'
import type { Outcome } from '../../../contracts/outcome.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { type Answer, createReader, type Reader } from './response.ts'

export type Headers = Readonly<Record<string, string>>

export type DaemonExchange = Outcome<
  /** An answer of status 100 asks for the body, which is what the next exchange sends. */
  { answer: Answer },
  /** There was no connection. `code` is the system's. */
  { code: string; message: string },
  /** The connection ended, or made no sense, before the answer was complete; or nobody waits for that any more. */
  { reason: 'broken' | 'late' | 'interrupted'; message: string; headers: Headers }
>

export const CONTINUE = 100

export interface ExchangeOptions {
  /** How long the answer may take. */
  ms: number
  signal?: AbortSignal | undefined
}

export const requestHead = (first: string, headers: Headers): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${first} HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}\r\n`
}

export const getRequest = (path: '/ping' | '/version'): string => requestHead(`GET ${path}`, {})

/** The head of the last request of its connection; the body follows once the daemon has taken it. */
export const postHead = (path: string, bodyBytes: number, headers: Headers): string =>
  requestHead(`POST ${path}`, {
    'Content-Type': 'application/json',
    'Content-Length': String(bodyBytes),
    Connection: 'close',
    Expect: '100-continue',
    ...headers,
  })

export interface DaemonSocket extends Pick<Socket, 'destroyed' | 'writable' | 'readableEnded'> {
  on(event: 'connect' | 'close', listener: () => void): unknown
  on(event: 'data', listener: (chunk: Buffer) => void): unknown
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown
  write(bytes: string | Buffer): unknown
  destroy(): unknown
  unref(): unknown
}

export type Connect = (path: string) => DaemonSocket

/** Loaded with the first connection: a plan needs none, and `node:net` costs a sixth of a Node start. */
const connectSocket: Connect = path => process.getBuiltinModule('node:net').connect(path)

export const openConnection = (path: string, clock: Clock, connectTo: Connect = connectSocket) => {
  const socket = connectTo(path)
  let isConnected = false
  let failure: { code: string; message: string } | undefined
  let reader: Reader | undefined
  let isContinued = false
  let settle: ((exchanged: DaemonExchange) => void) | undefined

  const unknown = (reason: 'broken' | 'late' | 'interrupted', message: string): DaemonExchange => ({
    kind: 'unknown',
    reason,
    message,
    headers: reader?.head()?.headers ?? {},
  })
  const broken = (): DaemonExchange => {
    const { code = '', message = 'the connection was closed' } = failure ?? {}
    return isConnected ? unknown('broken', message) : { kind: 'not sent', code, message }
  }
  /** Reports the answer or `100 Continue` as soon as the bytes so far hold one. */
  const report = () => {
    const answer = reader?.answer()
    const interim = reader?.interim()
    if (answer) settle?.({ kind: 'done', answer })
    else if (interim?.status === CONTINUE && !isContinued) {
      isContinued = true
      settle?.({ kind: 'done', answer: { ...interim, body: Buffer.alloc(0) } })
    }
  }

  socket.on('connect', () => {
    isConnected = true
  })
  socket.on('data', chunk => {
    if (!reader || !settle) return void socket.destroy()
    if (reader.feed(chunk) === 'broken') {
      failure = { code: '', message: 'the answer is not an HTTP response' }
      settle(broken())
    } else report()
  })
  socket.on('error', (error: NodeJS.ErrnoException) => {
    failure = { code: error.code ?? '', message: error.message }
  })
  socket.on('close', () => {
    if (!failure) reader?.end()
    report()
    settle?.(broken())
  })

  return {
    /** True when a write can still reach the daemon. */
    isOpen: () => isConnected && !socket.destroyed && socket.writable && !socket.readableEnded,
    /** One at a time. */
    exchange: (bytes: string | Buffer, { ms, signal }: ExchangeOptions): Promise<DaemonExchange> =>
      new Promise(resolve => {
        if (socket.destroyed) return resolve(broken())
        const interrupt = () => settle?.(unknown('interrupted', 'the command was interrupted'))
        const timer = clock.at(clock.now() + ms, () => settle?.(unknown('late', `no answer within ${ms} ms`)))
        if (!isContinued) reader = createReader()
        settle = exchanged => {
          settle = undefined
          timer.cancel()
          signal?.removeEventListener('abort', interrupt)
          if (exchanged.kind !== 'done') socket.destroy()
          resolve(exchanged)
        }
        signal?.addEventListener('abort', interrupt, { once: true })
        if (signal?.aborted) return interrupt()
        socket.write(bytes)
      }),
    close: () => void socket.destroy(),
    /** Leaves the closing to the daemon, whose last answer this was: ending a socket costs a millisecond. */
    leave: () => void socket.unref(),
  }
}

export type Connection = ReturnType<typeof openConnection>
