/** Tells whether a change would end the link by which the device is reached. */
import type { SettingName } from '../../contracts/device/setting-names.ts'
import type { SettingValue } from '../../contracts/device/settings.ts'

/** Emulators, and phones that a program of this machine forwards, are not reached through their own network. */
const LOOPBACK = /^(?:localhost|127\.[\d.]+|\[?::1\]?)(?::\d+)?$/i
const ADDRESS = /:\d+$/
/** Wireless debugging announces itself as `adb-<serial>-<random>._adb-tls-connect._tcp`. */
const ANNOUNCED = /\._adb(?:-tls-connect)?\._tcp\.?$/

export const isReachedByNetwork = (serial: string): boolean =>
  ANNOUNCED.test(serial) || (ADDRESS.test(serial) && !LOOPBACK.test(serial))

export const cutsLink = (setting: SettingName, value: SettingValue, serial: string): boolean =>
  ((setting === 'wifi' && value === false) || (setting === 'airplane_mode' && value === true)) &&
  isReachedByNetwork(serial)
