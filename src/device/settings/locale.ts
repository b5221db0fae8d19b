/** The setting `locale`: the language of one application, and of the system where adb runs as root. */

import { isPackageName } from '../../contracts/device/package-name.ts'
import { pause } from '../../runtime/clock.ts'
import { askIfKnown, askSetting, type DeviceSetting, type SettingScope, settingRefused } from './setting.ts'

const LOCALE = 'locale'

/** In the forms of several versions: `Locales for X for user 0 are [fr-FR]`. Empty: the language of the system. */
const APP_LOCALES = /^Locales for \S+ for user \d+ are \[(.*)\]/im

const ofApp = (scope: SettingScope, verb: 'get' | 'set', applicationId: string) => [
  ...['cmd', 'locale', `${verb}-app-locales`, applicationId, '--user', scope.user],
]

const readAppLocale = async (scope: SettingScope, applicationId: string) => {
  const missing = () => settingRefused('application_not_found', `the device has no application ${applicationId}`)
  if (!isPackageName(applicationId)) throw missing()
  const path = await scope.shell.ask(`pm path --user ${scope.user} ${applicationId}`)
  if (!/^package:/m.test(path.stdout)) throw missing()
  const output = await askIfKnown(scope, ofApp(scope, 'get', applicationId))
  const [, locales] = APP_LOCALES.exec(output ?? '') ?? []
  if (locales === undefined) {
    throw settingRefused('unsupported', 'applications have languages of their own from Android 13 on', {
      hint: 'Change the language of the whole device by hand, in Settings, System, Languages.',
    })
  }
  return { [LOCALE]: locales === '' ? null : locales.replaceAll(' ', '') }
}

const readSystemLocale = async (scope: SettingScope) => {
  const property = async (name: string) => (await askSetting(scope, ['getprop', name])).trim()
  const locale = (await property('persist.sys.locale')) || (await property('ro.product.locale'))
  return { [LOCALE]: locale === '' ? null : locale }
}

const BACK_MS = 60_000
const LOOK_AGAIN_MS = 500

/** The framework starts anew with it: nothing on the device answers for some seconds. */
const restartFramework = async (scope: SettingScope) => {
  const { clock, signal } = scope.shell.options
  await askSetting(scope, ['setprop', 'ctl.restart', 'zygote'])
  for (const until = clock.elapsed() + BACK_MS; clock.elapsed() < until; ) {
    await pause(clock, LOOK_AGAIN_MS, signal)
    const activity = await scope.shell.ask('service check activity')
    const animation = await scope.shell.ask('getprop init.svc.bootanim')
    if (/: found/.test(activity.stdout) && animation.stdout.trim() !== 'running') return
  }
  throw settingRefused('not_applied', 'the system did not come back in time with the new language')
}

const writeSystemLocale = async (scope: SettingScope, locale: string) => {
  const { stdout } = await scope.shell.ask('id -u')
  if (stdout.trim() !== '0') {
    throw settingRefused('application_required', 'this device lets adb change the language of applications only', {
      hint: 'Name an application with `applicationId` (Android 13 or newer), or change the language of the device by hand in Settings, System, Languages. On an emulator, adb root allows it.',
    })
  }
  await askSetting(scope, ['setprop', 'persist.sys.locale', locale])
  await restartFramework(scope)
}

export const locale: DeviceSetting = {
  isOfUser: true,
  read: scope =>
    scope.applicationId === undefined ? readSystemLocale(scope) : readAppLocale(scope, scope.applicationId),
  valueIn: state => state[LOCALE] ?? null,
  has: (state, value) => state[LOCALE] === value,
  stateFor: value => ({ [LOCALE]: String(value) }),
  async write({ [LOCALE]: wanted }, scope) {
    const { applicationId } = scope
    if (applicationId === undefined) await writeSystemLocale(scope, wanted ?? '')
    else {
      const flags = wanted == null ? [] : ['--locales', wanted]
      await askSetting(scope, [...ofApp(scope, 'set', applicationId), ...flags])
    }
  },
}
