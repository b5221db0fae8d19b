/** Finds a phone for a session and reserves it: the one that its client names, or whichever is free. */
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import type { RequestOptions, Service } from '../../../service/service.ts'
import type { SessionPhone } from '../deps.ts'

/** Extended while the session lives: after a host that was cut off, its phone is free again this much later. */
export const LEASE_MS = 60_000

const READY = 'device'

export type ReservedPhone =
  | { readonly ok: true; readonly phone: SessionPhone }
  | { readonly ok: false; readonly error: ErrorObject }

interface Reservation {
  readonly service: Service
  readonly sessionId: string
  readonly call: RequestOptions
}

/** Another session, execution or reservation has it. */
const isBusy = ({ code }: ErrorObject): boolean => code === 'EXECUTION_CONFLICT_IN_FLIGHT'

/** Between the listing and the reservation the phone was unplugged, or its host has gone. */
const isGone = ({ code }: ErrorObject): boolean =>
  ['DEVICE_NOT_FOUND', 'DEVICE_OFFLINE', 'DEVICE_SHELL_UNAVAILABLE', 'FLEET_HOST_GONE'].includes(code)

const reserve = async (device: string, { service, sessionId, call }: Reservation): Promise<ReservedPhone> => {
  const reserved = await service['leases.create']({ device, forMs: LEASE_MS, sessionId }, call)
  if (!reserved.ok) return reserved
  const { leaseId, deviceId } = reserved.value.lease
  return { ok: true, phone: { deviceId, leaseId } }
}

const holderOf = ({ details }: ErrorObject, deviceId: string) => ({
  deviceId,
  ...(typeof details?.holder === 'object' ? details.holder : {}),
})

/** A client of WebDriver can neither name a reservation nor ask to wait. */
const AGAIN_HINT = 'Create the session again once it is given back, or name another phone by `appium:udid`.'

const noneFree = (refusals: readonly { deviceId: string; error: ErrorObject }[]): ErrorObject => {
  const busy = refusals.filter(({ error }) => isBusy(error))
  const holders = busy.map(({ deviceId, error }) => holderOf(error, deviceId))
  if (holders.length === 0 && refusals[0]) return refusals[0].error
  const [holder] = holders
  const reasons = busy.map(({ error }) => error.message.replace(/\.$/, '')).join('; ')
  return failure('EXECUTION_CONFLICT_IN_FLIGHT', `No phone is free: ${reasons}.`, {
    details: { holders, ...(holder === undefined ? {} : { holder }) },
    hint: 'End a session that is over, wait for one, or connect another phone.',
  })
}

/** One after the other, so that two clients that begin at once get two phones. */
const anyFree = async (reservation: Reservation): Promise<ReservedPhone> => {
  const { service, call } = reservation
  const listed = await service['devices.list']({}, call)
  if (!listed.ok) return listed
  const ready = listed.value.devices.filter(({ state, draining }) => state === READY && draining !== true)
  if (ready.length === 0) {
    const seen = listed.value.devices.map(({ deviceId, state }) => `${deviceId} is ${state}`)
    const states = seen.length === 0 ? 'no phone is connected' : seen.join(', ')
    return {
      ok: false,
      error: failure('NO_DEVICES', `No phone is ready: ${states}.`, {
        hint: 'Connect a phone with USB debugging, or start an emulator; svc doctor on the host of svc says what is missing.',
      }),
    }
  }
  const refusals: { deviceId: string; error: ErrorObject }[] = []
  for (const { deviceId } of ready) {
    const reserved = await reserve(deviceId, reservation)
    if (reserved.ok || call.signal?.aborted) return reserved
    if (!isBusy(reserved.error) && !isGone(reserved.error)) return reserved
    refusals.push({ deviceId, error: reserved.error })
  }
  return { ok: false, error: noneFree(refusals) }
}

/** Clients of this protocol cannot list the phones. */
const withConnected = async (error: ErrorObject, { service, call }: Reservation): Promise<ErrorObject> => {
  const listed = await service['devices.list']({}, call)
  const known = listed.ok ? listed.value.devices.map(({ deviceId }) => deviceId) : []
  const named = known.length === 0 ? '' : ` Connected: ${known.join(', ')}.`
  return {
    ...error,
    hint: `Name a phone that \`GET /devices\` lists by appium:udid, or leave appium:udid out.${named}`,
  }
}

export const reservePhone = async (udid: string | undefined, reservation: Reservation): Promise<ReservedPhone> => {
  if (udid === undefined) return anyFree(reservation)
  const reserved = await reserve(udid, reservation)
  if (reserved.ok) return reserved
  const { error } = reserved
  if (error.code === 'DEVICE_NOT_FOUND') return { ok: false, error: await withConnected(error, reservation) }
  if (!isBusy(error)) return reserved
  return { ok: false, error: { ...error, hint: AGAIN_HINT } }
}
