/**
 * A route module mounts requests that the service does not answer, such as streams, pages and protocols, and is given
 * the parts of its app, which the root of a server constructs.
 */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Hono } from 'hono'
import type { Parts } from '../../service/parts.ts'
import type { Service } from '../../service/service.ts'
import type { WebDriver } from '../webdriver/server.ts'
import type { FleetStreams } from './events/fleet-streams.ts'
import type { Hub } from './events/hub.ts'
import type { Outcomes } from './events/outcomes.ts'
import type { OpenStreams } from './events/sse.ts'

/** A listener, and how it believes its callers. */
export interface ListenerFacts {
  /** Names the stream of outcomes of this listener in the journal, the same after a restart: `serve:127.0.0.1:3000`. */
  listener: string
  /** Only processes of this user and hosts of the fleet reach it: they say by which way they were asked. */
  isPrivate: boolean
  /** The folders whose files agents, and callers from other machines, may name. */
  fileRoots?: readonly string[] | undefined
  /** True when this listener serves GET /inspect-ws. */
  inspectWs?: boolean | undefined
  /** Answers WebDriver on this listener; undefined where nobody asked for it. */
  webDriver?: (() => Promise<WebDriver>) | undefined
}

/** The parts that answer beside the service: streams, pages, protocols. */
type AskedBesideTheService =
  | 'clock'
  | 'journal'
  | 'skills'
  | 'recordings'
  | 'testRuns'
  | 'listDevices'
  | 'openDevice'
  | 'version'
  | 'fleetHost'
  | 'viewerFolder'
  | 'troubles'
  | 'note'

export interface AppParts extends ListenerFacts, Pick<Parts, AskedBesideTheService> {
  service: Service
  /** The outcomes of this listener. */
  outcomes: Outcomes
  /** The streams of every host; undefined for a host that is in no fleet. */
  fleetStreams: FleetStreams | undefined
  /** The folder of the built pages of GET /docs; undefined when there is none. */
  docsFolder: string | undefined
}

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
