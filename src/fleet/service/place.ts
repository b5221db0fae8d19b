/** Places a request for a device: on devices of the fleet, on this host, or nowhere; and chooses among those that fit. */

import type { DeviceRecord } from '../../contracts/device/device.ts'
import { isReceiptInFlight } from '../../contracts/executions/receipt.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { FLEET_HOST } from '../../contracts/limits/fleet-limits.ts'
import { missingTerm } from '../../device/link/select-device.ts'
import type { RequestOptions, Result, Service } from '../../service/service.ts'
import type { Fleet, FleetRow } from '../fleet.ts'
import { isPlacement } from '../membership/labels.ts'
import { mayGoElsewhere, unreachable } from '../refusals.ts'

export type Placement =
  | { kind: 'candidates'; candidates: readonly [FleetRow, ...FleetRow[]] }
  /** On this host alone, which judges the device itself; `serial` where the caller wrote more than that. */
  | { kind: 'here'; serial?: string }
  | { kind: 'refused'; error: ErrorObject }

export interface PlaceDeps {
  fleet: Fleet
  listDevices(signal: AbortSignal): Promise<DeviceRecord[]>
}

const isListedHere = async (serial: string, { listDevices }: PlaceDeps): Promise<boolean> => {
  try {
    return (await listDevices(new AbortController().signal)).some(device => device.serial === serial)
  } catch {
    return false
  }
}

/** While this host is cut off, or no member yet, it knows of its own devices only. */
const placeWhileCut = async (wanted: string, deps: PlaceDeps): Promise<Placement> => {
  const { fleet } = deps
  if (isPlacement(wanted)) return { kind: 'refused', error: unreachable() }
  const at = wanted.lastIndexOf('@')
  const host = wanted.slice(at + 1)
  if (at <= 0 || !FLEET_HOST.test(host)) return { kind: 'here' }
  if (host === fleet.host) return { kind: 'here', serial: wanted.slice(0, at) }
  // The debug bridge may list a serial that holds an @.
  if (!fleet.knows(host) && (await isListedHere(wanted, deps))) return { kind: 'here' }
  return { kind: 'refused', error: unreachable(host) }
}

/** A blank id counts as not given. */
export const placeDevice = async (deviceId: string | undefined, deps: PlaceDeps): Promise<Placement> => {
  const { fleet } = deps
  const wanted = deviceId?.trim() ?? ''
  const unfinished = missingTerm(wanted)
  if (unfinished) return { kind: 'refused', error: unfinished }
  const isUp = fleet.isUp()
  if (!isUp && isPlacement(wanted)) return placeWhileCut(wanted, deps)
  const placed = fleet.place(wanted)
  if (placed.ok) return { kind: 'candidates', candidates: placed.candidates }
  if (isUp) return { kind: 'refused', error: placed.error }
  const { code, details } = placed.error
  if (code === 'FLEET_HOST_GONE') return { kind: 'refused', error: unreachable(String(details?.host)) }
  return placeWhileCut(wanted, deps)
}

/** Asks the device that has the fewest requests on their way first, and the next one after a refusal that proves nothing was done. */
export const onFirstFree = async <T>(
  candidates: readonly [FleetRow, ...FleetRow[]],
  { sending }: Fleet,
  run: (row: FleetRow) => Promise<Result<T>>,
): Promise<Result<T>> => {
  const left = [...candidates]
  let refused: Result<T> | undefined
  for (;;) {
    const [row] = sending.leastAsked(left)
    if (!row) break
    left.splice(left.indexOf(row), 1)
    const result = await sending.during(row, () => run(row))
    if (result.ok || !mayGoElsewhere(result.error, result.executionId)) return result
    // The first refusal is that of the device which fits best.
    refused ??= result
  }
  if (refused === undefined) throw new Error('there is no device to choose from')
  return refused
}

const LOOK_MS = 3_000

export interface IdleDeps {
  fleet: Fleet
  peer(host: string): Pick<Service, 'executions.list'>
}

/** True when nothing runs there, by the receipts of its host: the records of hosts can be seconds old. */
const isIdle = async (
  { host, serial }: FleetRow,
  { context }: RequestOptions,
  { fleet, peer }: IdleDeps,
): Promise<boolean> => {
  if (host === fleet.host) return !fleet.isBusy(serial)
  const call = { context: { caller: context.caller, answerWithinMs: LOOK_MS } }
  const listed = await peer(host)['executions.list']({ deviceId: serial, limit: 1 }, call)
  if (!listed.ok) return false
  const [newest] = listed.value.executions
  return newest === undefined || !isReceiptInFlight(newest.state)
}

/** The one device for a request that is sent to no second one: the first that is free now, else the first of all. */
export const firstIdle = async (
  candidates: readonly [FleetRow, ...FleetRow[]],
  call: RequestOptions,
  deps: IdleDeps,
): Promise<FleetRow> => {
  const { sending } = deps.fleet
  const [first = candidates[0], ...others] = sending.leastAsked(candidates)
  if (others.length === 0) return first
  if (await isIdle(first, call, deps)) return first
  const looked = await Promise.all(others.map(row => isIdle(row, call, deps)))
  return sending.leastAsked(others.filter((_, index) => looked[index]))[0] ?? first
}
