/** The devices of this host, as the debug bridge lists them. */
import type { DeviceRecord, DeviceResponse, ListedDevice } from '../../contracts/device/device.ts'
import type { Reservation } from '../../contracts/reservation.ts'
import { askDeviceInfo } from '../../device/device-info.ts'
import { messageOf } from '../../runtime/message-of.ts'
import { withLeases } from '../leased-devices.ts'
import type { Parts } from '../parts.ts'
import { type Service, success } from '../service.ts'
import { deviceAsker } from './ask-device.ts'
import { answering } from './run.ts'

type Requests = 'devices.list' | 'devices.get'

/** A device that does not say in this time which phone it is, is listed without. */
const PHONE_MS = 5_000
const READY = 'device'

const phoneOf = async (
  { serial, state }: DeviceRecord,
  signal: AbortSignal,
  { openDevice, reservations, clock }: Parts,
): Promise<{ phone?: string }> => {
  if (state !== READY) return {}
  const call = { deadline: clock.now() + PHONE_MS, signal }
  try {
    const reached = await openDevice(serial, call)
    return reached.ok ? { phone: await reservations().phoneOf(reached.link, call) } : {}
  } catch {
    return {}
  }
}

/** A server has its journal open; a command would open one for the list of devices alone. */
const leasesOf = ({ listener, reservations, note }: Parts): Reservation[] => {
  if (listener === undefined) return []
  try {
    return reservations().list()
  } catch (error) {
    note(`The reservations of the devices cannot be read: ${messageOf(error)}`)
    return []
  }
}

export const localDevices = (deps: Parts): Pick<Service, Requests> => ({
  'devices.list': ({ phones }, { signal = new AbortController().signal }) =>
    answering(
      async () => {
        const listed = await deps.listDevices(signal)
        const devices = await Promise.all(
          listed.map(async (device): Promise<ListedDevice> => {
            const { serial, state } = device
            return { serial, deviceId: serial, state, ...(phones ? await phoneOf(device, signal, deps) : {}) }
          }),
        )
        return success({ ok: true as const, devices: withLeases(devices, leasesOf(deps)) })
      },
      { what: 'the list of devices', note: deps.note },
    ),
  'devices.get': ({ deviceId }, call) =>
    deviceAsker(deps, 'itself')<DeviceResponse>(deviceId, call, async (link, options, serial) =>
      success({ ok: true, device: { serial, deviceId: serial, ...(await askDeviceInfo(link, options)) } }),
    ),
})
