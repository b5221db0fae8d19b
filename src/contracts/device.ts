/** A device as the debug bridge lists it: the contract's Device record. */
import * as v from 'valibot'
import { openObject } from './objects.ts'

/** `state` is what the bridge says: `device`, `unauthorized`, `offline` and whatever else it knows. */
export const DeviceRecord = openObject({ serial: v.string(), state: v.string() })
export type DeviceRecord = v.InferOutput<typeof DeviceRecord>

export const DevicesResponse = openObject({ ok: v.literal(true), devices: v.array(DeviceRecord) })
export type DevicesResponse = v.InferOutput<typeof DevicesResponse>
