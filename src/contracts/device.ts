/** A device as the debug bridge lists it, the contract's Device record, and as svc answers it. */
import * as v from 'valibot'
import { Labels, unansweredEntries } from './fleet.ts'
import { openObject } from './objects.ts'

/** `state` is what the bridge says: `device`, `unauthorized`, `offline` and whatever else it knows. */
export const DeviceRecord = openObject({ serial: v.string(), state: v.string() })
export type DeviceRecord = v.InferOutput<typeof DeviceRecord>

export const ListedDevice = openObject({
  ...DeviceRecord.entries,
  /** Names it in every request: the serial, in a fleet `<serial>@<host>`. */
  deviceId: v.string(),
  /** In a fleet: the host to which it is connected. */
  host: v.exactOptional(v.string()),
  /** In a fleet: what `--device any:<terms>` chooses by. */
  labels: v.exactOptional(Labels),
})
export type ListedDevice = v.InferOutput<typeof ListedDevice>

export const DevicesResponse = openObject({ ok: v.literal(true), devices: v.array(ListedDevice), ...unansweredEntries })
export type DevicesResponse = v.InferOutput<typeof DevicesResponse>
