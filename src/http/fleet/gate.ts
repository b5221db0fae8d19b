/** In a fleet: which host a request is for, before any route is asked. What is for this host goes on to its route. */
import type { IncomingMessage } from 'node:http'
import type { Context, Next } from 'hono'
import { CHOSEN_ID_HEADER } from '../../contracts/daemon-headers.ts'
import { failure } from '../../contracts/failures.ts'
import { FLEET_FROM_HEADER, FLEET_HOST_HEADER, FLEET_PICTURES_HEADER } from '../../contracts/fleet-headers.ts'
import type { FleetFront, FleetRow } from '../../fleet/front.ts'
import { withinOf } from '../../fleet/patience.ts'
import { pathsProblem, withoutPaths } from '../../fleet/pictures.ts'
import { unreachable } from '../../fleet/refusals.ts'
import { screenshotPathProblem } from '../../operator/screenshot-file.ts'
import { refuse } from '../answer.ts'
import type { HttpDeps } from '../deps.ts'
import { headerOf, IDEMPOTENCY_KEY_HEADER } from '../headers.ts'
import { readAhead } from '../json-body.ts'
import type { App, HttpEnv } from '../module.ts'
import { forward, type Outcome, refuseForwarded } from './forward.ts'
import { fetchPictures } from './pictures.ts'

type Ctx = Context<HttpEnv>

/** Routes whose body names a device. */
const DEVICE_ROUTE = /^\/(execute|snapshot|screenshot|inspector\/looks|skills\/[^/]+\/run)$/
/** Routes about one execution. */
const EXECUTION_ROUTE = /^\/executions\/([^/]+)(\/.*)?$/
const MAKES_EXECUTION = /^\/(execute|snapshot|screenshot|inspector\/looks)$/
const BUSY = 423

interface GateDeps {
  deps: HttpDeps
  fleet: FleetFront
}

/** Another host sent it here, so it goes no further. */
export const isFromFleet = ({ headers }: IncomingMessage, { isPrivate }: Pick<HttpDeps, 'isPrivate'>): boolean =>
  isPrivate && headers[FLEET_FROM_HEADER] !== undefined

/** Of a client of the fleet, which is believed as a host is; undefined from all others. */
const privateHeader = ({ env }: Ctx, { isPrivate }: HttpDeps, name: string): string | undefined => {
  const value = isPrivate ? env.incoming.headers[name] : undefined
  return typeof value === 'string' ? value : undefined
}

/** What another host sends here is for a phone of this one; whether it is still its own is asked again at each dispatch. */
const takeFromFleet = (c: Ctx, fleet: FleetFront): Response | undefined => {
  if (!DEVICE_ROUTE.test(c.req.path) || fleet.isServing()) return undefined
  return refuse(
    failure('FLEET_HOST_GONE', `Host ${fleet.host} takes no requests of the fleet at the moment.`, {
      details: { host: fleet.host, dispatched: false },
    }),
  )
}

const isObject = (body: unknown): body is Record<string, unknown> =>
  typeof body === 'object' && body !== null && !Array.isArray(body)

/** Who has used the key before has the execution; a key that is new is held for the device that was chosen. */
const holderOf = async (c: Ctx, row: FleetRow, { fleet }: GateDeps): Promise<Pick<FleetRow, 'host' | 'serial'>> => {
  const key = headerOf(c.env.incoming, IDEMPOTENCY_KEY_HEADER)
  return key === undefined ? row : fleet.holdKey(key, { host: row.host, serial: row.serial })
}

