/** The HTTP app: assembles the route modules, and says what happens on no route, another method, or an exception. */

import { type Context, Hono } from 'hono'
import type { ParamIndexMap, Result, Router } from 'hono/router'
import { RegExpRouter } from 'hono/router/reg-exp-router'
import { failure } from '../../contracts/failures/failures.ts'
import { OPERATIONS } from '../../contracts/operations/all.ts'
import type { Operation } from '../../contracts/operations/operation.ts'
import { ROUTES } from '../../contracts/operations/routes.ts'
import { describeError, errorOf, isKnownError } from '../../service/executions/to-error.ts'
import { refuse } from './answer.ts'
import type { App, AppParts, HttpEnv, RouteModule } from './module.ts'
import { openApiRoutes } from './openapi.ts'
import { eventRoutes } from './routes/events.ts'
import { homeRoutes, isHomeHidden, noRoute } from './routes/home.ts'
import { inspectWsRoutes } from './routes/inspect-ws.ts'
import { logRoutes } from './routes/logs.ts'
import { mcpRoutes } from './routes/mcp.ts'
import { pageRoutes } from './routes/pages.ts'
import { createTransitions, transitionRoutes } from './routes/transitions.ts'
import { videoRoutes } from './routes/videos.ts'
import { mountWebDriverAlone, webDriverRoutes } from './routes/webdriver.ts'
import { mountService } from './service-routes.ts'

// Finds the handlers of a request: those of a path without parameters by its text, all others by one regular expression.

/** Hono's own expression cannot hold `/emulators/running` beside `/emulators/:name`, and would give way to a slower search. */
const createRouter = <T>(): Router<T> => {
  const fixed = new Map<string, Map<string, [[T, ParamIndexMap][], string[]]>>()
  const varying = new RegExpRouter<T>()
  return {
    name: 'FixedPathRouter',
    add(method, path, handler) {
      if (/[:*]/.test(path)) return varying.add(method, path, handler)
      const paths = fixed.get(method) ?? new Map()
      fixed.set(method, paths)
      const [handlers] = paths.get(path) ?? [[]]
      paths.set(path, [[...handlers, [handler, {}]], []])
    },
    match: (method, path): Result<T> => fixed.get(method)?.get(path) ?? varying.match(method, path),
  }
}

/** Requests that have more than one answer, or speak a protocol of their own. */
const MODULES: readonly RouteModule[] = [
  homeRoutes,
  pageRoutes,
  eventRoutes,
  transitionRoutes,
  logRoutes,
  videoRoutes,
  inspectWsRoutes,
  mcpRoutes,
  webDriverRoutes,
]

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Where GET opens a stream of a session, HEAD would open it as well. */
const isHeadless = (path: string): boolean =>
  Object.entries(ROUTES).some(
    ([id, [method, route]]) =>
      method === 'GET' && route === path && 'protocol' in (OPERATIONS[id as keyof typeof OPERATIONS] as Operation),
  )

/** Found out when it is needed: handlers for it on every route would cost each request a chain of functions. */
const allowedOn = (app: App, path: string): string[] => {
  const found = METHODS.filter(method => app.router.match(method, path)[0].length > 0)
  return [...(found.includes('GET') && !isHeadless(path) ? ['HEAD'] : []), ...found]
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

const heedExceptions = (app: App, { note }: AppParts): void => {
  app.onError((thrown, c) => {
    if (!isKnownError(thrown)) note(`${c.req.method} ${c.req.path} broke: ${describeError(thrown)}`)
    return refuse(errorOf(thrown, 'INTERNAL_SERVER_ERROR'))
  })
}

/** Of the API it has GET /ping, by which others find out that it lives. */
export const createWebDriverApp = (parts: AppParts): App => {
  const app: App = new Hono<HttpEnv>({ router: createRouter() })
  mountService(app, parts, ['server.ping'])
  mountWebDriverAlone(app, parts)
  heedExceptions(app, parts)
  return app
}

export const createApp = (parts: AppParts): App => {
  const app: App = new Hono<HttpEnv>({ router: createRouter() })
  const context = { ...parts, transitions: createTransitions(parts) }
  for (const module of [...MODULES, openApiRoutes(parts.version)]) module.mount(app, context)
  mountService(app, parts)
  app.notFound(
    c => (isHomeHidden(c.env.incoming) ? undefined : otherMethods(app, c)) ?? noRoute(c.req.method, c.req.path),
  )
  heedExceptions(app, parts)
  return app
}
