/** The permissions behind the short names, by the API level of the device, and those that are app operations instead. */
import type { PermissionGroup } from '../../contracts/device/permissions.ts'

const ANDROID = 'android.permission.'

type Since = readonly [name: string, from?: number, before?: number]

/**
 * In the order in which they are allowed: Android allows the location in the background only after that in the
 * foreground. `before` is the API level from which the permission is of no use, or of another group.
 */
const GROUPS: Readonly<Record<Exclude<PermissionGroup, 'all'>, readonly Since[]>> = {
  camera: [['CAMERA']],
  microphone: [['RECORD_AUDIO']],
  location: [['ACCESS_COARSE_LOCATION'], ['ACCESS_FINE_LOCATION'], ['ACCESS_BACKGROUND_LOCATION', 29]],
  contacts: [['READ_CONTACTS'], ['WRITE_CONTACTS'], ['GET_ACCOUNTS']],
  phone: [
    ['READ_PHONE_STATE'],
    ['READ_PHONE_NUMBERS', 26],
    ['CALL_PHONE'],
    ['ANSWER_PHONE_CALLS', 26],
    ['ACCEPT_HANDOVER', 28],
    ['USE_SIP'],
    ['READ_CALL_LOG', 0, 28],
    ['WRITE_CALL_LOG', 0, 28],
    ['PROCESS_OUTGOING_CALLS', 0, 28],
  ],
  sms: [['SEND_SMS'], ['RECEIVE_SMS'], ['READ_SMS'], ['RECEIVE_WAP_PUSH'], ['RECEIVE_MMS']],
  storage: [['READ_EXTERNAL_STORAGE'], ['WRITE_EXTERNAL_STORAGE'], ['MANAGE_EXTERNAL_STORAGE', 30]],
  media: [
    ['READ_EXTERNAL_STORAGE', 0, 33],
    ['READ_MEDIA_IMAGES', 33],
    ['READ_MEDIA_VIDEO', 33],
    ['READ_MEDIA_AUDIO', 33],
    ['READ_MEDIA_VISUAL_USER_SELECTED', 34],
    ['ACCESS_MEDIA_LOCATION', 29],
  ],
  notifications: [['POST_NOTIFICATIONS', 33]],
  calendar: [['READ_CALENDAR'], ['WRITE_CALENDAR']],
  bluetooth: [
    ['BLUETOOTH_SCAN', 31],
    ['BLUETOOTH_CONNECT', 31],
    ['BLUETOOTH_ADVERTISE', 31],
  ],
}

/** These permissions have no short name and are still among `all`. */
const ONLY_IN_ALL: readonly Since[] = [
  ['READ_CALL_LOG', 28],
  ['WRITE_CALL_LOG', 28],
  ['PROCESS_OUTGOING_CALLS', 28],
  ['BODY_SENSORS'],
  ['BODY_SENSORS_BACKGROUND', 33],
  ['ACTIVITY_RECOGNITION', 29],
  ['UWB_RANGING', 31],
  ['NEARBY_WIFI_DEVICES', 33],
]

/** Permissions that a person switches in the settings: the package manager cannot grant them. */
const APP_OPS: Readonly<Record<string, string>> = {
  [`${ANDROID}SYSTEM_ALERT_WINDOW`]: 'SYSTEM_ALERT_WINDOW',
  [`${ANDROID}WRITE_SETTINGS`]: 'WRITE_SETTINGS',
  [`${ANDROID}PACKAGE_USAGE_STATS`]: 'GET_USAGE_STATS',
  [`${ANDROID}REQUEST_INSTALL_PACKAGES`]: 'REQUEST_INSTALL_PACKAGES',
  [`${ANDROID}MANAGE_EXTERNAL_STORAGE`]: 'MANAGE_EXTERNAL_STORAGE',
  [`${ANDROID}SCHEDULE_EXACT_ALARM`]: 'SCHEDULE_EXACT_ALARM',
  [`${ANDROID}MANAGE_MEDIA`]: 'MANAGE_MEDIA',
  [`${ANDROID}USE_FULL_SCREEN_INTENT`]: 'USE_FULL_SCREEN_INTENT',
}

/** The app operation that stands for the permission; undefined for one that the package manager grants. */
export const appOpOf = (permission: string): string | undefined =>
  Object.hasOwn(APP_OPS, permission) ? APP_OPS[permission] : undefined

const valid = (rows: readonly Since[], sdk: number): string[] =>
  rows
    .filter(([, from = 0, before = Number.POSITIVE_INFINITY]) => sdk >= from && sdk < before)
    .map(([name]) => ANDROID + name)

/** Empty where this Android asks nobody for what the name stands for. */
export const permissionsOf = (group: PermissionGroup, sdk: number): readonly string[] => {
  if (group !== 'all') return valid(GROUPS[group], sdk)
  const all = valid([...Object.values(GROUPS).flat(), ...ONLY_IN_ALL], sdk)
  return [...new Set(all)].filter(permission => appOpOf(permission) === undefined)
}

/** The short name of the group that the permission is of, if it is of one. */
export const groupOf = (permission: string, sdk: number): string | undefined =>
  Object.entries(GROUPS).find(([, rows]) => valid(rows, sdk).includes(permission))?.[0]

/** The position in which a permission is allowed, for lists that mix groups. */
export const compareByOrder = (one: string, other: string): number => rankOf(one) - rankOf(other)

const ORDER: readonly string[] = [...Object.values(GROUPS).flat(), ...ONLY_IN_ALL].map(([name]) => ANDROID + name)
const rankOf = (permission: string): number => {
  const at = ORDER.indexOf(permission)
  return at < 0 ? ORDER.length : at
}
