/** A request about one execution, at any host: looked at, cancelled or resumed where it is. */
import type { Next } from 'hono'
import { CHOSEN_ID_HEADER } from '../../contracts/daemon-headers.ts'
import { failure } from '../../contracts/failures.ts'
import { FLEET_HOST_HEADER } from '../../contracts/fleet-headers.ts'
import { withinOf } from '../../fleet/patience.ts'
import { JSON_TYPE, refuse } from '../answer.ts'
import { readAhead } from '../json-body.ts'
import { forward, refuseForwarded } from './forward.ts'
import { type Ctx, type GateDeps, privateHeader } from './gate-request.ts'

const LOOK_MS = 5_000
const NOT_FOUND = 404

/** The host that has the execution: this one, else the one whose receipt was mirrored, else whoever says so. */
export const toExecution = async (
  c: Ctx,
  next: Next,
  executionId: string,
  { deps, fleet }: GateDeps,
): Promise<Response | undefined> => {
  if (deps.journal.receipt(executionId)) return void (await next())
  const mirrored = await fleet.mirrored(executionId).catch(() => undefined)
  const known = mirrored?.host
  const hosts = known === undefined ? fleet.others() : fleet.isAlive(known) ? [known] : []
  const { incoming } = c.env
  const read = c.req.method === 'POST' ? await readAhead(incoming, { ...deps, mayBeAbsent: true }) : undefined
  if (read && !read.body.ok) return void (await next())
  const body = read?.body.ok ? read.body.body : undefined
  const isLook = c.req.method === 'GET'
  for (const host of hosts) {
    // Only the host that has it may be asked to change something: the others are asked whether they are that one.
    if (!isLook && known === undefined) {
      const path = `/executions/${encodeURIComponent(executionId)}`
      const found = await forward(
        host,
        { method: 'GET', path, withinMs: LOOK_MS },
        { fleet, incoming, isPrivate: deps.isPrivate },
      )
      if (found.kind !== 'answered' || found.response.status !== 200) continue
    }
    const withinMs = withinOf(c.req.path, body)
    const resumed = c.req.method === 'POST' ? privateHeader(c, deps, CHOSEN_ID_HEADER) : undefined
    const out = { method: c.req.method, path: incoming.url ?? c.req.path, body, withinMs, executionId: resumed }
    const outcome = await forward(host, out, { fleet, incoming, isPrivate: deps.isPrivate })
    if (outcome.kind === 'answered' && (outcome.response.status !== NOT_FOUND || known !== undefined))
      return outcome.response
    if (outcome.kind === 'refused' && known !== undefined && !isLook) return refuseForwarded(outcome.error)
  }
  if (!mirrored) return void (await next())
  if (isLook && c.req.path === `/executions/${executionId}`) {
    // Its host does not answer: this is what it had told by then.
    return new Response(JSON.stringify({ ok: true, execution: mirrored }), {
      status: 200,
      headers: { 'Content-Type': JSON_TYPE, [FLEET_HOST_HEADER]: mirrored.host ?? '' },
    })
  }
  const { host = '', dispatchedAt } = mirrored
  return refuse(
    failure('FLEET_HOST_GONE', `Host ${host}, which has the execution, does not answer.`, {
      details: { host, executionId, dispatched: dispatchedAt !== undefined ? true : 'unknown' },
    }),
  )
}
