/** The devices of this host, as the debug bridge lists them. */
import type { DeviceResponse, ListedDevice } from '../../contracts/device.ts'
import { askDeviceInfo } from '../../operator/device-info.ts'
import { type Service, success } from '../service.ts'
import { deviceAsker } from './ask-device.ts'
import type { LocalDeps } from './deps.ts'
import { answering } from './run.ts'

type Requests = 'devices.list' | 'devices.get'

export const localDevices = (deps: LocalDeps): Pick<Service, Requests> => ({
  'devices.list': (_, { signal = new AbortController().signal }) =>
    answering(
      async () => {
        const devices = await deps.listDevices(signal)
        return success({
          ok: true as const,
          devices: devices.map(({ serial, state }): ListedDevice => ({ serial, deviceId: serial, state })),
        })
      },
      { what: 'the list of devices', note: deps.note },
    ),
  'devices.get': ({ deviceId }, call) =>
    deviceAsker(deps, 'itself')<DeviceResponse>(deviceId, call, async (link, options, serial) =>
      success({ ok: true, device: { serial, deviceId: serial, ...(await askDeviceInfo(link, options)) } }),
    ),
})
