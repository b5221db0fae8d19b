/** Places a request that names a device, for every listener: on devices of the fleet, on this host, or nowhere. */
import type { DeviceRecord } from '../../contracts/device.ts'
import type { ErrorObject } from '../../contracts/error.ts'
import { FLEET_HOST } from '../../contracts/fleet-limits.ts'
import type { FleetFront, FleetRow } from '../../fleet/front.ts'
import { isPlacement } from '../../fleet/labels.ts'
import { unreachable } from '../../fleet/refusals.ts'

export type Placing =
  | { kind: 'candidates'; candidates: readonly [FleetRow, ...FleetRow[]] }
  /** On this host alone, which judges the device itself; `serial` where the caller wrote more than that. */
  | { kind: 'here'; serial?: string }
  | { kind: 'refused'; error: ErrorObject }

export interface PlaceDeps {
  fleet: FleetFront
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
const placeWhileCut = async (wanted: string, deps: PlaceDeps): Promise<Placing> => {
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
export const placeDevice = async (deviceId: string | undefined, deps: PlaceDeps): Promise<Placing> => {
  const { fleet } = deps
  const wanted = deviceId?.trim() ?? ''
  const isUp = fleet.isUp()
  if (!isUp && isPlacement(wanted)) return placeWhileCut(wanted, deps)
  const placed = fleet.place(wanted)
  if (placed.ok) return { kind: 'candidates', candidates: placed.candidates }
  if (isUp) return { kind: 'refused', error: placed.error }
  const { code, details } = placed.error
  if (code === 'FLEET_HOST_GONE') return { kind: 'refused', error: unreachable(String(details?.host)) }
  return placeWhileCut(wanted, deps)
}
