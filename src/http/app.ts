/** The HTTP app: assembles the route modules, and says what happens on no route, another method, or an exception. */
import { type Context, Hono } from 'hono'
import { failure } from '../contracts/failures.ts'
import { describeError, errorOf, isKnownError } from '../executions/error-of.ts'
import { refuse } from './answer.ts'
import type { HttpDeps } from './deps.ts'
import { createFleetStreams } from './events/fleet-streams.ts'
import { createOutcomes } from './events/outcomes.ts'
import { createTransitions } from './events/transitions.ts'
import { mountFleetGate } from './fleet/gate.ts'
import type { App, HttpEnv, RouteModule } from './module.ts'
import { openApiRoutes } from './openapi.ts'
import { actorRoutes } from './routes/actors.ts'
import { deviceRoutes } from './routes/devices.ts'
import { docsRoutes } from './routes/docs.ts'
import { emulatorRoutes } from './routes/emulators.ts'
import { eventRoutes } from './routes/events.ts'
import { executeRoutes } from './routes/execute.ts'
import { executionRoutes } from './routes/executions.ts'
import { fleetRoutes } from './routes/fleet.ts'
import { inspectWsRoutes } from './routes/inspect-ws.ts'
import { inspectorRoutes } from './routes/inspector.ts'
import { lookRoutes } from './routes/look.ts'
import { mcpRoutes } from './routes/mcp.ts'
import { screenshotRoutes } from './routes/screenshot.ts'
import { skillRoutes } from './routes/skills.ts'
import { snapshotRoutes } from './routes/snapshot.ts'
import { statusRoutes } from './routes/status.ts'
import { traceRoutes } from './routes/traces.ts'
import { viewerDataRoutes } from './routes/viewer-data.ts'

const MODULES: readonly RouteModule[] = [
  statusRoutes,
  deviceRoutes,
  executeRoutes,
  snapshotRoutes,
  screenshotRoutes,
  eventRoutes,
  executionRoutes,
  actorRoutes,
  inspectWsRoutes,
  skillRoutes,
  emulatorRoutes,
  fleetRoutes,
  docsRoutes,
  inspectorRoutes,
  viewerDataRoutes,
  lookRoutes,
  traceRoutes,
  mcpRoutes,
]

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Found out when it is needed: handlers for it on every route would cost each request a chain of functions. */
const allowedOn = (app: App, path: string): string[] => {
  const found = METHODS.filter(method => app.router.match(method, path)[0].length > 0)
  return [...(found.includes('GET') ? ['HEAD'] : []), ...found]
}

/** OPTIONS is told which, everything else refused; undefined when there is no such route at all. */
const otherMethods = (app: App, c: Context<HttpEnv>): Response | undefined => {
  const allowed = allowedOn(app, c.req.path)
  if (allowed.length === 0) return undefined
  const headers = { Allow: [...allowed, 'OPTIONS'].sort().join(', ') }
  if (c.req.method === 'OPTIONS') return new Response(null, { status: 204, headers })
  const error = failure('METHOD_NOT_ALLOWED', `This route does not support ${c.req.method}.`, {
    details: { allow: [...allowed, 'OPTIONS'].sort() },
  })
  return refuse(error, { headers })
}

export const createApp = (deps: HttpDeps): App => {
  const app: App = new Hono<HttpEnv>()
  const fleetStreams = deps.fleetLog && createFleetStreams(deps, deps.fleetLog)
  const outcomes = createOutcomes(deps, fleetStreams ? [fleetStreams.outcomes] : [])
  if (deps.fleet) mountFleetGate(app, deps, deps.fleet)
  const context = { deps, outcomes, transitions: createTransitions(deps), fleetStreams }
  const modules = [...MODULES, openApiRoutes(deps.version)]
  for (const module of modules) module.mount(app, context)

  app.notFound(
    c =>
      otherMethods(app, c) ??
      refuse(failure('NOT_FOUND', 'No such route.', { hint: 'GET /openapi.json lists the routes.' })),
  )
  app.onError((thrown, c) => {
    if (!isKnownError(thrown)) deps.note(`${c.req.method} ${c.req.path} broke: ${describeError(thrown)}`)
    return refuse(errorOf(thrown, 'INTERNAL_SERVER_ERROR'))
  })
  return app
}
