/** A request that names a device: passed on to the host that owns it, or let through to its route here. */
import type { Next } from 'hono'
import { EXECUTION_ID_HEADER } from '../../contracts/headers.ts'
import { isObject, type JsonObject } from '../../contracts/json.ts'
import type { FleetRow } from '../../fleet/front.ts'
import { isPlacement } from '../../fleet/labels.ts'
import { withinOf } from '../../fleet/patience.ts'
import { pathsProblem, withoutPaths } from '../../fleet/pictures.ts'
import { draining, mayGoElsewhere, unreachable } from '../../fleet/refusals.ts'
import { screenshotPathProblem } from '../../operator/screenshot-file.ts'
import { lookFolder, pruneLooks } from '../../viewer/pictures.ts'
import { errorIn, refuse } from '../answer.ts'
import { readAhead } from '../json-body.ts'
import { firstIdle, onFirstFree } from './candidates.ts'
import { forward, type Outcome, refuseForwarded } from './forward.ts'
import { type Ctx, type GateDeps, keyOf, takeFromFleet } from './gate-request.ts'
import {
  firstUseOf,
  freeIfRefused,
  type Held,
  holderOf,
  isUsed,
  keyNotHeld,
  keyOfOtherDevice,
  usedFor,
} from './keys.ts'
import { fetchPictures } from './pictures.ts'
import { placeDevice } from './place-device.ts'

const MAKES_EXECUTION = /^\/(execute|snapshot|screenshot|inspector\/looks)$/
const LOOK_ROUTE = '/inspector/looks'

interface Wanted {
  body: JsonObject
  /** Blank counts as not given. */
  deviceId: string | undefined
}

/** Its body as its route is to read it, for a device of this host; or why nothing is taken. */
const prepareHere = (
  c: Ctx,
  change: (body: unknown) => void,
  wanted: Wanted,
  serial: string,
  gate: GateDeps,
): Response | undefined => {
  // A client of the fleet is not a local caller.
  const refused = gate.deps.isPrivate ? takeFromFleet(c, gate) : undefined
  if (refused) return refused
  // A skill is told which device it runs on only if its caller named one.
  if (wanted.deviceId !== undefined) change({ ...wanted.body, deviceId: serial })
  return undefined
}

/** To its route, for a device of this host. */
const stay = async (
  c: Ctx,
  next: Next,
  change: (body: unknown) => void,
  wanted: Wanted,
  serial: string,
  gate: GateDeps,
) => {
  const refused = prepareHere(c, change, wanted, serial, gate)
  if (!refused) await next()
  return refused
}

/** To the host that has the device; with the pictures it takes, where they are wanted here. */
const send = async (
  c: Ctx,
  place: Place,
  wanted: Wanted,
  held: Held | undefined,
  { deps, fleet, context }: GateDeps,
): Promise<{ outcome: Outcome; response: Response }> => {
  const { incoming } = c.env
  const { path } = c.req
  const body = { ...wanted.body, ...(wanted.deviceId === undefined ? {} : { deviceId: place.serial }) }
  const pictures = context.fetchesPictures
    ? { body, paths: new Map() }
    : withoutPaths(path, body, deps.screenshots.relativeTo)
  const unwritable = await pathsProblem(pictures, screenshotPathProblem)
  if (unwritable) return { outcome: { kind: 'refused', error: unwritable }, response: refuse(unwritable) }
  const chosen = context.executionId ?? (held?.isNew ? held.executionId : undefined)
  const out = {
    method: 'POST',
    path: incoming.url ?? path,
    body: pictures.body,
    withinMs: withinOf(path, wanted.body),
    executionId: MAKES_EXECUTION.test(path) ? (chosen ?? fleet.newExecutionId()) : undefined,
    epoch: place.epoch,
  }
  const outcome = await forward(place.host, out, { fleet, context })
  if (outcome.kind === 'refused') {
    const error = isUsed(held) ? await firstUseOf(held, outcome.error, fleet) : outcome.error
    return { outcome, response: refuseForwarded(error) }
  }
  if (context.fetchesPictures) return { outcome, response: outcome.response }
  const { newFilesIn } = deps.screenshots
  const folder = path === LOOK_ROUTE ? lookFolder(newFilesIn) : newFilesIn
  const where = { host: place.host, folder, fleet, context }
  const response = await fetchPictures(outcome, pictures, where)
  if (path === LOOK_ROUTE) await pruneLooks(folder, deps.note)
  return { outcome, response }
}

interface Place {
  host: string
  serial: string
  epoch?: number | undefined
}

/** True when the caller names the device that holds the key; it may have moved to another host since. */
const namesHeld = ({ deviceId }: Wanted, { serial, host }: Held, { fleet }: GateDeps, row?: FleetRow): boolean => {
  if (deviceId === undefined || isPlacement(deviceId)) return true
  if (deviceId === serial || deviceId === `${serial}@${host}`) return true
  const placed = fleet.place(`${serial}@${host}`)
  return placed.ok && placed.candidates[0].phone !== undefined && placed.candidates[0].phone === row?.phone
}

