/** Says more of a device that could not be chosen: what each connected one is and does, or why none is ready. */
import { IN_FLIGHT } from '../../../machines/definition.ts'
import { queueOf } from '../../../machines/device/device-queue.ts'
import type { DeviceRecord } from '../../contracts/device/device.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { defined } from '../../contracts/json/json.ts'
import type { CallOptions } from '../../device/link/link.ts'
import { OUTPUT_BYTES_MAX } from '../../device/link/link-limits.ts'
import type { Links, LinkWays } from '../../device/link/links.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import type { Host } from '../../runtime/host.ts'
import { JournalError } from '../../runtime/journal/fault.ts'
import { deviceTarget } from './waiting/waiting-room.ts'

interface DeviceChoiceDeps {
  host: Pick<Host, 'follow'>
  links: Links
  clock: Clock
}

/** A device among several that are ready. */
interface ConnectedDevice {
  deviceId: string
  model?: string
  /** `unknown` while the journal cannot be read. */
  state: 'idle' | 'running' | 'unknown'
  executionId?: string
  commandId?: string
  /** When that execution was accepted, in epoch ms. */
  since?: number
  /** How many requests wait for it. */
  waiting?: number
}

/** Bounds asking all devices for their models; the answer does not wait longer for one that is silent. */
const MODELS_MS = 1_000
/** So many devices are asked; the others are named without a model. */
const ASKED_MAX = 16
/** So many are named in a hint; the details have all of them. */
const NAMED_MAX = 8
const MODEL_CHARS_MAX = 100

const activityOf = (serial: string, { host }: DeviceChoiceDeps): Omit<ConnectedDevice, 'deviceId' | 'model'> => {
  try {
    const { snapshot } = host.follow(deviceTarget(serial)).look()
    const waiting = queueOf(snapshot).length
    if (snapshot?.hasTag(IN_FLIGHT) !== true) return { state: 'idle', waiting }
    const { executionId, commandId, acceptedAt } = snapshot.context.current ?? {}
    return { state: 'running', waiting, ...defined({ executionId, commandId, since: acceptedAt }) }
  } catch (error) {
    if (error instanceof JournalError) return { state: 'unknown' }
    throw error
  }
}

const modelOf = async (serial: string, { links }: DeviceChoiceDeps, call: CallOptions): Promise<string> => {
  const link = await links.get(serial, call)
  const { stdout } = await link.shell('getprop ro.product.model', { ...call, maxBytes: OUTPUT_BYTES_MAX.report })
  return stdout
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, MODEL_CHARS_MAX)
}

const modelsOf = async (serials: readonly string[], deps: DeviceChoiceDeps, { deadline, signal }: CallOptions) => {
  const { clock } = deps
  const models = new Map<string, string>()
  const ms = Math.min(MODELS_MS, (deadline ?? Number.POSITIVE_INFINITY) - clock.now())
  if (ms <= 0) return models
  const call = { deadline: clock.now() + ms, signal }
  const asking = serials.slice(0, ASKED_MAX).map(async serial => {
    const model = await modelOf(serial, deps, call).catch(() => '')
    if (model !== '') models.set(serial, model)
  })
  const over = new AbortController()
  await Promise.race([Promise.all(asking), pause(clock, ms, over.signal)])
  over.abort('the models are known')
  return new Map(models)
}

const timeOf = (at: number): string => new Date(at).toISOString()

const described = ({ deviceId, model, state, executionId, since, waiting = 0 }: ConnectedDevice): string => {
  const busy = executionId === undefined ? state : `running ${executionId}`
  const doing = since === undefined ? busy : `${busy} since ${timeOf(since)}`
  const queue = waiting === 0 ? '' : `, ${waiting} waiting`
  return `${deviceId} (${model === undefined ? '' : `${model}, `}${doing}${queue})`
}

const amongSeveral = async (error: ErrorObject, deps: DeviceChoiceDeps, call: CallOptions): Promise<ErrorObject> => {
  const connected = (error.details?.connected ?? []) as string[]
  const models = await modelsOf(connected, deps, call)
  const devices = connected.map((deviceId): ConnectedDevice => {
    const model = models.get(deviceId)
    return { deviceId, ...(model === undefined ? {} : { model }), ...activityOf(deviceId, deps) }
  })
  const named = devices.slice(0, NAMED_MAX).map(described).join(', ')
  const more = devices.length > NAMED_MAX ? ` and ${devices.length - NAMED_MAX} more` : ''
  return { ...error, details: { ...error.details, devices }, hint: `Name one with \`deviceId\`: ${named}${more}.` }
}

const unreadyHint = ({ serial, state }: DeviceRecord, ways: LinkWays | undefined): string => {
  if (state === 'unauthorized' || state === 'authorizing')
    return `Unlock ${serial} and accept its question about USB debugging.`
  if (ways?.tcpDevices.includes(serial))
    return `Device ${serial} of SVC_TCP_DEVICES cannot be reached: start it, or correct the address.`
  return `Device ${serial} is ${state}: plug it in again, or restart it.`
}

const noneHint = (listed: readonly DeviceRecord[], ways: LinkWays | undefined): string => {
  if (listed.length > 0) {
    const each = listed.slice(0, NAMED_MAX).map(device => unreadyHint(device, ways))
    return [...each, 'More is said by svc doctor.'].join(' ')
  }
  const looked =
    ways === undefined
      ? ''
      : `The adb server at ${ways.server} lists no device, and SVC_TCP_DEVICES ${ways.tcpDevices.length === 0 ? 'is empty' : 'names none that is ready'}. `
  return `${looked}Connect a phone with USB debugging on, start an emulator, or try \`svc simulate\`; svc doctor checks all of this.`
}

/** Codes of a listing in which no device is ready, or which could not be had whole. */
const NONE_READY = ['NO_DEVICES', 'ADB_NOT_FOUND', 'ADB_SERVER_FAILED']

const whyNone = (error: ErrorObject, ways: LinkWays | undefined): ErrorObject => {
  const listed = (error.details?.listed ?? []) as DeviceRecord[]
  // Without any other device, the failure of the debug bridge says it all.
  if (error.code !== 'NO_DEVICES' && listed.length === 0)
    return ways === undefined ? error : { ...error, details: { ...error.details, adb: ways } }
  const details = { ...error.details, ...(ways === undefined ? {} : { adb: ways }) }
  const bridge = error.code === 'NO_DEVICES' ? '' : 'Devices of the debug bridge are missing from the list. '
  return { ...error, details, hint: `${bridge}${noneHint(listed, ways)}` }
}

/** Only reads, and takes about a second at most. */
export const explainChoice = async (
  error: ErrorObject,
  deps: DeviceChoiceDeps,
  call: CallOptions,
): Promise<ErrorObject> => {
  if (error.code === 'MULTIPLE_DEVICES_DEVICE_ID_REQUIRED') return amongSeveral(error, deps, call)
  return NONE_READY.includes(error.code) ? whyNone(error, deps.links.ways?.()) : error
}
