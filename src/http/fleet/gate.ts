/** In a fleet: which host a request is for, before any route is asked. What is for this host goes on to its route. */
import type { IncomingMessage } from 'node:http'
import { readContext } from '../../contracts/request-context.ts'
import type { FleetFront } from '../../fleet/front.ts'
import type { HttpDeps } from '../deps.ts'
import type { App } from '../module.ts'
import { DEVICE_ROUTE, type GateDeps, isFromFleet, takeFromFleet } from './gate-request.ts'
import { toDevice } from './to-device.ts'
import { toExecution } from './to-execution.ts'

/** Routes about one execution. */
const EXECUTION_ROUTE = /^\/executions\/([^/]+)(\/.*)?$/

/** Before all routes of an app whose host is in a fleet. */
export const mountFleetGate = (app: App, deps: HttpDeps, fleet: FleetFront): void => {
  /** Requests that are on the way to their routes: this gate has judged them. */
  const judged = new WeakSet<IncomingMessage>()
  const gate: Omit<GateDeps, 'context'> = {
    deps,
    fleet,
    async toRoute({ req, env }) {
      judged.add(env.incoming)
      return app.fetch(req.raw, env)
    },
  }
  app.use('*', async (c, next) => {
    if (judged.has(c.env.incoming)) return void (await next())
    const { path, method } = c.req
    const isOfDevice = method === 'POST' && DEVICE_ROUTE.test(path)
    const [, id] = EXECUTION_ROUTE.exec(path) ?? []
    const asked = isOfDevice || id !== undefined ? readContext(c.env.incoming.headers, deps) : undefined
    // The route says what is wrong with it.
    if (!asked?.ok) return void (await next())
    const own = { ...gate, context: asked.context }
    if (isFromFleet(asked.context)) return takeFromFleet(c, own) ?? (await next())
    return id === undefined ? toDevice(c, next, own) : toExecution(c, next, decodeURIComponent(id), own)
  })
}
