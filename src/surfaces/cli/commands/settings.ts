/** `svc settings`: what the settings of a device are, and changing one. */
import { SETTING_NAMES } from '../../../contracts/device/setting-names.ts'
import { settingProblem, settingValueFrom } from '../../../service/executions/actions/setting-values.ts'
import { type Command, CommandError } from '../command.ts'
import { commandOf, type FlatCommand } from '../flat/command.ts'

const get: Command = {
  path: ['settings', 'get'],
  text: async () => (await import('../devices/settings.ts')).settingsText,
  summary: 'show the settings of a device, or one of them',
  details:
    'Prints {"settings": {name: value}}; a value is null where it is not set, or the device does not tell it. Locations are\n' +
    'those of test providers.',
  args: [{ name: 'setting', summary: `one of ${SETTING_NAMES.join(', ')}` }],
  uses: ['device'],
  examples: ['svc settings get', 'svc settings get dark_mode --output text'],
  run: async call => (await import('../devices/settings.ts')).showSettings(call),
}

const set: FlatCommand = {
  type: 'change_setting',
  path: ['settings', 'set'],
  shape: 'svc settings set <setting> <value> [--app <package>] [--force]',
  summary: 'change a setting; svc device restore puts it back',
  details:
    'orientation portrait|landscape_left|landscape_right|upside_down|auto; dark_mode, animations, wifi, mobile_data,\n' +
    'airplane_mode and stay_awake true|false (or on|off); font_scale 0.5 to 2; brightness 0 to 255; locale fr-FR, with --app\n' +
    'for one application; location 48.85,2.35; battery 15 or 15,ac (none, ac, usb, wireless).\n' +
    'SETTING_REFUSED with data.reason if the device does not do it.',
  args: [
    { name: 'setting', summary: `one of ${SETTING_NAMES.join(', ')}`, required: true, param: 'setting' },
    { name: 'value', summary: 'such as true, landscape_left, 1.3, fr-FR, 48.85,2.35, 15,ac', required: true },
  ],
  flags: [
    { name: 'app', value: 'package', summary: 'the application whose language is changed', param: 'applicationId' },
    { name: 'force', summary: 'also what would cut the link to the device', param: 'force' },
  ],
  examples: [
    'svc settings set dark_mode on',
    'svc settings set orientation landscape_left',
    'svc settings set locale fr-FR --app com.example.notes',
    'svc settings set location 48.85,2.35',
    'svc settings set battery 15,none',
  ],
  params: call => {
    const [setting = '', value = ''] = call.args
    const problem = settingProblem(setting, value)
    if (problem) {
      throw new CommandError('EXECUTION_VALIDATION_FAILED', `${setting} takes ${problem.rule}, but is "${value}".`, {
        details: { path: 'actions.0.params.value' },
        hint: `Write it like this: svc settings set ${setting} ${problem.example}`,
      })
    }
    return { value: settingValueFrom(setting, value) }
  },
}

export const restore: FlatCommand = {
  type: 'restore_settings',
  path: ['device', 'restore'],
  shape: 'svc device restore',
  summary: 'put back the settings and permissions that svc changed on a device',
  details:
    'Newest first, also those of earlier and of broken commands. A setting that somebody else has changed since is left and\n' +
    'named. Applications and files stay as they are.',
  examples: ['svc device restore', 'svc device restore --device emulator-5554 --output text'],
}

export const SETTINGS: readonly Command[] = [get, commandOf(set)]
export const RESTORE: Command = commandOf(restore)
