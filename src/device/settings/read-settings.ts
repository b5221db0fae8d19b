/** The present values of the settings of a device. */

import { SETTING_NAMES, type SettingName } from '../../contracts/device/setting-names.ts'
import type { DeviceSettings, SettingValue } from '../../contracts/device/settings.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { CallOptions, Link } from '../link/link.ts'
import { StepFailure } from '../screen/step-failure.ts'
import { scopeFor } from './change-setting.ts'
import { DEVICE_SETTINGS } from './device-settings.ts'
import type { SettingScope } from './setting.ts'

const presentValue = async (name: SettingName, scope: SettingScope): Promise<SettingValue | null> => {
  const setting = DEVICE_SETTINGS[name]
  try {
    const state = await setting.read(scope)
    if (!state) return null
    return await (setting.shown?.(state, scope) ?? setting.valueIn(state))
  } catch (error) {
    if (error instanceof StepFailure) return null
    throw error
  }
}

/** Old devices start a program for each command: more at once would be slower. */
const AT_ONCE = 4

/** Null for one that is not set, or that the device does not tell. Rejects with LinkError. */
export const readSettings = async (
  link: Link,
  { clock, deadline, signal = new AbortController().signal }: CallOptions & { clock: Clock },
): Promise<DeviceSettings> => {
  const scope = await scopeFor({ link, clock, deadline, signal })
  const values: DeviceSettings = {}
  for (let from = 0; from < SETTING_NAMES.length; from += AT_ONCE) {
    const names = SETTING_NAMES.slice(from, from + AT_ONCE)
    const read = names.map(async name => [name, await presentValue(name, scope)] as const)
    Object.assign(values, Object.fromEntries(await Promise.all(read)))
  }
  return values
}
