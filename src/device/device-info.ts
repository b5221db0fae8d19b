/** Asks a device about itself: model, Android version, display, battery, and the application in front. */

import type { DeviceInfo } from '../contracts/device/device.ts'
import { defined } from '../contracts/json/json.ts'
import { SCREEN_STATE_COMMAND, screenState } from './link/interactive.ts'
import type { CallOptions, Link } from './link/link.ts'
import { OUTPUT_BYTES_MAX } from './link/link-limits.ts'
import {
  foregroundActivityIn,
  foregroundPackageIn,
  isKeyboardShownIn,
  screenSizeIn,
} from './operators/shell/windows.ts'

const PROPERTIES = {
  model: 'ro.product.model',
  manufacturer: 'ro.product.manufacturer',
  androidVersion: 'ro.build.version.release',
  apiLevel: 'ro.build.version.sdk',
  abi: 'ro.product.cpu.abi',
  build: 'ro.build.display.id',
  securityPatch: 'ro.build.version.security_patch',
} as const
const ASK_PROPERTIES = Object.values(PROPERTIES)
  .map(name => `getprop ${name}`)
  .join('; ')
const ASK_STATE = 'wm size; wm density; dumpsys battery'
/** The number of the user in front stands in front of the list. */
const ASK_USERS = 'am get-current-user; pm list users'
const USERS_MAX = 100
const ASK_TIME = "date '+%Y-%m-%dT%H:%M:%S%z'"

const VALUE_CHARS_MAX = 200
const STATUSES = ['unknown', 'charging', 'discharging', 'not charging', 'full'] as const

export type AskedInfo = Omit<DeviceInfo, 'serial' | 'deviceId' | 'host'>

/** A device is not believed to keep to any length or to printable characters. */
const clean = (text: string): string =>
  text
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, VALUE_CHARS_MAX)

const propertiesIn = (output: string) => {
  const lines = output.split('\n')
  const found = Object.keys(PROPERTIES).flatMap((key, index) => {
    const value = clean(lines[index] ?? '')
    return value === '' ? [] : [[key, value]]
  })
  const { apiLevel, ...texts } = Object.fromEntries(found) as Partial<Record<keyof typeof PROPERTIES, string>>
  const level = Number(apiLevel)
  return { ...texts, ...(Number.isSafeInteger(level) && level > 0 ? { apiLevel: level } : {}) }
}

const numberAfter = (output: string, pattern: RegExp): number | undefined => {
  const [, digits] = pattern.exec(output) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** An override is what applications and touches go by. */
const displayIn = (output: string) => {
  const [, width, height] =
    /^Override size: (\d{1,6})x(\d{1,6})/m.exec(output) ?? /^Physical size: (\d{1,6})x(\d{1,6})/m.exec(output) ?? []
  const density =
    numberAfter(output, /^Override density: (\d{1,5})/m) ?? numberAfter(output, /^Physical density: (\d{1,5})/m)
  if (width === undefined || height === undefined) return {}
  const size = { width: Number(width), height: Number(height) }
  return { display: density === undefined ? size : { ...size, density } }
}

/** Some devices append a log that repeats the keys: the first value of each counts. */
const batteryIn = (output: string) => {
  const level = numberAfter(output, /^ {2}level: (\d{1,6})\s*$/m)
  const scale = numberAfter(output, /^ {2}scale: (\d{1,6})\s*$/m) ?? 100
  const status = STATUSES[(numberAfter(output, /^ {2}status: (\d)\s*$/m) ?? 0) - 1]
  if (level === undefined || scale === 0) return {}
  const percent = Math.min(100, Math.round((100 * level) / scale))
  return { battery: status === undefined ? { percent } : { percent, status } }
}

/** A name may hold colons, and be null; the flags are the last part. */
const USER = /^\s*UserInfo\{(\d{1,9}):(.*):[\da-fA-F]+\}( running)?\s*$/

const usersIn = (output: string): Pick<AskedInfo, 'users'> => {
  const lines = output.split('\n')
  const current = /^\s*(\d{1,9})\s*$/.exec(lines[0] ?? '')?.[1]
  const users = lines.flatMap(line => {
    const [, id, writtenName = '', running] = USER.exec(line) ?? []
    if (id === undefined) return []
    const name = clean(writtenName)
    const isNamed = name !== '' && name !== 'null'
    return [{ id: Number(id), ...(isNamed ? { name } : {}), running: running !== undefined, current: id === current }]
  })
  return users.length === 0 ? {} : { users: users.slice(0, USERS_MAX) }
}

const windowFacts = (output: string) => {
  const frontApp = foregroundPackageIn(output)
  const size = screenSizeIn(output)
  return defined({
    frontApp: frontApp === '' ? undefined : frontApp,
    frontActivity: foregroundActivityIn(output),
    keyboardShown: isKeyboardShownIn(output),
    orientation: size && (size.width > size.height ? ('landscape' as const) : ('portrait' as const)),
  })
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4}$/

const timeIn = (output: string) => (TIME.test(output.trim()) ? { time: output.trim() } : {})

/** Leaves out what the device does not say. Rejects with LinkError. */
export const askDeviceInfo = async (link: Link, call: CallOptions): Promise<AskedInfo> => {
  const ask = async (line: string) => (await link.shell(line, { ...call, maxBytes: OUTPUT_BYTES_MAX.state })).stdout
  const [properties, state, windows, users, screen, time] = await Promise.all([
    ask(ASK_PROPERTIES),
    ask(ASK_STATE),
    ask('dumpsys window'),
    ask(ASK_USERS),
    ask(SCREEN_STATE_COMMAND),
    ask(ASK_TIME),
  ])
  return {
    ...propertiesIn(properties),
    ...displayIn(state),
    ...batteryIn(state),
    ...windowFacts(windows),
    ...defined({ ...screenState(screen) }),
    ...timeIn(time),
    ...usersIn(users),
  }
}
