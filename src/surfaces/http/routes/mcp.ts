/** /mcp: the Model Context Protocol as streamable HTTP. What it takes and answers is the protocol's; loaded when it is first asked. */
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import { failure } from '../../../contracts/failures/failures.ts'
import { BODY_BYTES } from '../../../contracts/limits/limits.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { once } from '../../../runtime/once.ts'
import type { McpHttp } from '../../mcp/http.ts'
import { refuse } from '../answer.ts'
import { leaving } from '../caller-left.ts'
import { mountDeclared } from '../declared-input.ts'
import type { OpenStreams } from '../events/sse.ts'
import type { HttpEnv, RouteModule } from '../module.ts'
import { readBodyBytes } from '../request-input.ts'

const REQUESTS = ['mcp.message', 'mcp.stream', 'mcp.end'] as const

const parseError = (): Response =>
  Response.json(
    { jsonrpc: '2.0', error: { code: -32_700, message: 'Parse error: the body is not JSON' }, id: null },
    { status: 400 },
  )

type Read = { ok: true; body: unknown } | { ok: false; response: Response }

const readMessage = async (incoming: IncomingMessage, clock: Clock): Promise<Read> => {
  const received = await readBodyBytes(incoming, clock)
  if (received.kind === 'too-large') {
    const error = failure('PAYLOAD_TOO_LARGE', `The body is larger than ${BODY_BYTES} bytes.`, {
      details: { limit: BODY_BYTES },
    })
    return { ok: false, response: refuse(error) }
  }
  if (received.kind === 'cut' || !isUtf8(received.bytes)) return { ok: false, response: parseError() }
  try {
    return { ok: true, body: JSON.parse(received.bytes.toString()) }
  } catch {
    return { ok: false, response: parseError() }
  }
}

export const mcpRoutes: RouteModule = {
  mount(app, parts) {
    const mcp = once(
      async (): Promise<McpHttp> =>
        (await import('../../mcp/http.ts')).createMcpHttp({ ...parts, operatorPackage: undefined }),
    )
    const known = new WeakSet<OpenStreams>()
    const answer = async (c: Context<HttpEnv>): Promise<Response> => {
      // Hono hands HEAD to the handler of GET, which would open the stream of a session.
      if (c.req.method === 'HEAD') return c.notFound()
      const { incoming, streams } = c.env
      const { method, url, headers } = c.req.raw
      // In this protocol a caller who has gone cancels its call.
      const signal = leaving(c.env)
      const read = method === 'POST' ? await readMessage(incoming, parts.clock) : { ok: true as const, body: undefined }
      if (!read.ok) return read.response
      const served = await mcp()
      if (!known.has(streams)) streams.add(served.endStreams)
      known.add(streams)
      return served.fetch(new Request(url, { method, headers, signal }), read.body)
    }
    for (const id of REQUESTS) mountDeclared(app, parts.clock, id, answer)
  },
}
