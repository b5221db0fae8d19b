/** The contract's ConfiguredAvd and Running emulator record, and what the emulator routes and commands exchange. */
import * as v from 'valibot'
import { openObject } from '../json/objects.ts'
import { positive } from '../json/scalars.ts'
import {
  AVD_NAME_CHARS_MAX,
  EMULATOR_API_LEVEL,
  EMULATOR_STORAGE_GB,
  STORAGE_GB_MAX,
} from '../limits/emulator-limits.ts'

export const UnsupportedReason = v.picklist([
  'missing_play_store',
  'unsupported_api_level',
  'unsupported_abi',
  'unsupported_device_profile',
])
export type UnsupportedReason = v.InferOutput<typeof UnsupportedReason>

/** Facts are null for an AVD that does not exist, or whose configuration does not say. */
export const ConfiguredAvd = openObject({
  name: v.string(),
  exists: v.boolean(),
  running: v.boolean(),
  apiLevel: v.nullable(positive),
  abi: v.nullable(v.string()),
  playStore: v.nullable(v.boolean()),
  deviceProfile: v.nullable(v.string()),
  systemImage: v.nullable(v.string()),
  supported: v.boolean(),
  unsupportedReasons: v.array(UnsupportedReason),
})
export type ConfiguredAvd = v.InferOutput<typeof ConfiguredAvd>

export const RunningEmulator = openObject({
  type: v.literal('emulator'),
  avdName: v.string(),
  serial: v.string(),
  booted: v.boolean(),
  supported: v.boolean(),
  unsupportedReasons: v.array(UnsupportedReason),
})
export type RunningEmulator = v.InferOutput<typeof RunningEmulator>

/** The name becomes a file name, and an argument of the tools: so neither `..` nor a leading `-`. */
export const AvdName = v.pipe(
  v.string(),
  v.maxLength(AVD_NAME_CHARS_MAX, `must have at most ${AVD_NAME_CHARS_MAX} characters`),
  v.regex(
    /^(?!-)(?!\.*$)[A-Za-z0-9._-]+$/,
    'must consist of letters, digits, ".", "_" and "-", and not begin with "-"',
  ),
)

export const StorageSize = v.pipe(
  v.string(),
  v.regex(
    /^[1-9][0-9]*[Gg][Bb]?$/,
    'must be a positive whole number of gigabytes with the suffix G or GB, such as 12G',
  ),
  v.check(size => !(Number.parseInt(size, 10) > STORAGE_GB_MAX), `must be at most ${STORAGE_GB_MAX}G`),
)

/** The four names of one field; at most one may be given. */
export const STORAGE_KEYS = ['storageSize', 'size', 'diskSize', 'dataPartitionSize'] as const

export const DEFAULT_STORAGE_SIZE = `${EMULATOR_STORAGE_GB}G`
export const DEFAULT_ABI = 'arm64-v8a'
export const DEFAULT_DEVICE_PROFILE = 'pixel_7'

/** Each becomes an argument of a tool. */
const Abi = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be an ABI, such as arm64-v8a or x86_64'),
)
const DeviceProfile = v.pipe(
  v.string(),
  v.regex(/^(?![- ])[\x20-\x7e]{1,128}$/, 'must be the id of a device profile, such as pixel_7'),
)
const LEVEL = 'must be an API level, such as 35'
const apiLevel = v.pipe(v.number(LEVEL), v.safeInteger(LEVEL), v.minValue(1, LEVEL), v.maxValue(10_000, LEVEL))

/** How an emulator is started; the user data stays unless `wipe` is true, and without `window` it runs headless. */
const startEntries = { wipe: v.exactOptional(v.boolean()), window: v.exactOptional(v.boolean()) }

export const StartRequest = openObject(startEntries)
export type StartRequest = v.InferOutput<typeof StartRequest>

const storageEntries = {
  storageSize: v.exactOptional(StorageSize),
  size: v.exactOptional(StorageSize),
  diskSize: v.exactOptional(StorageSize),
  dataPartitionSize: v.exactOptional(StorageSize),
}

const givesOneSize = (request: object) => STORAGE_KEYS.filter(key => key in request).length <= 1
const ONE_SIZE = `only one of ${STORAGE_KEYS.join(', ')} may be given`

/** The default name is the storage size; the default ABI is arm64-v8a, or this host's own where that does not run. */
export const AvdCreateRequest = v.pipe(
  openObject({
    name: v.exactOptional(AvdName),
    apiLevel: v.exactOptional(apiLevel, EMULATOR_API_LEVEL),
    abi: v.exactOptional(Abi),
    deviceProfile: v.exactOptional(DeviceProfile, DEFAULT_DEVICE_PROFILE),
    playStore: v.exactOptional(v.boolean(), true),
    ...storageEntries,
  }),
  v.forward(
    v.check(request => givesOneSize(request), ONE_SIZE),
    ['storageSize'],
  ),
)
export type AvdCreateRequest = v.InferOutput<typeof AvdCreateRequest>

export const ProvisionRequest = v.pipe(
  openObject({ abi: v.exactOptional(Abi), ...startEntries, ...storageEntries }),
  v.forward(
    v.check(request => givesOneSize(request), ONE_SIZE),
    ['storageSize'],
  ),
)
export type ProvisionRequest = v.InferOutput<typeof ProvisionRequest>

const ok = v.literal(true)
const started = { type: v.literal('emulator'), avdName: v.string(), serial: v.string(), booted: v.boolean() }

/** Says that a default was replaced by another value, or why a list is empty. */
const note = v.exactOptional(v.string())

export const AvdsResponse = openObject({ ok, avds: v.array(ConfiguredAvd), note })

export const RunningEmulatorsResponse = openObject({ ok, devices: v.array(RunningEmulator), note })

export const AvdResponse = openObject({ ok, ...ConfiguredAvd.entries, note })

export const AvdStartResponse = openObject({ ok, ...started })

export const AvdStopResponse = openObject({ ok, avdName: v.string(), stopped: v.literal(true) })

export const AvdDeleteResponse = openObject({ ok, avdName: v.string(), deleted: v.literal(true) })

export const ProvisionResponse = openObject({
  ok,
  ...started,
  created: v.boolean(),
  started: v.boolean(),
  reused: v.boolean(),
  note,
})
