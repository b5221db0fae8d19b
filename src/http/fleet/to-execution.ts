/** A request about one execution, at any host: looked at, cancelled or resumed where it is. */
import type { Next } from 'hono'
import type { ErrorObject } from '../../contracts/error.ts'
import { failure } from '../../contracts/failures.ts'
import { FLEET_HOST_HEADER } from '../../contracts/headers.ts'
import { isObject } from '../../contracts/json.ts'
import type { FleetFront } from '../../fleet/front.ts'
import { isPlacement } from '../../fleet/labels.ts'
import { withinOf } from '../../fleet/patience.ts'
import { executionUnanswered } from '../../fleet/refusals.ts'
import { JSON_TYPE, refuse } from '../answer.ts'
import { readAhead } from '../json-body.ts'
import { forward, refuseForwarded } from './forward.ts'
import { type Ctx, type GateDeps, takeFromFleet } from './gate-request.ts'
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
  return refuse(executionUnanswered(host, mirrored ?? { executionId }))
}

type Named = { ok: true; body: unknown } | { ok: false; error: ErrorObject }

/** An execution is resumed on its own host, which knows a device by the serial there. */
const onItsHost = (body: unknown, host: string, executionId: string, fleet: FleetFront): Named => {
  if (!isObject(body) || typeof body.deviceId !== 'string') return { ok: true, body }
  const { deviceId } = body
  const at = deviceId.lastIndexOf('@')
  const named = deviceId.slice(at + 1).trim()
  const isOfFleet = isPlacement(deviceId.trim()) || (at > 0 && fleet.knows(named))
  if (!isOfFleet) return { ok: true, body }
  if (at > 0 && named === host) return { ok: true, body: { ...body, deviceId: deviceId.slice(0, at).trim() } }
  const placed = fleet.place(deviceId)
  const row = placed.ok ? placed.candidates.find(candidate => candidate.host === host) : undefined
  if (row) return { ok: true, body: { ...body, deviceId: row.serial } }
  return {
    ok: false,
    error: failure('RESUME_REFUSED', `Host ${host} has the execution, and ${deviceId} is no device of it.`, {
      details: { executionId, host, deviceId, dispatched: false },
      hint: `Name a device of host ${host} as <serial>@${host}, or leave the device out to resume on the same one.`,
    }),
  }
}

export const toExecution = async (
  c: Ctx,
  next: Next,
  executionId: string,
  gate: GateDeps,
): Promise<Response | undefined> => {
  const { deps, fleet, context } = gate
  const { incoming } = c.env
  const { method, path } = c.req
  const isResumption = method === 'POST'
  const isOwn = deps.journal.receipt(executionId) !== undefined || deps.executions.isHere(executionId)
  if (isOwn && !isResumption) return void (await next())
  const read = isResumption ? await readAhead(incoming, { ...deps, mayBeAbsent: true }) : undefined
  // The route says what is wrong with it.
  if (read && !read.body.ok) return void (await next())
  const options = { fleet, context }
  const located = isOwn ? undefined : await locate(executionId, options)
  const host = located?.host ?? fleet.host
  const given = read?.body.ok ? read.body.body : undefined
  const named = onItsHost(given, host, executionId, fleet)
  if (!named.ok) return refuse(named.error)
  const { body } = named
  if (!located || host === fleet.host) {
    // A client of the fleet is no local caller.
    const refused = isOwn && isResumption && deps.isPrivate ? takeFromFleet(c, gate) : undefined
    if (refused) return refused
    if (body !== given) read?.change(body)
    return void (await next())
  }
  if (!fleet.isAlive(host)) return unanswered(c, executionId, located)
  const outcome = await forward(
    host,
    {
      method,
      path: incoming.url ?? path,
      body,
      withinMs: withinOf(path, body),
      executionId: isResumption ? (context.executionId ?? fleet.newExecutionId()) : undefined,
    },
    options,
  )
  if (outcome.kind === 'refused') {
    return method === 'GET' ? unanswered(c, executionId, located) : refuseForwarded(outcome.error)
  }
  if (!isResumption || context.fetchesPictures) return outcome.response
  const folder = deps.screenshots.newFilesIn
  return fetchPictures(outcome, { body: {}, paths: new Map() }, { host, folder, ...options })
}
