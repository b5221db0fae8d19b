/** A request about one execution, at any host: looked at, cancelled or resumed where it is. */
import type { Next } from 'hono'
import { CHOSEN_ID_HEADER } from '../../contracts/daemon-headers.ts'
import { failure } from '../../contracts/failures.ts'
import { FLEET_HOST_HEADER, FLEET_PICTURES_HEADER } from '../../contracts/fleet-headers.ts'
import { withinOf } from '../../fleet/patience.ts'
import { JSON_TYPE, refuse } from '../answer.ts'
import { readAhead } from '../json-body.ts'
import { forward, refuseForwarded } from './forward.ts'
import { type Ctx, type GateDeps, privateHeader } from './gate-request.ts'
import { type Located, locate, receiptRoute } from './locate.ts'
import { fetchPictures } from './pictures.ts'

/** Its host does not answer: a look at the receipt gets what it had told by then. */
const unanswered = (c: Ctx, executionId: string, { host, mirrored }: Located): Response => {
  if (c.req.method === 'GET' && mirrored && c.req.path === receiptRoute(executionId)) {
    return new Response(JSON.stringify({ ok: true, execution: mirrored }), {
      status: 200,
      headers: { 'Content-Type': JSON_TYPE, [FLEET_HOST_HEADER]: host },
    })
  }
  const dispatched = mirrored?.dispatchedAt === undefined ? 'unknown' : true
  return refuse(
    failure('FLEET_HOST_GONE', `Host ${host}, which has the execution, does not answer.`, {
      details: { host, executionId, dispatched },
    }),
  )
}

export const toExecution = async (
  c: Ctx,
  next: Next,
  executionId: string,
  { deps, fleet }: GateDeps,
): Promise<Response | undefined> => {
  if (deps.journal.receipt(executionId)) return void (await next())
  const { incoming } = c.env
  const { method, path } = c.req
  const isResumption = method === 'POST'
  const read = isResumption ? await readAhead(incoming, { ...deps, mayBeAbsent: true }) : undefined
  // The route says what is wrong with it.
  if (read && !read.body.ok) return void (await next())
  const body = read?.body.ok ? read.body.body : undefined
  const options = { fleet, incoming, isPrivate: deps.isPrivate }
  const located = await locate(executionId, options)
  if (!located || located.host === fleet.host) return void (await next())
  const { host } = located
  if (!fleet.isAlive(host)) return unanswered(c, executionId, located)
  const outcome = await forward(
    host,
    {
      method,
      path: incoming.url ?? path,
      body,
      withinMs: withinOf(path, body),
      executionId: isResumption ? (privateHeader(c, deps, CHOSEN_ID_HEADER) ?? fleet.newExecutionId()) : undefined,
    },
    options,
  )
  if (outcome.kind === 'refused') {
    return method === 'GET' ? unanswered(c, executionId, located) : refuseForwarded(outcome.error)
  }
  if (!isResumption || privateHeader(c, deps, FLEET_PICTURES_HEADER) !== undefined) return outcome.response
  const folder = deps.screenshots.newFilesIn
  return fetchPictures(outcome, { body: {}, paths: new Map() }, { host, folder, ...options })
}
