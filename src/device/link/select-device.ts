/** Selects the device of an execution from a listing: the contract's device choice. */
import type { DeviceRecord } from '../../contracts/device/device.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { failure, isFailureCode } from '../../contracts/failures/failures.ts'
import type { CallOptions, Link, LinkError } from './link.ts'

export type OwnershipKeyKind = 'hardware-serial' | 'adb-serial'

/** SVC_LEASE_BY: phones that share a hardware serial are told apart by how the debug bridge lists them. */
export const leaseKeyKind = ({ SVC_LEASE_BY }: { SVC_LEASE_BY?: string | undefined }): OwnershipKeyKind =>
  SVC_LEASE_BY === 'adb-serial' ? 'adb-serial' : 'hardware-serial'

export const deviceOwnershipKey = async (
  link: Link,
  leaseBy: OwnershipKeyKind,
  options: CallOptions,
): Promise<string> => `device:${leaseBy === 'adb-serial' ? link.serial : await link.hardwareSerial(options)}`

export type Selection = { ok: true; serial: string } | { ok: false; error: ErrorObject }

const READY = 'device'

const LIST_HINT = 'Name a device that `GET /devices` lists.'

const refuse = (...words: Parameters<typeof failure>): Selection => ({ ok: false, error: failure(...words) })

/** A device that is there but not ready. A state that adb passes through counts as the one it comes from. */
const unready = (serial: string, state: string, connected: string[]): Selection => {
  const details = { state, connected }
  switch (state) {
    case 'unauthorized':
    case 'authorizing':
      return refuse('DEVICE_UNAUTHORIZED', `Device ${serial} has not allowed this host to debug it.`, {
        details,
        hint: 'Unlock the device and accept the question about USB debugging.',
      })
    case 'offline':
    case 'connecting':
      return refuse('DEVICE_OFFLINE', `Device ${serial} is listed as ${state}.`, {
        details,
        hint: 'Plug it in again, or restart the adb server; svc doctor says what to do.',
      })
    default:
      return refuse('DEVICE_NOT_FOUND', `Device ${serial} is in state ${state}, not ready for use.`, {
        details,
        hint: LIST_HINT,
      })
  }
}

const FLEET_HINT =
  'To use any, any:<terms> or <serial>@<host>, which name devices of a fleet, set SVC_FLEET to its NATS servers, such as nats://nats1:4222,nats://nats2:4222.'

/** The forms that a fleet resolves to a serial before a host is asked. */
const isOfFleet = (wanted: string): boolean => /@|^any\s*(:|$)/.test(wanted)

const missing = (wanted: string, connected: string[]): Selection =>
  isOfFleet(wanted)
    ? refuse('DEVICE_NOT_FOUND', `Device ${wanted} is not connected to this machine, and this svc is in no fleet.`, {
        details: { connected },
        hint: FLEET_HINT,
      })
    : refuse('DEVICE_NOT_FOUND', `Device ${wanted} is not connected.`, { details: { connected }, hint: LIST_HINT })

const chosen = (devices: readonly DeviceRecord[], wanted: string, connected: string[]): Selection => {
  const found = devices.find(({ serial }) => serial === wanted)
  if (!found) return missing(wanted, connected)
  return found.state === READY ? { ok: true, serial: wanted } : unready(wanted, found.state, connected)
}

const only = (devices: readonly DeviceRecord[], connected: string[]): Selection => {
  const [serial, ...others] = connected
  if (serial !== undefined && others.length === 0) return { ok: true, serial }
  if (serial !== undefined)
    return refuse('MULTIPLE_DEVICES_DEVICE_ID_REQUIRED', `${connected.length} devices are connected; name one.`, {
      details: { connected },
      hint: `Name one of ${connected.join(', ')} with \`deviceId\`.`,
    })
  const notReady = devices.map(device => `${device.serial} is ${device.state}`).join(', ')
  return refuse('NO_DEVICES', 'No device is connected and ready.', {
    details: { connected, listed: devices },
    ...(notReady === '' ? {} : { hint: `Listed, but not ready: ${notReady}. See svc doctor for what to do.` }),
  })
}

/** An unset variable behind the colon would otherwise choose any device. */
const WITHOUT_TERM = /^any\s*:\s*$/

/** Undefined for ids that may be looked for. */
export const missingTerm = (deviceId: string | undefined): ErrorObject | undefined =>
  WITHOUT_TERM.test(deviceId?.trim() ?? '')
    ? failure('INVALID_DEVICE_ID', `The device id ${JSON.stringify(deviceId)} has no term behind the colon.`, {
        hint: 'Give `deviceId` as any:<label><comparison><value>, such as any:pool=ci; any alone is whichever device is free.',
      })
    : undefined

/**
 * A blank id counts as not given. `problem` is why the listing may lack devices: it explains a missing one better than
 * its absence does.
 */
export const selectDevice = (
  devices: readonly DeviceRecord[],
  wantedId: string | undefined,
  problem?: LinkError,
): Selection => {
  const connected = devices.filter(({ state }) => state === READY).map(({ serial }) => serial)
  const wanted = wantedId?.trim() ?? ''
  const unfinished = missingTerm(wanted)
  if (unfinished) return { ok: false, error: unfinished }
  const isListed = wanted === '' ? connected.length > 0 : devices.some(({ serial }) => serial === wanted)
  if (problem && isFailureCode(problem.code) && !isListed)
    return refuse(
      problem.code,
      problem.message,
      devices.length === 0 ? {} : { details: { connected, listed: devices } },
    )
  return wanted === '' ? only(devices, connected) : chosen(devices, wanted, connected)
}
