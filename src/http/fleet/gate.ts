/** In a fleet: which host a request is for, before any route is asked. What is for this host goes on to its route. */
import type { FleetFront } from '../../fleet/front.ts'
import type { HttpDeps } from '../deps.ts'
import type { App } from '../module.ts'
import { DEVICE_ROUTE, isFromFleet, takeFromFleet } from './gate-request.ts'
import { toDevice } from './to-device.ts'
import { toExecution } from './to-execution.ts'

/** Routes about one execution. */
const EXECUTION_ROUTE = /^\/executions\/([^/]+)(\/.*)?$/

/** Before all routes of an app whose host is in a fleet. */
export const mountFleetGate = (app: App, deps: HttpDeps, fleet: FleetFront): void => {
  const gate = { deps, fleet }
  app.use('*', async (c, next) => {
    if (isFromFleet(c.env.incoming, deps)) return takeFromFleet(c, gate) ?? (await next())
    const { path, method } = c.req
    if (method === 'POST' && DEVICE_ROUTE.test(path)) return toDevice(c, next, gate)
    const [, id] = EXECUTION_ROUTE.exec(path) ?? []
    if (id !== undefined) return toExecution(c, next, decodeURIComponent(id), gate)
    return void (await next())
  })
}
