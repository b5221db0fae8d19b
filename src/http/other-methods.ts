/** A route that exists with other methods than the one that was asked for: OPTIONS is told which, everything else refused. */
import type { Context } from 'hono'
import { failure } from '../contracts/failures.ts'
import { refuse } from './answer.ts'
import type { App, HttpEnv } from './module.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Found out when it is needed: handlers for it on every route would cost each request a chain of functions. */
const allowedOn = (app: App, path: string): string[] => {
  const found = METHODS.filter(method => app.router.match(method, path)[0].length > 0)
  return [...(found.includes('GET') ? ['HEAD'] : []), ...found]
}

/** Undefined when there is no such route at all. */
export const otherMethods = (app: App, c: Context<HttpEnv>): Response | undefined => {
  const allowed = allowedOn(app, c.req.path)
  if (allowed.length === 0) return undefined
  const headers = { Allow: [...allowed, 'OPTIONS'].sort().join(', ') }
  if (c.req.method === 'OPTIONS') return new Response(null, { status: 204, headers })
  const error = failure('METHOD_NOT_ALLOWED', `This route does not support ${c.req.method}.`, {
    details: { allow: [...allowed, 'OPTIONS'].sort() },
  })
  return refuse(error, { headers })
}
