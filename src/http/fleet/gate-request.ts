/** What the gate of a fleet knows of a request: whether another host or a client of the fleet sent it. */
import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import { failure } from '../../contracts/failures.ts'
import { FLEET_FROM_HEADER } from '../../contracts/fleet-headers.ts'
import { IDEMPOTENCY_KEY_HEADER } from '../../contracts/operations/operation.ts'
import { executionUnder } from '../../executions/idempotency.ts'
import type { FleetFront } from '../../fleet/front.ts'
import { refuse } from '../answer.ts'
import type { HttpDeps } from '../deps.ts'
import { headerOf } from '../headers.ts'
import type { HttpEnv } from '../module.ts'

/** Routes whose body names a device. */
export const DEVICE_ROUTE = /^\/(execute|snapshot|screenshot|inspector\/looks|skills\/[^/]+\/run)$/

export type Ctx = Context<HttpEnv>

export interface GateDeps {
  deps: HttpDeps
  fleet: FleetFront
  /** Has the route of the request answer it; may be called again with another body. */
  toRoute(c: Ctx): Promise<Response>
}

/** Another host sent it here, so it goes no further. */
export const isFromFleet = ({ headers }: IncomingMessage, { isPrivate }: Pick<HttpDeps, 'isPrivate'>): boolean =>
  isPrivate && headers[FLEET_FROM_HEADER] !== undefined

/** Of a client of the fleet, which is believed as a host is; undefined from all others. */
export const privateHeader = ({ env }: Ctx, { isPrivate }: HttpDeps, name: string): string | undefined => {
  const value = isPrivate ? env.incoming.headers[name] : undefined
  return typeof value === 'string' ? value : undefined
}

/** The one route whose requests an Idempotency-Key makes run once. */
const KEYED_ROUTE = '/execute'

export const keyOf = ({ req, env }: Ctx): string | undefined =>
  req.path === KEYED_ROUTE ? headerOf(env.incoming, IDEMPOTENCY_KEY_HEADER) : undefined

/** Answered from the record, so nothing new begins. */
const isRepeated = (c: Ctx, { journal, clock }: HttpDeps): boolean => {
  const key = keyOf(c)
  return key !== undefined && executionUnder(journal, key, clock.now()) !== undefined
}

/** What another host sends here is for a phone of this one; whether it is still its own is asked again at each dispatch. */
export const takeFromFleet = (c: Ctx, { deps, fleet }: Pick<GateDeps, 'deps' | 'fleet'>): Response | undefined => {
  if (!DEVICE_ROUTE.test(c.req.path) || fleet.isServing() || isRepeated(c, deps)) return undefined
  return refuse(
    failure('FLEET_HOST_GONE', `Host ${fleet.host} takes no requests of the fleet at the moment.`, {
      details: { host: fleet.host, dispatched: false },
    }),
  )
}
