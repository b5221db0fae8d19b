/** The setting `battery`: the level and the plug that the system reports, until it is reset. */

import { PLUGS, type Plug } from '../../contracts/device/setting-names.ts'
import { OUTPUT_BYTES_MAX } from '../link/link-limits.ts'
import { askSetting, type DeviceSetting, type SettingScope, type SettingState } from './setting.ts'

/** Both null as long as the system reports the real battery. */
const LEVEL = 'level'
const PLUGGED = 'plugged'

const [NONE, ...SOURCES] = PLUGS
const LABELS: Readonly<Record<Plug, string>> = { none: '', ac: 'AC', usb: 'USB', wireless: 'Wireless' }

interface Reported {
  isFrozen: boolean
  /** In percent. */
  level: number
  plugged: Plug
}

const PERCENT = 100

/** Some makers append a log that repeats the keys: the first value of each counts. */
const reportedIn = (dump: string): Reported | undefined => {
  const first = (key: string) => new RegExp(`^ {2}${key}: (\\S+)\\s*$`, 'm').exec(dump)?.[1]
  const level = Number(first('level') ?? Number.NaN)
  const scale = Number(first('scale') ?? PERCENT)
  if (Number.isNaN(level) || !(scale > 0)) return undefined
  return {
    isFrozen: /UPDATES STOPPED/.test(dump),
    level: Math.round((PERCENT * level) / scale),
    plugged: SOURCES.find(source => first(`${LABELS[source]} powered`) === 'true') ?? NONE,
  }
}

const report = async (scope: SettingScope): Promise<Reported | undefined> =>
  reportedIn(await askSetting(scope, ['dumpsys', 'battery'], { maxBytes: OUTPUT_BYTES_MAX.state }))

const isBattery = (value: unknown): value is { level: number; plugged?: Plug } =>
  typeof value === 'object' && value !== null && 'level' in value

const set = (scope: SettingScope, ...words: readonly string[]) =>
  askSetting(scope, ['dumpsys', 'battery', 'set', ...words])

const stateOf = (state: SettingState) => {
  const level = state[LEVEL] ?? null
  return level === null ? undefined : { level: Number(level), plugged: (state[PLUGGED] ?? NONE) as Plug }
}

export const battery: DeviceSetting = {
  isOfUser: false,
  async read(scope) {
    const found = await report(scope)
    if (!found) return undefined
    const { isFrozen, level, plugged } = found
    return isFrozen ? { [LEVEL]: String(level), [PLUGGED]: plugged } : { [LEVEL]: null, [PLUGGED]: null }
  },
  valueIn: state => stateOf(state) ?? null,
  async shown(_, scope) {
    const found = await report(scope)
    return found ? { level: found.level, plugged: found.plugged } : null
  },
  has(state, value) {
    const present = stateOf(state)
    if (!present || !isBattery(value)) return false
    return present.level === value.level && (value.plugged === undefined || present.plugged === value.plugged)
  },
  /** A plug that nobody names stays as it is. */
  stateFor: (value, present) =>
    isBattery(value)
      ? { [LEVEL]: String(value.level), [PLUGGED]: value.plugged ?? present[PLUGGED] ?? null }
      : { [LEVEL]: null, [PLUGGED]: null },
  /** The plug is not told before the first value is set, and changes after the level. */
  isBetween: (state, states) => states.some(other => other[LEVEL] === state[LEVEL]),
  async write(state, scope) {
    const wanted = state[LEVEL] ?? null
    if (wanted === null) {
      await askSetting(scope, ['dumpsys', 'battery', 'reset'])
      return
    }
    const plugged = state[PLUGGED] ?? null
    await set(scope, LEVEL, wanted)
    if (plugged === NONE) await askSetting(scope, ['dumpsys', 'battery', 'unplug'])
    else if (plugged !== null) {
      for (const source of SOURCES) await set(scope, source, source === plugged ? '1' : '0')
    }
  },
}
