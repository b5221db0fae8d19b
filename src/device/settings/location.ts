/** The setting `location`: test providers report one place, from Android 12 on. */
import { OUTPUT_BYTES_MAX } from '../link/link-limits.ts'
import { isWithin } from './changes/ledger.ts'
import { readKey } from './keys.ts'
import {
  askIfKnown,
  askSetting,
  type DeviceSetting,
  type SettingScope,
  type SettingState,
  unsupported,
} from './setting.ts'

/** The fused provider does not follow the others by itself. The last one is read: what it says is true of all. */
const PROVIDERS = ['fused', 'network', 'gps'] as const
const [, , GPS] = PROVIDERS
const SHELL_PACKAGE = 'com.android.shell'
const MAY_MOCK = 'android:mock_location'

const PLACE = 'place'
const APPOP = 'mock_location'
const IS_ON = 'location_mode'

/** The precision in which the device tells it: some centimetres. */
const DECIMALS = 6
const placeText = ({ latitude, longitude }: { latitude: number; longitude: number }) =>
  `${latitude.toFixed(DECIMALS)},${longitude.toFixed(DECIMALS)}`

interface Place {
  latitude: number
  longitude: number
}

const isPlace = (value: unknown): value is Place => typeof value === 'object' && value !== null && 'latitude' in value

/** The last place of the test provider, empty where it has none yet; null where it is the real provider. */
const placeIn = (dump: string): string | null => {
  const lines = dump.split('\n')
  const start = lines.findIndex(line => new RegExp(`^\\s*${GPS} provider \\[mock\\]:`).test(line))
  if (start < 0) return null
  const rest = lines.slice(start + 1)
  const end = rest.findIndex(line => /^\s*\w+ provider\b.*:\s*$/.test(line))
  const block = (end < 0 ? rest : rest.slice(0, end)).join('\n')
  const [, latitude, longitude] = /last location=Location\[\w+ (-?[\d.]+),(-?[\d.]+)/.exec(block) ?? []
  if (latitude === undefined || longitude === undefined) return ''
  return placeText({ latitude: Number(latitude), longitude: Number(longitude) })
}

const provider = (scope: SettingScope, ...words: readonly string[]) =>
  askSetting(scope, ['cmd', 'location', 'providers', ...words])

const setAppop = (scope: SettingScope, mode: string) =>
  askSetting(scope, ['cmd', 'appops', 'set', '--user', scope.user, SHELL_PACKAGE, MAY_MOCK, mode])

const enable = (scope: SettingScope, isOn: boolean) =>
  askSetting(scope, ['cmd', 'location', 'set-location-enabled', String(isOn), '--user', scope.user])

const removeProviders = async (scope: SettingScope) => {
  for (const name of PROVIDERS) await provider(scope, 'remove-test-provider', name)
}

const reportPlace = async (scope: SettingScope, place: string) => {
  for (const name of PROVIDERS) {
    await provider(scope, 'add-test-provider', name)
    await provider(scope, 'set-test-provider-enabled', name, 'true')
    await provider(scope, 'set-test-provider-location', name, '--location', place)
  }
}

const isKnown = async (scope: SettingScope) => {
  const help = await askIfKnown(scope, ['cmd', 'location', 'help'], { maxBytes: OUTPUT_BYTES_MAX.report })
  return help?.includes('add-test-provider') === true
}

export const location: DeviceSetting = {
  isOfUser: true,
  async read(scope) {
    const dump = await askIfKnown(scope, ['dumpsys', 'location'], { maxBytes: OUTPUT_BYTES_MAX.state })
    if (dump === undefined) return undefined
    const mock = await askIfKnown(scope, ['cmd', 'appops', 'get', '--user', scope.user, SHELL_PACKAGE, MAY_MOCK])
    const [, mode] = /MOCK_LOCATION: (\w+)/i.exec(mock ?? '') ?? []
    return { [IS_ON]: await readKey(scope, 'secure/location_mode'), [APPOP]: mode ?? null, [PLACE]: placeIn(dump) }
  },
  valueIn(state) {
    const [latitude, longitude] = (state[PLACE] ?? '').split(',')
    return longitude === undefined ? null : { latitude: Number(latitude), longitude: Number(longitude) }
  },
  has: (state, value) => isPlace(value) && state[PLACE] === placeText(value) && state[IS_ON] !== '0',
  stateFor: (value, present) => ({
    [IS_ON]: present[IS_ON] === '0' ? '3' : (present[IS_ON] ?? null),
    [APPOP]: 'allow',
    [PLACE]: isPlace(value) ? placeText(value) : null,
  }),
  async write(state, scope) {
    if (!(await isKnown(scope))) {
      throw unsupported(
        'a device before Android 12 takes no place from adb shell',
        'Use a phone with Android 12 or newer, or the console of an emulator: adb emu geo fix <longitude> <latitude>.',
      )
    }
    const place = state[PLACE] ?? ''
    if (place === '') await removeProviders(scope)
    else {
      await setAppop(scope, 'allow')
      if (state[IS_ON] !== null) await enable(scope, true)
      await reportPlace(scope, place)
    }
    if (state[APPOP] !== 'allow') await setAppop(scope, state[APPOP] ?? 'default')
    if (state[IS_ON] === '0') await enable(scope, false)
  },
  /** A test provider has no place before the first one is reported. */
  isBetween: (state, states) =>
    isWithin(
      state,
      states.flatMap(other => [other, { ...other, [PLACE]: '' }]),
    ),
  isSame: (one: SettingState, other: SettingState) =>
    one[PLACE] === other[PLACE] &&
    (one[IS_ON] === '0') === (other[IS_ON] === '0') &&
    (one[APPOP] === 'allow') === (other[APPOP] === 'allow'),
}
