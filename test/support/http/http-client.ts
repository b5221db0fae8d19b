/** A client of real sockets for tests: whole answers, raw bytes, and streams of events. */
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { createParser } from 'eventsource-parser'
import { until } from '../until.ts'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** Parsed; undefined when it is not JSON. */
  json: unknown
}

export interface CallOptions {
  method?: string
  headers?: Record<string, string | string[]>
  /** Sent as JSON unless it is text or bytes. */
  body?: unknown
  socketPath?: string
}

const bytesOf = (body: unknown): Buffer | string | undefined =>
  body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const call = (url: string, options: CallOptions = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const body = bytesOf(options.body)
    const method = options.method ?? (body === undefined ? 'GET' : 'POST')
    const isChunked = options.headers?.['Transfer-Encoding'] !== undefined
    const length = body === undefined || isChunked ? {} : { 'Content-Length': Buffer.byteLength(body) }
    const json = body === undefined ? {} : { 'Content-Type': 'application/json', ...length }
    const sent = request(
      url,
      {
        method,
        agent: false,
        headers: { ...json, ...options.headers },
        ...(options.socketPath === undefined ? {} : { socketPath: options.socketPath }),
      },
      received => {
        const chunks: Buffer[] = []
        received.on('data', chunk => chunks.push(chunk))
        received.on('error', reject)
        received.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          resolve({ status: received.statusCode ?? 0, headers: received.headers, text, json: parsed(text) })
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })

export const codeOf = ({ json }: Answer): string | undefined =>
  (json as { error?: { code?: string } } | undefined)?.error?.code

export interface Wire {
  socket: Socket
  received(): string
  /** Resolves when the other side has ended the connection. */
  closed: Promise<void>
}

export const openWire = (port: number): Wire => {
  const chunks: Buffer[] = []
  const socket = connect(port, '127.0.0.1')
  socket.on('data', chunk => chunks.push(chunk))
  socket.on('error', () => {})
  const closed = new Promise<void>(resolve => socket.once('close', () => resolve()))
  return { socket, received: () => Buffer.concat(chunks).toString('latin1'), closed }
}

/** Sends bytes as they are and waits for the connection to end; what has come by then. */
export const rawCall = async (port: number, bytes: string | Buffer): Promise<string> => {
  const wire = openWire(port)
  wire.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  await wire.closed
  return wire.received()
}

export interface SseEvent {
  id: string | undefined
  event: string
  data: unknown
}

export interface EventReader {
  status: number
  headers: IncomingHttpHeaders
  events: SseEvent[]
  comments: string[]
  /** As it came, as far as it is kept. */
  text(): string
  isOver(): boolean
  /** Waits until so many events have come. */
  have(count: number): Promise<SseEvent[]>
  close(): void
  /** No longer reads from the socket. */
  stall(): void
  incoming: IncomingMessage
}

/** A slice of a text keeps all of it in memory. */
const copyOf = (text: string | undefined) => (text === undefined ? undefined : Buffer.from(text).toString())

/** Enough to look at how a stream begins. */
const TEXT_KEPT = 10_000

export const readEvents = (url: string, headers: Record<string, string> = {}): Promise<EventReader> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { agent: false, headers: { Accept: 'text/event-stream', ...headers } }, incoming => {
      const events: SseEvent[] = []
      const comments: string[] = []
      const parser = createParser({
        onEvent: ({ id, event, data }) =>
          void events.push({ id: copyOf(id), event: copyOf(event) ?? '', data: parsed(data) }),
        onComment: comment => void comments.push(comment),
      })
      let text = ''
      let over = false
      incoming.setEncoding('utf8')
      incoming.on('data', (chunk: string) => {
        text = (text + chunk).slice(0, TEXT_KEPT)
        parser.feed(chunk)
      })
      incoming.on('error', () => {})
      incoming.once('close', () => {
        over = true
      })
      resolve({
        status: incoming.statusCode ?? 0,
        headers: incoming.headers,
        events,
        comments,
        incoming,
        text: () => text,
        isOver: () => over,
        async have(count) {
          await until(() => events.length >= count, `${count} events, there are ${events.length}`)
          return events
        },
        close: () => sent.destroy(),
        stall: () => void incoming.pause(),
      })
    })
    sent.on('error', reject)
    sent.end()
  })
