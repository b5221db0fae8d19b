/** Mounts the requests of the service as they are declared: reads the input, asks, and answers. */
import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import type { ErrorObject } from '../contracts/error.ts'
import { openObject } from '../contracts/objects.ts'
import { OPERATIONS } from '../contracts/operations/all.ts'
import type { Operation } from '../contracts/operations/operation.ts'
import { ROUTES } from '../contracts/operations/routes.ts'
import { type RequestContext, readContext } from '../contracts/request-context.ts'
import type { Call, InputOf, OutputOf, Result, Service, ServiceId } from '../service/service.ts'
import { refuse } from './answer.ts'
import { writeAnswer } from './answer-of.ts'
import type { HttpDeps } from './deps.ts'
import { readBody } from './json-body.ts'
import type { App, HttpEnv } from './module.ts'
import { readQuery } from './query.ts'

type Read = { ok: true; input: object } | { ok: false; error: ErrorObject }

const NO_QUERY = openObject({})

/** The fields of the path stand above those of the body or the query. */
const inputReader = (
  { body, reads = body, isBodyOptional: mayBeAbsent, query = NO_QUERY }: Operation,
  path: string,
) => {
  const hasParameters = path.includes(':')
  return async (c: Context<HttpEnv>, { clock }: HttpDeps): Promise<Read> => {
    const { incoming } = c.env
    const asked = readQuery(incoming.url ?? '', query)
    if (!asked.ok) return asked
    let input = asked.query as object
    if (reads) {
      const read = await readBody(incoming, reads, { clock, mayBeAbsent: mayBeAbsent === true })
      if (!read.ok) return read
      input = read.body as object
    }
    return { ok: true, input: hasParameters ? { ...input, ...c.req.param() } : input }
  }
}

const ANYBODY: RequestContext = { caller: 'http' }

/** Requests to this host alone are answered alike, whoever asks. */
const contextReader = (id: ServiceId) => {
  const isForAnybody = ROUTES[id][3] === 'this host'
  return ({ headers }: IncomingMessage, deps: HttpDeps) =>
    isForAnybody ? { ok: true as const, context: ANYBODY } : readContext(headers, deps)
}

/** A caller who leaves cancels nothing; only these looks are given up with it. */
const isGivenUp = (id: ServiceId): boolean => id.startsWith('devices.')

const leaving = ({ env: { outgoing } }: Context<HttpEnv>): AbortSignal => {
  const left = new AbortController()
  outgoing.once('close', () => left.abort())
  return left.signal
}

export const mountService = (app: App, service: Service, deps: HttpDeps): void => {
  const mount = <Id extends ServiceId>(id: Id) => {
    const [method, path] = ROUTES[id]
    const operation: Operation = OPERATIONS[id]
    const readInput = inputReader(operation, path)
    const contextOf = contextReader(id)
    const ask = service[id] as (input: InputOf<Id>, call: Call) => Promise<Result<OutputOf<Id>>>
    const answer = writeAnswer(id, operation, deps)
    app.on(method, path, async c => {
      const read = await readInput(c, deps)
      if (!read.ok) return refuse(read.error)
      const asked = contextOf(c.env.incoming, deps)
      if (!asked.ok) return refuse(asked.error)
      const { context } = asked
      return answer(await ask(read.input as InputOf<Id>, isGivenUp(id) ? { context, signal: leaving(c) } : { context }))
    })
  }
  for (const id of Object.keys(ROUTES)) if (id in service) mount(id as ServiceId)
}
