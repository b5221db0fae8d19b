/** The input of a request, read as its operation declares it: a name that no declaration has is refused, on every route. */
import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import type * as v from 'valibot'
import { EmptyBody } from '../../contracts/doors/http.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { openObject } from '../../contracts/json/objects.ts'
import { OPERATIONS } from '../../contracts/operations/all.ts'
import type { Operation } from '../../contracts/operations/operation.ts'
import { ROUTES, type RouteId } from '../../contracts/operations/routes.ts'
import type { Clock } from '../../runtime/clock.ts'
import { once } from '../../runtime/once.ts'
import { refuse } from './answer.ts'
import type { App, HttpEnv } from './module.ts'
import { readBody, readQuery } from './request-input.ts'

/** `body` is that of the refused request, as far as it could be read. */
type ReadInput = { ok: true; input: object } | { ok: false; error: ErrorObject; body?: unknown }
type InputReader = (c: Context<HttpEnv>, clock: Clock) => Promise<ReadInput>

const NO_QUERY = openObject({})
const NOTHING_ASKED = { ok: true, query: {} } as const

/** A GET has no body. An operation that declares none takes an empty one. */
const bodyOf = (
  { body, reads = body, isBodyOptional, isBodyOfProtocol }: Operation,
  method: string,
): { schema: v.GenericSchema; mayBeAbsent: boolean } | undefined => {
  if (method === 'GET' || isBodyOfProtocol) return undefined
  return reads ? { schema: reads, mayBeAbsent: isBodyOptional === true } : { schema: EmptyBody, mayBeAbsent: true }
}

/** The fields of the path stand above those of the body or the query. */
export const inputReader = (id: RouteId): InputReader => {
  const operation: Operation = OPERATIONS[id]
  const [method, path] = ROUTES[id]
  const { query = NO_QUERY, takesAnyQuery } = operation
  const body = bodyOf(operation, method)
  const hasParameters = path.includes(':')
  const unasked = once(() => readQuery('', query))
  return async (c, clock) => {
    const incoming: IncomingMessage = c.env.incoming
    const target = incoming.url ?? ''
    const queried = takesAnyQuery ? NOTHING_ASKED : target.includes('?') ? readQuery(target, query) : unasked()
    if (!queried.ok) return queried
    let input = queried.query as object
    if (body) {
      const read = await readBody(incoming, body.schema, { clock, mayBeAbsent: body.mayBeAbsent })
      if (!read.ok) return read
      input = { ...input, ...(read.body as object) }
    }
    return { ok: true, input: hasParameters ? { ...input, ...c.req.param() } : input }
  }
}

type Operations = typeof OPERATIONS
type QueryOf<Id extends RouteId> = Operations[Id] extends { query: infer S extends v.GenericSchema }
  ? v.InferOutput<S>
  : object

/** Mounts a request that the service does not answer. */
export const mountDeclared = <Id extends RouteId>(
  app: App,
  clock: Clock,
  id: Id,
  answer: (c: Context<HttpEnv>, query: QueryOf<Id>) => Response | Promise<Response>,
): void => {
  const [method, path] = ROUTES[id]
  const readInput = inputReader(id)
  app.on(method, path, async c => {
    const read = await readInput(c, clock)
    return read.ok ? answer(c, read.input as QueryOf<Id>) : refuse(read.error)
  })
}
