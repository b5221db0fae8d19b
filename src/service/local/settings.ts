/** The settings of a device of this host. */
import { asFailure } from '../../executions/refusals.ts'
import { readSettings } from '../../operator/settings/read-settings.ts'
import { failed, type Service, success } from '../service.ts'
import type { LocalDeps } from './deps.ts'
import { answering } from './run.ts'

/** Bounds opening the link and asking the device: old ones start a program for each setting. */
const ASK_MS = 20_000

export const localSettings = ({ openDevice, clock, note }: LocalDeps): Pick<Service, 'settings.get'> => ({
  'settings.get': ({ deviceId }, { signal = new AbortController().signal }) =>
    answering(
      async () => {
        const call = { deadline: clock.now() + ASK_MS, signal }
        const reached = await openDevice(deviceId, call)
        if (!reached.ok) return failed(reached.error, { deviceId: reached.deviceId })
        const { deviceId: serial, link } = reached
        try {
          const settings = await readSettings(link, { ...call, clock })
          return { ...success({ ok: true as const, settings }), deviceId: serial }
        } catch (thrown) {
          return failed(asFailure(thrown), { deviceId: serial })
        }
      },
      { what: 'asking a device about its settings', note },
    ),
})
