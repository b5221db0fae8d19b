/** The devices of this host, as the debug bridge lists them. */
import type { DeviceResponse } from '../../contracts/device.ts'
import type { Lease } from '../../contracts/lease.ts'
import { askDeviceInfo } from '../../operator/device-info.ts'
import { messageOf } from '../../runtime/message-of.ts'
import { withLeases } from '../leased-devices.ts'
import { type Service, success } from '../service.ts'
import { deviceAsker } from './ask-device.ts'
import type { LocalDeps } from './deps.ts'
import { answering } from './run.ts'

type Requests = 'devices.list' | 'devices.get'

/** A server has its journal open; a command would open one for the list of devices alone. */
const leasesOf = ({ listener, reservations, note }: LocalDeps): Lease[] => {
  if (listener === undefined) return []
  try {
    return reservations().list()
  } catch (error) {
    note(`The reservations of the devices cannot be read: ${messageOf(error)}`)
    return []
  }
}

export const localDevices = (deps: LocalDeps): Pick<Service, Requests> => ({
  'devices.list': (_, { signal = new AbortController().signal }) =>
    answering(
      async () => {
        const devices = await deps.listDevices(signal)
        return success({
          ok: true as const,
          devices: withLeases(
            devices.map(({ serial, state }) => ({ serial, deviceId: serial, state })),
            leasesOf(deps),
          ),
        })
      },
      { what: 'the list of devices', note: deps.note },
    ),
  'devices.get': ({ deviceId }, call) =>
    deviceAsker(deps, 'itself')<DeviceResponse>(deviceId, call, async (link, options, serial) =>
      success({ ok: true, device: { serial, deviceId: serial, ...(await askDeviceInfo(link, options)) } }),
    ),
})
