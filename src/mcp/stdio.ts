/** MCP over the standard streams: one client, until it closes stdin or a signal comes. stdout carries the protocol alone. */
import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { McpDeps } from './deps.ts'
import { mcpServerFactory } from './server.ts'

export interface StdioOptions {
  stdin: Readable
  stdout: Writable
  /** Aborted by a signal. */
  signal: AbortSignal
}

/** What a client can put into one message: the body of an HTTP request may have less. */
const MESSAGE_BYTES_MAX = 1_024 * 1_024

/** Resolves when the client has gone, or the signal has come. What runs then is cancelled. */
export const serveMcpOnStdio = async (deps: McpDeps, { stdin, stdout, signal }: StdioOptions): Promise<void> => {
  const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize: MESSAGE_BYTES_MAX })
  const ended = new Promise<void>(resolve => {
    stdin.once('end', resolve).once('close', resolve)
    stdout.once('close', resolve).once('error', () => resolve())
    signal.addEventListener('abort', () => resolve(), { once: true })
    if (signal.aborted) resolve()
  })
  const handle = serveStdio(mcpServerFactory(deps), {
    transport,
    onerror: error => deps.note(`MCP: ${error.message}`),
  })
  await ended
  await handle.close()
}
