/** One listener of a server: the service that its requests go to, what it tells on /events, and its app. */

import type { Fleet } from '../fleet/fleet.ts'
import type { SharedLog } from '../fleet/log/shared-log.ts'
import { createInFleet } from '../fleet/service/in-fleet.ts'
import { hostTransport } from '../fleet/transport.ts'
import { createLocal } from '../service/local/local.ts'
import type { Parts } from '../service/parts.ts'
import { remote } from '../service/remote.ts'
import type { Service } from '../service/service.ts'
import { createApp, createWebDriverApp } from '../surfaces/http/app.ts'
import { askApp, type InnerRequest } from '../surfaces/http/ask-app.ts'
import { createFleetStreams } from '../surfaces/http/events/fleet-streams.ts'
import { createOutcomes } from '../surfaces/http/events/outcomes.ts'
import type { AppParts, ListenerFacts } from '../surfaces/http/module.ts'

interface InFleet {
  /** The fleet this host is in, if it is in one. */
  fleet?: Fleet | undefined
  /** The log of that fleet. */
  fleetLog?: SharedLog | undefined
}

export type ListenerParts = Parts &
  ListenerFacts &
  InFleet &
  Pick<AppParts, 'docsFolder'> & {
    /** Nothing but WebDriver, and a ping. */
    isForWebDriverAlone?: boolean
  }

/** Requests of a host in a fleet go to whichever host has the device. */
export const serviceOf = (parts: Parts & InFleet & Pick<ListenerFacts, 'isPrivate'>): Service => {
  const { fleet, isPrivate: isInbound } = parts
  const local = createLocal(parts)
  if (!fleet) return local.service
  return createInFleet(local, { ...parts, fleet, isInbound, peer: host => remote(hostTransport(fleet, host)) })
}

export const createListener = (parts: ListenerParts) => {
  const { fleet, fleetLog } = parts
  const fleetStreams = fleetLog && createFleetStreams(parts, fleetLog)
  const outcomes = createOutcomes(parts, fleetStreams ? [fleetStreams.outcomes] : [])
  const own = { ...parts, fleetHost: fleet?.host }
  const service = serviceOf({ ...own, onRefused: outcomes.refuse })
  const create = parts.isForWebDriverAlone ? createWebDriverApp : createApp
  const app = create({ ...own, service, outcomes, fleetStreams })
  return { service, app, ask: (request: InnerRequest, leave: AbortSignal) => askApp(app, request, leave) }
}