const toDevice = async (c: Ctx, next: Next, gate: GateDeps): Promise<Response | undefined> => {
  const { deps, fleet } = gate
  const { incoming } = c.env
  const { body: read, change } = await readAhead(incoming, { ...deps, mayBeAbsent: false })
  // The route says what is wrong with it.
  if (!read.ok || !isObject(read.body)) return void (await next())
  const { deviceId } = read.body
  if (deviceId !== undefined && typeof deviceId !== 'string') return void (await next())
  const isNamed = deviceId !== undefined && deviceId.trim() !== ''
  const placed = fleet.place(deviceId)
  if (!placed.ok) {
    if (fleet.isUp()) return refuse(placed.error)
    // Cut off, this host knows of its own devices only, and its route says what is wrong with those.
    return void (await next())
  }
  let outcome: Outcome | undefined
  for (const row of placed.candidates) {
    let holder: Pick<FleetRow, 'host' | 'serial'> = row
    try {
      holder = await holderOf(c, row, gate)
    } catch {
      if (row.host !== fleet.host) return refuseForwarded(unreachable(row.host))
    }
    if (holder.host === fleet.host) {
      // A client of the fleet is no local caller.
      const refused = deps.isPrivate ? takeFromFleet(c, fleet) : undefined
      if (refused) return refused
      // A skill is told which device it runs on only if its caller named one.
      if (isNamed) change({ ...read.body, deviceId: holder.serial })
      return void (await next())
    }
    if (!fleet.isUp()) return refuseForwarded(unreachable(holder.host))
    if (row.isDraining) {
      const details = { host: row.host, dispatched: false }
      return refuse(failure('FLEET_HOST_GONE', `Host ${row.host} is draining and takes nothing new.`, { details }))
    }
    const path = c.req.path
    const body = { ...read.body, ...(isNamed ? { deviceId: holder.serial } : {}) }
    const isFetchedByCaller = privateHeader(c, deps, FLEET_PICTURES_HEADER) !== undefined
    const pictures = isFetchedByCaller
      ? { body, paths: new Map() }
      : withoutPaths(path, body, deps.screenshots.relativeTo)
    const unwritable = await pathsProblem(pictures, screenshotPathProblem)
    if (unwritable) return refuse(unwritable)
    const chosen = privateHeader(c, deps, CHOSEN_ID_HEADER)
    const executionId = MAKES_EXECUTION.test(path) ? (chosen ?? fleet.newExecutionId()) : undefined
    const out = {
      method: 'POST',
      path: incoming.url ?? path,
      body: pictures.body,
      withinMs: withinOf(path, read.body),
      executionId,
      epoch: holder === row ? row.epoch : undefined,
    }
    outcome = await forward(holder.host, out, { fleet, incoming, isPrivate: deps.isPrivate })
    if (outcome.kind === 'answered' && outcome.response.status === BUSY && holder === row) continue
    if (outcome.kind === 'refused') return refuseForwarded(outcome.error)
    if (isFetchedByCaller) return outcome.response
    return fetchPictures(outcome, pictures, { host: holder.host, deps, fleet, incoming })
  }
  return outcome?.kind === 'answered' ? outcome.response : undefined
}

/** The host that has the execution: this one, else the one whose receipt was mirrored, else whoever says so. */
const toExecution = async (
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
      headers: { 'Content-Type': 'application/json', [FLEET_HOST_HEADER]: mirrored.host ?? '' },
    })
  }
  const { host = '', dispatchedAt } = mirrored
  return refuse(
    failure('FLEET_HOST_GONE', `Host ${host}, which has the execution, does not answer.`, {
      details: { host, executionId, dispatched: dispatchedAt !== undefined ? true : 'unknown' },
    }),
  )
}

const LOOK_MS = 5_000
const NOT_FOUND = 404

/** Before all routes of an app whose host is in a fleet. */
export const mountFleetGate = (app: App, deps: HttpDeps, fleet: FleetFront): void => {
  const gate = { deps, fleet }
  app.use('*', async (c, next) => {
    if (isFromFleet(c.env.incoming, deps)) return takeFromFleet(c, fleet) ?? (await next())
    const { path, method } = c.req
    if (method === 'POST' && DEVICE_ROUTE.test(path)) return toDevice(c, next, gate)
    const [, id] = EXECUTION_ROUTE.exec(path) ?? []
    if (id !== undefined) return toExecution(c, next, decodeURIComponent(id), gate)
    return void (await next())
  })
}
