/** The settings of a device by their names. */
import type { SettingName } from '../../contracts/device/setting-names.ts'
import { battery } from './battery.ts'
import { animations, brightness, fontScale, stayAwake } from './keys.ts'
import { locale } from './locale.ts'
import { location } from './location.ts'
import { orientation } from './orientation.ts'
import type { DeviceSetting } from './setting.ts'
import { airplaneMode, darkMode, mobileData, wifi } from './system-switches.ts'

export const DEVICE_SETTINGS: Readonly<Record<SettingName, DeviceSetting>> = {
  orientation,
  dark_mode: darkMode,
  animations,
  wifi,
  mobile_data: mobileData,
  airplane_mode: airplaneMode,
  stay_awake: stayAwake,
  font_scale: fontScale,
  brightness,
  locale,
  location,
  battery,
}
