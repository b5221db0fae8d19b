/** Tells the gate of a fleet whether another host or a client of the fleet sent a request. */
import type { Context } from 'hono'
import type { RequestContext } from '../../contracts/request-context.ts'
import { executionUnder } from '../../executions/idempotency.ts'
import type { FleetFront } from '../../fleet/front.ts'
import { draining, takesNothing } from '../../fleet/refusals.ts'
import { refuse } from '../answer.ts'
import type { HttpDeps } from '../deps.ts'
import type { HttpEnv } from '../module.ts'

/** Routes whose body names a device. */
export const DEVICE_ROUTE = /^\/(execute|snapshot|screenshot|inspector\/looks|skills\/[^/]+\/run)$/

export type Ctx = Context<HttpEnv>

export interface GateDeps {
  deps: HttpDeps
  fleet: FleetFront
  context: RequestContext
  /** Has the route of the request answer it; may be called again with another body. */
  toRoute(c: Ctx): Promise<Response>
}

/** Another host sent it here, so it goes no further. */
export const isFromFleet = ({ sent }: RequestContext): boolean => sent !== undefined

/** The one route whose requests an Idempotency-Key makes run once. */
const KEYED_ROUTE = '/execute'

export const keyOf = ({ req }: Ctx, { idempotencyKey }: RequestContext): string | undefined =>
  req.path === KEYED_ROUTE ? idempotencyKey : undefined

/** Answered from the record, so nothing new begins. */
const isRepeated = (c: Ctx, { deps: { journal, clock }, context }: GateDeps): boolean => {
  const key = keyOf(c, context)
  return key !== undefined && executionUnder(journal, key, clock.now()) !== undefined
}

const RESUME_ROUTE = /^\/executions\/[^/]+\/resume$/

/** A request of another host is for a phone of this one; each dispatch asks again whether this host still owns it. */
export const takeFromFleet = (c: Ctx, gate: GateDeps): Response | undefined => {
  const { fleet } = gate
  const { path } = c.req
  const isNew = DEVICE_ROUTE.test(path) || RESUME_ROUTE.test(path)
  if (!isNew || fleet.isServing() || isRepeated(c, gate)) return undefined
  const state = fleet.statusOf(fleet.host)?.state
  return refuse(state === 'draining' || state === 'drained' ? draining(fleet.host) : takesNothing(fleet.host))
}
