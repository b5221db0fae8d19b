/** The devices of this host, as the debug bridge lists them. */
import type { DeviceResponse, ListedDevice } from '../../contracts/device.ts'
import { asFailure } from '../../executions/refusals.ts'
import { askDeviceInfo } from '../../operator/device-info.ts'
import { failed, type Service, success } from '../service.ts'
import type { LocalDeps } from './deps.ts'
import { answering } from './run.ts'

type Requests = 'devices.list' | 'devices.get'

/** Bounds opening the link and asking the device. */
const ASK_MS = 20_000

export const localDevices = ({ listDevices, openDevice, clock, note }: LocalDeps): Pick<Service, Requests> => ({
  'devices.list': (_, { signal = new AbortController().signal }) =>
    answering(
      async () => {
        const devices = await listDevices(signal)
        return success({
          ok: true as const,
          devices: devices.map(({ serial, state }): ListedDevice => ({ serial, deviceId: serial, state })),
        })
      },
      { what: 'the list of devices', note },
    ),
  'devices.get': ({ deviceId }, { signal = new AbortController().signal }) =>
    answering<DeviceResponse>(
      async () => {
        const call = { deadline: clock.now() + ASK_MS, signal }
        const reached = await openDevice(deviceId, call)
        if (!reached.ok) return failed(reached.error, { deviceId: reached.deviceId })
        const { deviceId: serial, link } = reached
        try {
          return success({ ok: true, device: { serial, deviceId: serial, ...(await askDeviceInfo(link, call)) } })
        } catch (thrown) {
          return failed(asFailure(thrown), { deviceId: serial })
        }
      },
      { what: 'asking a device about itself', note },
    ),
})
