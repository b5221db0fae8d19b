/** MCP over HTTP, in both eras: single requests of the current one, and bounded sessions for clients that begin with `initialize`. */
import { randomUUID } from 'node:crypto'
import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  type JSONRPCMessage,
  type RequestId,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { MCP_RETRY_MS, MCP_SESSION_IDLE_MS, MCP_SESSIONS_MAX } from '../../contracts/limits/mcp-limits.ts'
import type { Timer } from '../../runtime/clock.ts'
import { BATCH_REFUSED, createOpenCalls, INVALID_REQUEST, idInWork, type OpenCalls } from './open-calls.ts'
import type { McpContext } from './options.ts'
import { createReplayStore, type ReplayStore } from './replay.ts'
import { mcpServerFactory } from './server.ts'

export interface McpHttp {
  fetch(request: Request, body: unknown): Promise<Response>
  /** Ends the streams that wait for nothing; calls in the making go on. */
  endStreams(): void
  /** Counts the sessions that are kept, for tests. */
  sessions(): number
}

interface Session {
  transport: WebStandardStreamableHTTPServerTransport
  events: ReturnType<ReplayStore['forSession']>
  open: OpenCalls
  usedAt: number
  /** Requests whose answer is not taken yet. */
  calls: number
  /** Streams on which the client listens for what no call of its own leads to. */
  listening: number
}

const SWEEP_MS = 60_000
const NO_MESSAGE = {} as JSONRPCMessage

const protocolError = (status: number, code: number, message: string, id: RequestId | null = null): Response =>
  Response.json({ jsonrpc: '2.0', error: { code, message }, id }, { status })

const BAD_REQUEST = 400

const NO_SESSION =
  'Bad Request: Server not initialized: send initialize first, and the header Mcp-Session-Id of its answer with each request'

/** The SDK says that there is no session, but not how to begin one. */
const withoutSession = async (response: Response): Promise<Response> => {
  if (response.status !== BAD_REQUEST) return response
  const answer: { error?: { message?: string } } = await response.clone().json()
  return answer.error?.message === 'Bad Request: Server not initialized'
    ? protocolError(BAD_REQUEST, -32000, NO_SESSION)
    : response
}

/** The SDK names the streams of calls by itself, and the one of the session so. */
const SESSION_STREAM = '_GET_stream'
/** Older clients take an event without data for a message. */
const PRIMED_SINCE = '2025-11-25'

/** A new stream of a session, and not one that goes on after `Last-Event-ID`. */
const opensStream = ({ method, headers }: Request, { ok }: Response): boolean =>
  method === 'GET' && ok && !headers.has('last-event-id') && (headers.get('mcp-protocol-version') ?? '') >= PRIMED_SINCE

/** Tells the client where it is, so that it can come back to that. The SDK does the same for the streams of calls. */
const primingEvent = async ({ events }: Session): Promise<string> => {
  const id = await events.storeEvent(SESSION_STREAM, NO_MESSAGE)
  return `id: ${id}\nretry: ${MCP_RETRY_MS}\ndata: \n\n`
}

