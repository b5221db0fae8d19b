/** MCP over the standard streams: one client, until it closes stdin or a signal comes. stdout carries the protocol alone. */

import type { Readable, Writable } from 'node:stream'
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { MCP_STDIO } from '../../../contracts/limits/mcp-limits.ts'
import type { Clock, Timer } from '../../../runtime/clock.ts'
import { idInWork } from '../open-calls.ts'
import type { McpContext } from '../options.ts'
import { mcpServerFactory } from '../server.ts'
import { createLineReader, type Line } from './lines.ts'
import { type MessageProblem, messageProblem, type ReadMessage, readMessage } from './message.ts'

/** Lasts as long as the connection, and so is no work. */
const SUBSCRIPTION = 'subscriptions/listen'
const CANCELLED = 'notifications/cancelled'
const PROGRESS = 'notifications/progress'

const readLine = (line: Line): ReadMessage =>
  line.kind === 'complete'
    ? readMessage(line.bytes)
    : messageProblem(`Invalid request: a message must be at most ${MCP_STDIO.messageBytes} bytes long.`, line.id)

const cancelledId = (message: JSONRPCMessage): RequestId | undefined =>
  isJSONRPCNotification(message) && message.method === CANCELLED
    ? (message.params as { requestId?: RequestId } | undefined)?.requestId
    : undefined

export interface StreamsOptions {
  stdin: Readable
  stdout: Writable
  clock: Clock
  note(text: string): void
  /** The client has not read anything for `MCP_STDIO.stalledMs` although there is much to read. */
  onStalled(): void
}

const createStreamsTransport = ({ stdin, stdout, clock, note, onStalled }: StreamsOptions): Transport => {
  const lines = createLineReader({ bytesMax: MCP_STDIO.messageBytes, endsWithin: MCP_STDIO.lineEndsWithinBytes })
  /** Requests that have no answer yet. */
  const inWork = new Set<RequestId>()
  let isClosed = false
  let stalled: Timer | undefined

  const isUnread = () => stdout.writableLength >= MCP_STDIO.unreadBytes
  /** A client that takes no answers, or waits for very many, is not read on. */
  const isFull = () => inWork.size >= MCP_STDIO.requestsInWork || isUnread()

  /** The end of stdin is not seen while it is not read: a client that stays away ends by time. */
  const watchReader = () => {
    if (isUnread() && !isClosed) {
      stalled ??= clock.at(clock.now() + MCP_STDIO.stalledMs, onStalled, { idle: true })
    }
  }

  const write = (message: unknown): Promise<void> =>
    new Promise((resolve, reject) => {
      stdout.write(`${JSON.stringify(message)}\n`, error => {
        if (error) reject(error)
        else resolve()
        stalled?.cancel()
        stalled = undefined
        watchReader()
        pump()
      })
      watchReader()
    })

  const refuse = ({ code, message, id }: MessageProblem) => {
    note(`MCP: a message was refused: ${message}`)
    write({ jsonrpc: '2.0', id, error: { code, message } }).catch((error: Error) => transport.onerror?.(error))
  }

  const deliver = (message: JSONRPCMessage) => {
    if (isJSONRPCRequest(message)) {
      if (inWork.has(message.id)) {
        refuse(messageProblem(idInWork(message.id), message.id).problem)
        return
      }
      if (message.method !== SUBSCRIPTION) inWork.add(message.id)
    }
    const cancelled = cancelledId(message)
    // A request that was cancelled gets no answer.
    if (cancelled !== undefined) inWork.delete(cancelled)
    transport.onmessage?.(message)
  }

  const pump = () => {
    while (!isClosed && !isFull()) {
      const line = lines.next()
      if (!line) {
        stdin.resume()
        return
      }
      const read = readLine(line)
      if (read.kind === 'message') deliver(read.message)
      else if (read.kind === 'problem') refuse(read.problem)
      else if (read.note !== undefined) note(`MCP: ${read.note}`)
    }
    if (!isClosed) stdin.pause()
  }

  const take = (chunk: Buffer) => {
    lines.push(chunk)
    pump()
  }

  const transport: Transport = {
    async start() {
      stdin.on('data', take)
    },
    async send(message) {
      if (isClosed) throw new Error('The client has gone.')
      if ('id' in message && !('method' in message) && message.id !== undefined) inWork.delete(message.id)
      // Answers are owed to the client, progress is not.
      const mayBeDropped = 'method' in message && message.method === PROGRESS
      if (mayBeDropped && isUnread()) return
      await write(message)
    },
    async close() {
      if (isClosed) return
      isClosed = true
      stalled?.cancel()
      stdin.off('data', take)
      stdin.pause()
      transport.onclose?.()
    },
  }
  return transport
}

export interface StdioOptions {
  stdin: Readable
  stdout: Writable
  /** Aborted by a signal. */
  signal: AbortSignal
}

/** Resolves when the client has gone, or the signal has come. What runs then is cancelled. */
export const serveMcpOnStdio = async (deps: McpContext, { stdin, stdout, signal }: StdioOptions): Promise<void> => {
  const stalled = new AbortController()
  const onStalled = () => {
    deps.note('MCP: the client has stopped reading its answers, so the connection is closed')
    stalled.abort()
  }
  const ended = new Promise<void>(resolve => {
    stalled.signal.addEventListener('abort', () => resolve(), { once: true })
    stdin
      .once('end', resolve)
      .once('close', resolve)
      .once('error', () => resolve())
    // Each answer that is still to be written fails as well once the client reads no more.
    stdout.once('close', resolve).on('error', () => resolve())
    signal.addEventListener('abort', () => resolve(), { once: true })
    if (signal.aborted) resolve()
  })
  const handle = serveStdio(mcpServerFactory(deps), {
    transport: createStreamsTransport({ stdin, stdout, clock: deps.clock, note: deps.note, onStalled }),
    onerror: error => deps.note(`MCP: ${error.message}`),
  })
  await ended
  await handle.close()
}
