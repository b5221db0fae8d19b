/** The settings of a device of this host. */
import { readSettings } from '../../device/settings/read-settings.ts'
import type { Parts } from '../parts.ts'
import { success } from '../service.ts'
import { deviceAsker } from './ask-device.ts'
import type { Requests } from './groups.ts'

export const requests = (deps: Parts): Requests<'settings'> => {
  const asking = deviceAsker(deps, 'its settings')
  return {
    'settings.get': ({ deviceId }, call) =>
      asking(deviceId, call, async (link, options) => {
        const settings = await readSettings(link, { ...options, clock: deps.clock })
        return success({ ok: true as const, settings })
      }),
  }
}
