/** The devices of this host, as the debug bridge lists them. */
import type { ListedDevice } from '../../contracts/device.ts'
import { type Service, success } from '../service.ts'
import { answering } from './answering.ts'
import type { LocalDeps } from './deps.ts'

type Requests = 'devices.list'

export const localDevices = ({ listDevices, note }: LocalDeps): Pick<Service, Requests> => ({
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
})
