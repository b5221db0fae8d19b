/** A route module mounts requests that the service does not answer: streams, pages, protocols. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Hono } from 'hono'
import type { AppParts } from './deps.ts'
import type { Hub } from './events/hub.ts'
import type { OpenStreams } from './events/sse.ts'

export interface HttpEnv {
  Bindings: {
    incoming: IncomingMessage
    outgoing: ServerResponse
    /** The streams of this server that end when it closes. */
    streams: OpenStreams
  }
}

export type App = Hono<HttpEnv>

export interface RouteContext extends AppParts {
  /** Transitions of every actor, live and from the journal. */
  transitions: Hub
}

export interface RouteModule {
  mount(app: App, context: RouteContext): void
}
