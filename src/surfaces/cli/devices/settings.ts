/** `svc settings get`: on this machine, or on the host of the fleet that has the device. */
import { SETTING_NAMES, type SettingName } from '../../../contracts/device/setting-names.ts'
import type { DeviceSettings, SettingValue } from '../../../contracts/device/settings.ts'
import { type CommandContext, type CommandResult, usage } from '../command.ts'
import { fieldText } from '../text/answer.ts'
import { facts } from '../text/layout.ts'
import type { Page } from '../text/page.ts'
import { askDevice } from './devices.ts'

const isSetting = (text: string): text is SettingName => SETTING_NAMES.some(name => name === text)

export const showSettings = async (call: CommandContext): Promise<CommandResult> => {
  const [name] = call.args
  if (name !== undefined && !isSetting(name)) {
    throw usage(`"${name}" is no setting.`, { hint: `Give one of ${SETTING_NAMES.join(', ')}.` })
  }
  const result = await askDevice(call, (service, deviceId, options) => service['settings.get']({ deviceId }, options))
  if (!result.ok) return { ok: false, output: result.error }
  const { settings } = result.value
  return { ok: true, output: { settings: name === undefined ? settings : { [name]: settings[name] ?? null } } }
}

const valueText = (page: Page, value: SettingValue | null | undefined): string => {
  if (value == null) return 'not set, or not told'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return fieldText(page, '', value)
}

/** The names are those that `svc settings set` takes. */
export const settingsText = (page: Page, { settings }: { settings: DeviceSettings }): string =>
  facts(
    page,
    Object.entries(settings).map(([name, value]) => [name, valueText(page, value)]),
  )
