/** Builds the system properties and settings of a simulated device. */
import { createHash } from 'node:crypto'
import { DEFAULT_OPERATOR_PACKAGE } from '../contracts/json/literals.ts'
import type { Device } from './scenario/device.ts'

const MODEL = 'Svc Sim'
const [RELEASE, SDK, BUILD] = ['15', '35', 'SIM1.250101.001'] as const
const PATCH = '2025-01-05'
const ABI = 'arm64-v8a'

export const propertiesOf = ({ serialno, device }: { serialno: string; device: Device }): ReadonlyMap<string, string> =>
  new Map([
    ['dev.bootcomplete', '1'],
    ['gsm.sim.state', 'ABSENT'],
    ['init.svc.bootanim', 'stopped'],
    ['persist.sys.locale', 'en-US'],
    ['persist.sys.timezone', 'GMT'],
    ['ro.build.characteristics', 'default'],
    ['ro.build.display.id', BUILD],
    ['ro.build.fingerprint', `svc/svc_sim/svc_sim:${RELEASE}/${BUILD}/1:user/release-keys`],
    ['ro.build.id', BUILD],
    ['ro.build.tags', 'release-keys'],
    ['ro.build.type', 'user'],
    ['ro.build.version.release', RELEASE],
    ['ro.build.version.sdk', SDK],
    ['ro.build.version.security_patch', PATCH],
    ['ro.debuggable', '0'],
    ['ro.hardware', 'svc_sim'],
    ['ro.product.brand', 'svc'],
    ['ro.product.cpu.abi', ABI],
    ['ro.product.cpu.abilist', ABI],
    ['ro.product.device', 'svc_sim'],
    ['ro.product.manufacturer', 'Svc'],
    ['ro.product.model', MODEL],
    ['ro.product.name', 'svc_sim'],
    ['ro.secure', '1'],
    ['ro.sf.lcd_density', String(device.size.density)],
    ['sys.boot_completed', '1'],
    ...Object.entries(device.properties),
    ['ro.boot.serialno', serialno],
    ['ro.serialno', serialno],
  ])

/** Turned by itself, the screen stands upright: nobody turns the phone. */
export const rotationOf = (settings: ReadonlyMap<string, string>): number => {
  if (settings.get('system/accelerometer_rotation') === '1') return 0
  const turns = Number(settings.get('system/user_rotation') ?? '0')
  return [0, 1, 2, 3].includes(turns) ? turns : 0
}

const ACCESSIBILITY = 'secure/accessibility_enabled'
const ACCESSIBILITY_SERVICES = 'secure/enabled_accessibility_services'
const SERVICE = `${DEFAULT_OPERATOR_PACKAGE}/${DEFAULT_OPERATOR_PACKAGE}.OperatorAccessibilityService`

export const settingsOf = ({ settings, operator }: Device): Map<string, string> => {
  const isOn = operator.accessibility && operator.ways !== 'none'
  return new Map([
    ['global/adb_enabled', '1'],
    ['global/airplane_mode_on', '0'],
    ['global/development_settings_enabled', '1'],
    ['global/device_name', MODEL],
    ['global/mobile_data', '1'],
    ['global/stay_on_while_plugged_in', '0'],
    ['global/wifi_on', '1'],
    ['global/window_animation_scale', '1.0'],
    [ACCESSIBILITY, isOn ? '1' : '0'],
    ...(isOn ? [[ACCESSIBILITY_SERVICES, SERVICE] as const] : []),
    ['secure/default_input_method', 'com.android.inputmethod.latin/.LatinIME'],
    ['system/screen_off_timeout', '600000'],
    ['secure/location_mode', '3'],
    ['system/accelerometer_rotation', '0'],
    ['system/screen_brightness', '102'],
    ['system/screen_brightness_mode', '0'],
    ['system/user_rotation', '0'],
    ...Object.entries(settings),
  ])
}

/** Reads the settings in the form in which a person leaves them after changing them by hand. */
export const hasAccessibility = (settings: ReadonlyMap<string, string>): boolean =>
  settings.get(ACCESSIBILITY) === '1' &&
  (settings.get(ACCESSIBILITY_SERVICES) ?? '').split(':').some(name => name.startsWith(`${DEFAULT_OPERATOR_PACKAGE}/`))

/** The kernel makes one at each start; this phone starts once. */
export const bootIdOf = (serialno: string): string =>
  createHash('sha256')
    .update(serialno)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
