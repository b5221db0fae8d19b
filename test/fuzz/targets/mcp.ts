/** MCP on the standard streams: lines, messages, and the server that answers them. */
import { PassThrough } from 'node:stream'
import { createLineReader } from '../../../src/surfaces/mcp/stdio/lines.ts'
import { readMessage } from '../../../src/surfaces/mcp/stdio/message.ts'
import { createMessageIdReader } from '../../../src/surfaces/mcp/stdio/message-id.ts'
import { serveMcpOnStdio } from '../../../src/surfaces/mcp/stdio/serve.ts'
import { mcpDeps } from '../../support/http/http-server.ts'
import { mutateBytes, oneOf } from '../mutate/bytes.ts'
import { mutateJson } from '../mutate/json.ts'
import { mutateLines } from '../mutate/pieces.ts'
import { expectSameInPieces, expectThat, stateless, type Target } from '../target.ts'

const call = (id: number | string, method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params })
const tool = (id: number, name: string, args: object) =>
  call(id, 'tools/call', { name, arguments: args, _meta: { progressToken: id } })

const HELLO = [
  call(0, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } }),
  JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
]
const CALLS = [
  [call(1, 'tools/list'), call(2, 'resources/list'), call('a', 'ping')],
  [tool(3, 'svc_list_devices', {}), tool(4, 'list_devices', {}), tool(5, 'execute', { actions: [] })],
  [
    call(6, 'resources/read', { uri: 'svc://devices' }),
    JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 6 } }),
  ],
  [call(7, 'prompts/list'), call(8, 'completion/complete', {}), JSON.stringify({ jsonrpc: '2.0', id: 9, result: {} })],
]

/** Most changes are in one message; the greeting stays right more often than not. */
const mutateMessages = mutateLines(mutateJson)

/** Small bounds reach the reading of what is too long. */
const LIMITS = { bytesMax: 200, endsWithin: 400 }

export const mcpLines: Target = {
  name: 'mcp-lines',
  seeds: [...CALLS.map(lines => lines.join('\n')), `${call(1, 'tools/list', { x: 'y'.repeat(500) })}\n`],
  mutate: oneOf(mutateMessages, mutateMessages, mutateBytes),
  open: stateless(input => {
    const lines = expectSameInPieces(input, pieces => {
      const reader = createLineReader({ bytesMax: LIMITS.bytesMax, endsWithin: Number.MAX_SAFE_INTEGER })
      const found: (string | object)[] = []
      for (const piece of pieces) {
        reader.push(piece)
        for (let line = reader.next(); line; line = reader.next())
          found.push(line.kind === 'complete' ? line.bytes.toString('hex') : { id: line.id })
      }
      return found
    })
    const bounded = createLineReader(LIMITS)
    bounded.push(input)
    while (bounded.next());
    const messages = lines.flatMap(line => (typeof line === 'string' ? [readMessage(Buffer.from(line, 'hex'))] : []))
    for (const line of lines) {
      if (typeof line !== 'string') continue
      const read = readMessage(Buffer.from(line, 'hex'))
      if (read.kind !== 'message' || !('id' in read.message)) continue
      const ids = createMessageIdReader()
      ids.write(Buffer.from(line, 'hex'))
      // A key in escapes is not seen by it; what it sees is right unless there are two.
      const isOnce =
        Buffer.from(line, 'hex')
          .toString()
          .split(/id"|\\u/).length === 2
      if (isOnce) expectThat(ids.id() === null || ids.id() === read.message.id, 'another id')
    }
    return messages.some(({ kind }) => kind === 'message') ? 'accepted' : 'refused'
  }),
}

const CONNECTION_MS = 200
const INTERNAL = -32_603

/** All that the server writes until it has been silent for a moment, or its client has gone. */
const answersTo = async (input: Buffer, notes: string[]): Promise<string[]> => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  let said = ''
  stdout.setEncoding('utf8').on('data', text => {
    said += text
  })
  const stop = new AbortController()
  const deps = mcpDeps({ note: text => void notes.push(text) })
  const served = serveMcpOnStdio(deps, { stdin, stdout, signal: stop.signal })
  stdin.end(input)
  const timer = setTimeout(() => stop.abort(), CONNECTION_MS)
  await served
  clearTimeout(timer)
  return said.split('\n').filter(line => line !== '')
}

export const mcpServer: Target = {
  name: 'mcp-server',
  seeds: CALLS.map(lines => `${[...HELLO, ...lines].join('\n')}\n`),
  mutate: oneOf(mutateMessages, mutateMessages, mutateMessages, mutateBytes),
  bytesMax: 16 * 1_024,
  open: stateless(async input => {
    const notes: string[] = []
    const answers = await answersTo(input, notes)
    let isAnswered = false
    for (const answer of answers) {
      const { jsonrpc, error, result } = JSON.parse(answer)
      expectThat(jsonrpc === '2.0', `no JSON-RPC: ${answer}`)
      // The SDK says so of params that do not fit, with the list of what is wrong.
      const isOfParams = String(error?.message).startsWith('[')
      expectThat(error?.code !== INTERNAL || isOfParams, `an internal error: ${answer.slice(0, 300)}`)
      expectThat(!/INTERNAL_ERROR/.test(JSON.stringify(result ?? '')), `an internal error: ${answer.slice(0, 500)}`)
      isAnswered ||= result !== undefined
    }
    return isAnswered ? 'accepted' : 'refused'
  }),
}
