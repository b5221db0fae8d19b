/** MCP over the standard streams: one client, until it closes stdin or a signal comes. stdout carries the protocol alone. */
import type { Readable, Writable } from 'node:stream'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { McpContext } from '../options.ts'
import { mcpServerFactory } from '../server.ts'
import { createStreamsTransport } from './transport.ts'

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
