/** Settings that are keys of the settings provider: `settings get`, `put` and `delete`. */
import type { SettingValue } from '../../contracts/device/settings.ts'
import { isSameState } from './changes/ledger.ts'
import { askSetting, type DeviceSetting, type SettingScope, type SettingState } from './setting.ts'

const ABSENT = 'null'

const split = (key: string): readonly string[] => {
  const at = key.indexOf('/')
  return [key.slice(0, at), key.slice(at + 1)]
}

/** `key` is `<namespace>/<name>`. */
export const readKey = async (scope: SettingScope, key: string): Promise<string | null> => {
  const value = (await askSetting(scope, ['settings', 'get', '--user', scope.user, ...split(key)])).trim()
  return value === '' || value === ABSENT ? null : value
}

export const readKeys = async (scope: SettingScope, keys: readonly string[]): Promise<SettingState> => {
  const found: Record<string, string | null> = {}
  for (const key of keys) found[key] = await readKey(scope, key)
  return found
}

/** In the order of the keys; a key that is null is deleted. */
export const writeKeys = async (scope: SettingScope, state: SettingState): Promise<void> => {
  for (const [key, value] of Object.entries(state)) {
    const words = value === null ? ['delete'] : ['put']
    await askSetting(scope, [
      'settings',
      ...words,
      '--user',
      scope.user,
      ...split(key),
      ...(value === null ? [] : [value]),
    ])
  }
}

interface KeySetting {
  isOfUser?: boolean
  keys: readonly string[]
  valueIn(state: SettingState): SettingValue | null
  stateFor(value: SettingValue): SettingState
  has?(state: SettingState, value: SettingValue): boolean
}

/** Written as soon as it is read back: the provider keeps the text that it is given. */
export const keySetting = ({ isOfUser = false, keys, valueIn, stateFor, has }: KeySetting): DeviceSetting => ({
  isOfUser,
  read: scope => readKeys(scope, keys),
  valueIn,
  has: has ?? ((state, value) => valueIn(state) === value),
  stateFor,
  write: (state, scope) => writeKeys(scope, state),
})

const numberIn = (text: string | null | undefined): number | null => {
  const number = Number(text ?? Number.NaN)
  return Number.isNaN(number) ? null : number
}

const SCALES = ['window_animation_scale', 'transition_animation_scale', 'animator_duration_scale'].map(
  name => `global/${name}`,
)

const scalesAt = (scale: string): SettingState => Object.fromEntries(SCALES.map(key => [key, scale]))

/** On where any of the three scales is above 0, or not set. */
export const animations = keySetting({
  keys: SCALES,
  valueIn: state => (SCALES.every(key => state[key] === null) ? null : SCALES.some(key => numberIn(state[key]) !== 0)),
  stateFor: value => scalesAt(value === true ? '1' : '0'),
  has: (state, value) => {
    const scales = SCALES.map(key => numberIn(state[key]))
    return value === true ? scales.every(scale => scale !== null && scale > 0) : scales.every(scale => scale === 0)
  },
})

const STAY_ON = 'global/stay_on_while_plugged_in'
/** On each of mains, USB and wireless power. */
const ANY_POWER = '7'

export const stayAwake = keySetting({
  keys: [STAY_ON],
  valueIn: state => (state[STAY_ON] === null ? null : numberIn(state[STAY_ON]) !== 0),
  stateFor: value => ({ [STAY_ON]: value === true ? ANY_POWER : '0' }),
})

const FONT = 'system/font_scale'

export const fontScale = keySetting({
  isOfUser: true,
  keys: [FONT],
  valueIn: state => numberIn(state[FONT]),
  stateFor: value => ({ [FONT]: String(value) }),
})

const BRIGHTNESS_MODE = 'system/screen_brightness_mode'
const BRIGHTNESS = 'system/screen_brightness'
const MANUAL = '0'
/** Devices keep it as a fraction, and round. */
const ROUNDING = 1

/** By hand: what adapts itself to the light does not stay as it was set. */
export const brightness: DeviceSetting = keySetting({
  isOfUser: true,
  keys: [BRIGHTNESS_MODE, BRIGHTNESS],
  valueIn: state => numberIn(state[BRIGHTNESS]),
  stateFor: value => ({ [BRIGHTNESS_MODE]: MANUAL, [BRIGHTNESS]: String(value) }),
  has: (state, value) =>
    numberIn(state[BRIGHTNESS_MODE]) === Number(MANUAL) &&
    state[BRIGHTNESS] !== null &&
    Math.abs(Number(state[BRIGHTNESS]) - Number(value)) <= ROUNDING,
})

export const isSameSetting = ({ isSame = isSameState }: DeviceSetting, one: SettingState, other: SettingState) =>
  isSame(one, other)
