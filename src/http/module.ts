/** What a route module is: the operations it documents, and how they are mounted on the app. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Hono } from 'hono'
import type { FailureCode } from '../contracts/failures.ts'
import type { SchemaName } from '../contracts/json-schema.ts'
import type { HttpDeps } from './deps.ts'
import type { FleetStreams } from './events/fleet-streams.ts'
import type { Hub } from './events/hub.ts'
import type { Outcomes } from './events/outcomes.ts'
import type { OpenStreams } from './events/sse.ts'
import type { AnswerHeader, RequestHeader } from './headers.ts'

export interface HttpEnv {
  Bindings: {
    incoming: IncomingMessage
    outgoing: ServerResponse
    /** The streams of this server that end when it closes. */
    streams: OpenStreams
  }
}

export type App = Hono<HttpEnv>

export interface RouteContext {
  deps: HttpDeps
  outcomes: Outcomes
  /** Transitions of every actor, live and from the journal. */
  transitions: Hub
  /** The same of every host of the fleet; undefined for a host that is in none. */
  fleetStreams: FleetStreams | undefined
}

/** One route as the OpenAPI document describes it. */
export interface Operation {
  method: 'get' | 'post' | 'delete'
  /** With parameters as `:name`. */
  path: string
  summary: string
  body?: SchemaName
  query?: SchemaName
  headers?: Readonly<Partial<Record<RequestHeader, string>>>
  /** What status 200 carries: one shape, any object, a stream of named events, or bytes of a type; or what a WebSocket carries. */
  answers: SchemaName | 'any' | { events: Readonly<Record<string, SchemaName>> } | { type: string } | { socket: string }
  /** Headers of the answer. */
  answerHeaders?: Readonly<Partial<Record<AnswerHeader, string>>>
  /** Beside the ones that every route can have. */
  failures: readonly FailureCode[]
  /** Other answers of a protocol that the route carries: what each status means. Their bodies are of that protocol. */
  protocol?: Readonly<Record<number, string>>
  /** Failures keep their code and are answered with this status, whatever the table says. */
  failureStatus?: number
}

export interface RouteModule {
  /** Under which the document lists its operations. */
  tag: string
  operations: readonly Operation[]
  mount(app: App, context: RouteContext): void
}
