/** A route module mounts requests that the service does not answer: streams, pages, protocols. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Hono } from 'hono'
import type { Service } from '../../service/service.ts'
import type { HttpDeps } from './deps.ts'
import type { FleetStreams } from './events/fleet-streams.ts'
import type { Hub } from './events/hub.ts'
import type { Outcomes } from './events/outcomes.ts'
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

export interface RouteContext {
  deps: HttpDeps
  service: Service
  outcomes: Outcomes
  /** Transitions of every actor, live and from the journal. */
  transitions: Hub
  /** The same of every host of the fleet; undefined for a host that is in none. */
  fleetStreams: FleetStreams | undefined
}

export interface RouteModule {
  mount(app: App, context: RouteContext): void
}