/** To the host where the key was used first: what was done under it is there, wherever the device is now. */
const toHolder = async (
  c: Ctx,
  next: Next,
  change: (body: unknown) => void,
  wanted: Wanted,
  held: Held,
  gate: GateDeps,
) => {
  if (held.host === gate.fleet.host) return stay(c, next, change, wanted, held.serial, gate)
  if (!gate.fleet.isUp()) return refuseForwarded(unreachable(held.host))
  return (await send(c, held, wanted, held, gate)).response
}

/** To the device that was chosen, or to the one that the key was used for before. */
const toOneUnder = async (
  held: Held | undefined,
  row: FleetRow,
  c: Ctx,
  next: Next,
  change: (body: unknown) => void,
  wanted: Wanted,
  gate: GateDeps,
): Promise<Response | undefined> => {
  const { fleet } = gate
  const isChosen = !held || (held.host === row.host && held.serial === row.serial)
  if (held && !isChosen && !namesHeld(wanted, held, gate, row)) return keyOfOtherDevice(held)
  if (held && !isChosen) return toHolder(c, next, change, wanted, held, gate)
  if (row.host === fleet.host) return stay(c, next, change, wanted, row.serial, gate)
  if (!fleet.isUp()) return refuseForwarded(unreachable(row.host))
  if (row.isDraining && !isUsed(held)) return refuse(draining(row.host))
  return (await send(c, row, wanted, held, gate)).response
}

const toOne = async (
  row: FleetRow,
  key: string | undefined,
  c: Ctx,
  next: Next,
  change: (body: unknown) => void,
  wanted: Wanted,
  gate: GateDeps,
): Promise<Response | undefined> => {
  const { fleet, context } = gate
  const isHere = row.host === fleet.host
  // A request that repeats this one finds the execution by this id, also while its host is silent.
  const executionId = isHere ? undefined : (context.executionId ?? fleet.newExecutionId())
  const chosen = { host: row.host, serial: row.serial, ...(executionId === undefined ? {} : { executionId }) }
  const held = key === undefined ? undefined : await holderOf(key, chosen, gate)
  if (key !== undefined && !held) return isHere ? keyNotHeld(gate) : refuseForwarded(unreachable(row.host))
  const response = await toOneUnder(held, row, c, next, change, wanted, gate)
  if (held) await freeIfRefused(held, response ?? c.res)
  return response
}

/** One of several devices fits the caller as well as another: the first that takes it. */
const toAnyOf = (
  candidates: readonly FleetRow[],
  c: Ctx,
  change: (body: unknown) => void,
  wanted: Wanted,
  gate: GateDeps,
): Promise<Response> => {
  const { fleet, toRoute } = gate
  return onFirstFree(candidates, {
    sending: fleet.sending,
    async run(row) {
      if (row.host !== fleet.host) return (await send(c, row, wanted, undefined, gate)).response
      return prepareHere(c, change, wanted, row.serial, gate) ?? (await toRoute(c))
    },
    async mayGoOn(response) {
      const error = await errorIn(response)
      return error !== undefined && mayGoElsewhere(error, response.headers.get(EXECUTION_ID_HEADER) ?? undefined)
    },
  })
}

export const toDevice = async (c: Ctx, next: Next, gate: GateDeps): Promise<Response | undefined> => {
  const { deps, fleet, context } = gate
  const { body: read, change } = await readAhead(c.env.incoming, { ...deps, mayBeAbsent: false })
  // The route says what is wrong with it.
  if (!read.ok || !isObject(read.body)) return void (await next())
  const { deviceId } = read.body
  if (deviceId !== undefined && typeof deviceId !== 'string') return void (await next())
  const key = keyOf(c, context)
  const wanted = { body: read.body, deviceId: deviceId?.trim() ? deviceId : undefined }
  const placing = await placeDevice(deviceId, { fleet, listDevices: deps.listDevices })
  if (placing.kind !== 'candidates') {
    const held = key === undefined ? undefined : await usedFor(key, gate)
    if (held && namesHeld(wanted, held, gate)) return toHolder(c, next, change, wanted, held, gate)
    if (key !== undefined && !fleet.isUp()) return keyNotHeld(gate)
    if (placing.kind === 'refused') return refuseForwarded(placing.error)
    // Its route says what is wrong with the devices of this host.
    if (placing.serial !== undefined) change({ ...read.body, deviceId: placing.serial })
    return void (await next())
  }
  const { candidates } = placing
  const isAny = candidates.length > 1
  if (isAny && key === undefined) return toAnyOf(candidates, c, change, wanted, gate)
  if (key === undefined || !isAny) return toOne(candidates[0], key, c, next, change, wanted, gate)
  // The key is claimed for one device, and the request goes to no other: so that one is looked for before.
  const row = await firstIdle(candidates, { fleet, context })
  return fleet.sending.during(row, () => toOne(row, key, c, next, change, wanted, gate))
}