export const createMcpHttp = (deps: McpContext): McpHttp => {
  const { clock, note } = deps
  const factory = mcpServerFactory(deps)
  const onerror = (error: Error) => note(`MCP: ${error.message}`)
  const modern = createMcpHandler(factory, { legacy: 'reject', onerror })
  const sessions = new Map<string, Session>()
  const replay = createReplayStore()
  let timer: Timer | undefined

  const forget = (id: string, { events }: Session) => {
    sessions.delete(id)
    events.forget()
  }
  const end = (id: string, session: Session) => {
    forget(id, session)
    session.transport.close().catch(onerror)
  }
  const sweep = () => {
    const now = clock.elapsed()
    for (const [id, session] of sessions) {
      if (session.calls + session.listening === 0 && now - session.usedAt >= MCP_SESSION_IDLE_MS) end(id, session)
    }
    timer = sessions.size > 0 ? clock.at(clock.now() + SWEEP_MS, sweep, { idle: true }) : undefined
  }
  /** The one that is idle longest makes room, one that nobody listens to first; false when all of them are at work. */
  const hasRoom = (): boolean => {
    if (sessions.size < MCP_SESSIONS_MAX) return true
    const idle = [...sessions]
      .filter(([, { calls }]) => calls === 0)
      .sort(([, a], [, b]) => a.listening - b.listening || a.usedAt - b.usedAt)[0]
    if (idle) end(...idle)
    return idle !== undefined
  }

  const begin = async (): Promise<Session> => {
    const events = replay.forSession()
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: events,
      retryInterval: MCP_RETRY_MS,
      onsessioninitialized: id => {
        sessions.set(id, session)
        timer ??= clock.at(clock.now() + SWEEP_MS, sweep, { idle: true })
      },
      onsessionclosed: id => forget(id, session),
    })
    const open = createOpenCalls(transport, events)
    const session: Session = { events, open, usedAt: clock.elapsed(), calls: 0, listening: 0, transport }
    const server = await factory({ era: 'legacy' })
    await server.connect(session.transport)
    return session
  }

  /** A call is at work until its answer has been taken, which may be a stream. */
  const counted = async (session: Session, request: Request, parsedBody: unknown): Promise<Response> => {
    const taken = session.open.takenId(parsedBody)
    if (taken !== undefined) return protocolError(BAD_REQUEST, INVALID_REQUEST, idInWork(taken), taken)
    const kind = request.method === 'GET' ? 'listening' : 'calls'
    session[kind] += 1
    let isOver = false
    const over = () => {
      if (!isOver) session[kind] -= 1
      isOver = true
      session.usedAt = clock.elapsed()
    }
    const read = session.open.begin(parsedBody)
    try {
      const response = await session.transport.handleRequest(request, parsedBody === undefined ? {} : { parsedBody })
      session.open.cancel(parsedBody)
      if (!response.ok) session.open.refused(parsedBody)
      if (!response.body) {
        over()
        return response
      }
      const first = opensStream(request, response) ? await primingEvent(session) : undefined
      const start = (controller: TransformStreamDefaultController) => {
        if (first !== undefined) controller.enqueue(new TextEncoder().encode(first))
      }
      const transform = (chunk: Uint8Array, controller: TransformStreamDefaultController) => {
        read(chunk)
        controller.enqueue(chunk)
      }
      const watched = response.body.pipeThrough(new TransformStream({ start, transform, flush: over }))
      request.signal.addEventListener('abort', over, { once: true })
      return new Response(watched, response)
    } catch (error) {
      session.open.refused(parsedBody)
      over()
      throw error
    }
  }

  const legacy = async (request: Request, body: unknown): Promise<Response> => {
    const id = request.headers.get('mcp-session-id')
    if (id !== null) {
      const session = sessions.get(id)
      if (!session) return protocolError(404, -32001, 'Session not found: begin a new one with initialize')
      return counted(session, request, body)
    }
    const isInitialize = (body as { method?: unknown } | undefined)?.method === 'initialize'
    if (isInitialize && !hasRoom()) {
      return protocolError(503, -32000, `All of the ${MCP_SESSIONS_MAX} sessions are at work: try again`)
    }
    const begun = await begin()
    const response = await counted(begun, request, body)
    if (begun.transport.sessionId === undefined) begun.transport.close().catch(onerror)
    return isInitialize ? response : withoutSession(response)
  }

  return {
    async fetch(request, body) {
      if (request.method === 'POST' && !isJsonContentType(request.headers.get('content-type'))) {
        return protocolError(415, -32000, 'The Content-Type must be application/json')
      }
      if (Array.isArray(body)) return protocolError(BAD_REQUEST, INVALID_REQUEST, BATCH_REFUSED)
      const isLegacy = await isLegacyRequest(request, body)
      return isLegacy ? legacy(request, body) : modern.fetch(request, body === undefined ? {} : { parsedBody: body })
    },
    endStreams() {
      timer?.cancel()
      for (const { transport } of sessions.values()) transport.closeStandaloneSSEStream()
    },
    sessions: () => sessions.size,
  }
}
