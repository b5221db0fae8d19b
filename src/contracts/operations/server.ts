/** Requests about the server itself, its pages, and the Model Context Protocol. */
import { VersionResponse } from '../daemon.ts'
import { HealthResponse, PingResponse } from '../doors/http.ts'
import type { OperationGroup } from './operation.ts'

const page = { answers: { type: 'text/html' }, failures: ['NOT_FOUND'], takesAnyQuery: true } as const
const pageFile = {
  answers: { type: 'application/octet-stream' },
  failures: ['NOT_FOUND'],
  takesAnyQuery: true,
} as const

const NO_SESSION = {
  400: 'A JSON-RPC error: the request names no session, or a version that is not supported',
  404: 'A JSON-RPC error: no session has this id',
}
const UNACCEPTABLE = { 406: 'A JSON-RPC error: the header Accept must name what the answer may be' }

export const server = {
  'server.ping': { tag: 'Server', summary: 'Checks that the server is alive.', answers: PingResponse, failures: [] },
  'server.health': {
    tag: 'Server',
    summary: 'What fails in the server beside its answers; empty when it is well.',
    answers: HealthResponse,
    failures: [],
  },
  'server.version': {
    tag: 'Server',
    summary: 'The version and build of the server.',
    answers: VersionResponse,
    failures: [],
  },
  'server.openapi': {
    tag: 'Server',
    summary: 'Every request as an OpenAPI 3.1 document.',
    answers: 'any',
    failures: [],
  },
  'server.home': {
    tag: 'Server',
    summary: 'A page for browsers: links, and the devices, work and journal of this host. Other callers get NOT_FOUND.',
    ...page,
  },
  'server.docs': { tag: 'Documents', summary: 'The first page of the documentation, with a search.', ...page },
  'server.api': {
    tag: 'Documents',
    summary: 'The OpenAPI document as a page, on which requests can be tried.',
    ...page,
  },
  'server.docsFile': {
    tag: 'Documents',
    summary: 'A page of the documentation, or a file of it: its script, its style, its search index, a picture.',
    ...pageFile,
  },
  'server.viewer': {
    tag: 'Viewer',
    summary: 'The viewer, a page that shows actors, executions and devices live.',
    ...page,
  },
  'server.viewerFile': {
    tag: 'Viewer',
    summary: 'A file of the viewer: its script, its style, a statechart.',
    ...pageFile,
  },
  'server.inspectWs': {
    tag: 'Actors',
    summary: 'Live actors for the inspectors of xstate, if the server was started with --inspect-ws.',
    answers: {
      socket: 'Messages of @statelyai/inspect over a WebSocket: @xstate.actor, @xstate.event, @xstate.snapshot.',
    },
    failures: ['NOT_FOUND', 'WEBSOCKET_REQUIRED'],
  },
  'mcp.message': {
    tag: 'MCP',
    takesAnyQuery: true,
    summary: 'One message of the Model Context Protocol (streamable HTTP); the answer is JSON or a stream of events.',
    answers: 'any',
    failures: ['PAYLOAD_TOO_LARGE'],
    isBodyOfProtocol: true,
    protocol: {
      202: 'Accepted: a message that has no answer',
      ...NO_SESSION,
      400: 'A JSON-RPC error: the body is no message of the protocol, or needs a session that the request does not name',
      ...UNACCEPTABLE,
      415: 'A JSON-RPC error: the body must be application/json',
      503: 'A JSON-RPC error: all sessions are at work',
    },
  },
  'mcp.stream': {
    tag: 'MCP',
    takesAnyQuery: true,
    summary: 'The stream of a session of the Model Context Protocol.',
    answers: { type: 'text/event-stream' },
    failures: [],
    protocol: {
      ...NO_SESSION,
      400: 'A JSON-RPC error: the request names no session, a version that is not supported, or an event that is not kept',
      ...UNACCEPTABLE,
      409: 'A JSON-RPC error: the session has a stream already',
    },
  },
  'mcp.end': {
    tag: 'MCP',
    takesAnyQuery: true,
    summary: 'Ends a session of the Model Context Protocol.',
    answers: 'any',
    failures: [],
    protocol: NO_SESSION,
  },
} as const satisfies OperationGroup
