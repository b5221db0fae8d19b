/** A device as the debug bridge lists it, the contract's Device record, and as svc answers it. */
import * as v from 'valibot'
import { Labels, unansweredEntries } from '../fleet.ts'
import { openObject } from '../json/objects.ts'
import { count } from '../json/scalars.ts'
import { Reservation } from '../reservation.ts'

/** `state` is what the bridge says: `device`, `unauthorized`, `offline` and whatever else it knows. */
export const DeviceRecord = openObject({ serial: v.string(), state: v.string() })
export type DeviceRecord = v.InferOutput<typeof DeviceRecord>

export const ListedDevice = openObject({
  ...DeviceRecord.entries,
  /** Names it in every request: the serial, in a fleet `<serial>@<host>`. */
  deviceId: v.string(),
  /** Names the phone, by whichever cable or network it is reached: two serials of one phone have the same. Only with `phones=true`. */
  phone: v.exactOptional(v.string()),
  /** In a fleet: the host to which it is connected. */
  host: v.exactOptional(v.string()),
  /** In a fleet: what `--device any:<terms>` chooses by. */
  labels: v.exactOptional(Labels),
  /** In a fleet: its host drains, so the device takes nothing new there. */
  draining: v.exactOptional(v.literal(true)),
  /** The reservation that keeps others from it. */
  lease: v.exactOptional(v.omit(Reservation, ['deviceId', 'host'])),
})
export type ListedDevice = v.InferOutput<typeof ListedDevice>

export const DevicesQuery = openObject({
  /** Asks each device that is ready which phone it is. A phone with several serials is listed under each. */
  phones: v.exactOptional(v.picklist(['true'], 'must be true')),
})

export const DevicesResponse = openObject({ ok: v.literal(true), devices: v.array(ListedDevice), ...unansweredEntries })
export type DevicesResponse = v.InferOutput<typeof DevicesResponse>

/** A device in its own words; what it does not say is left out. */
export const DeviceInfo = openObject({
  serial: v.string(),
  deviceId: v.string(),
  /** In a fleet: the host to which it is connected. */
  host: v.exactOptional(v.string()),
  model: v.exactOptional(v.string()),
  manufacturer: v.exactOptional(v.string()),
  androidVersion: v.exactOptional(v.string()),
  apiLevel: v.exactOptional(count),
  /** The build, as the settings of the device show it, and the date of its security patch. */
  build: v.exactOptional(v.string()),
  securityPatch: v.exactOptional(v.string()),
  abi: v.exactOptional(v.string()),
  /** In pixels, as applications and touches count them; the density in dots per inch. */
  display: v.exactOptional(openObject({ width: count, height: count, density: v.exactOptional(count) })),
  battery: v.exactOptional(openObject({ percent: count, status: v.exactOptional(v.string()) })),
  /** The package of the application in front. */
  frontApp: v.exactOptional(v.string()),
  /** Its activity, by the full name of the class. */
  frontActivity: v.exactOptional(v.string()),
  keyboardShown: v.exactOptional(v.boolean()),
  /** As the screen is turned now. */
  orientation: v.exactOptional(v.picklist(['portrait', 'landscape'])),
  awake: v.exactOptional(v.boolean()),
  locked: v.exactOptional(v.boolean()),
  /** By the clock of the device, with its offset from UTC: 2026-01-31T12:00:00+0100. */
  time: v.exactOptional(v.string()),
  /** Work profiles and clones are users too; `current` is in front. */
  users: v.exactOptional(
    v.array(openObject({ id: count, name: v.exactOptional(v.string()), running: v.boolean(), current: v.boolean() })),
  ),
})
export type DeviceInfo = v.InferOutput<typeof DeviceInfo>

export const DeviceResponse = openObject({ ok: v.literal(true), device: DeviceInfo })
export type DeviceResponse = v.InferOutput<typeof DeviceResponse>
