/** `svc settings get`: on this machine, or on the host of the fleet that has the device. */
import { SETTING_NAMES, type SettingName } from '../../../contracts/device/setting-names.ts'
import { type CommandContext, type CommandResult, usage } from '../command.ts'
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
