/** The `mobile:` methods about settings of the device: place, connections, dark mode and battery. */
import type { SettingName } from '../../../contracts/device/setting-names.ts'
import { mobileMethod } from '../commands/command.ts'
import { flag, invalid, number, oneOf, oneOrMore, optional, unsupported } from '../protocol/arguments.ts'
import { WebDriverError } from '../protocol/webdriver-error.ts'
import { deviceOf, type SessionStep, settingsOf } from '../session/live-session.ts'

export const change = (setting: SettingName, value: unknown): SessionStep => ({
  type: 'change_setting',
  params: { setting, value },
})

const unknown = (what: string) => new WebDriverError('unknown error', `The device does not say ${what}.`)

const placeEntries = { latitude: number, longitude: number, altitude: optional(number) }
/** What a place of a real receiver has besides: a test provider of the shell takes none of it. */
const MORE_OF_A_PLACE = {
  satellites: optional(number),
  speed: optional(number),
  bearing: optional(number),
  accuracy: optional(number),
}

export const setGeolocation = mobileMethod({
  name: 'setGeolocation',
  summary: 'Moves the device to a place. The altitude is accepted, and not set.',
  args: { ...placeEntries, ...MORE_OF_A_PLACE },
  async run(session, { latitude, longitude, altitude: _, ...more }) {
    const [extra] = Object.keys(more)
    if (extra !== undefined) throw unsupported(`${extra} cannot be set. What works: latitude and longitude.`)
    await session.act([change('location', { latitude, longitude })])
    return null
  },
})

export const getGeolocation = mobileMethod({
  name: 'getGeolocation',
  summary: 'The place to which the device was moved. The altitude is 0.',
  args: {},
  async run(session) {
    const { location } = await settingsOf(session)
    if (typeof location === 'object' && location !== null && 'latitude' in location) return { ...location, altitude: 0 }
    throw new WebDriverError('unknown error', 'The device was moved to no place. Set one with mobile: setGeolocation.')
  },
})

export const setConnectivity = mobileMethod({
  name: 'setConnectivity',
  summary: 'Switches Wi-Fi, mobile data and airplane mode. What would cut the connection to the device is refused.',
  args: { wifi: optional(flag), data: optional(flag), airplaneMode: optional(flag) },
  async run(session, { wifi, data, airplaneMode }) {
    const steps = [
      ...(airplaneMode === undefined ? [] : [change('airplane_mode', airplaneMode)]),
      ...(wifi === undefined ? [] : [change('wifi', wifi)]),
      ...(data === undefined ? [] : [change('mobile_data', data)]),
    ]
    if (steps.length === 0) throw invalid('mobile: setConnectivity needs one of wifi, data and airplaneMode.')
    await session.act(steps)
    return null
  },
})

const SERVICES = { wifi: 'wifi', data: 'mobile_data', airplaneMode: 'airplane_mode' } as const

export const getConnectivity = mobileMethod({
  name: 'getConnectivity',
  summary: 'Whether Wi-Fi, mobile data and airplane mode are on: all, or the services that are named.',
  args: { services: optional(oneOrMore) },
  async run(session, { services = Object.keys(SERVICES) }) {
    const settings = await settingsOf(session)
    return Object.fromEntries(
      services.map(service => {
        if (!Object.hasOwn(SERVICES, service))
          throw invalid(
            `mobile: getConnectivity has no service ${service}. It knows ${Object.keys(SERVICES).join(', ')}.`,
          )
        return [service, settings[SERVICES[service as keyof typeof SERVICES]] === true]
      }),
    )
  },
})

const NIGHT = ['night'] as const

export const setUiMode = mobileMethod({
  name: 'setUiMode',
  summary: 'Switches dark mode: mode night, value yes or no.',
  args: { mode: oneOf(NIGHT), value: oneOf(['yes', 'no'] as const) },
  async run(session, { value }) {
    await session.act([change('dark_mode', value === 'yes')])
    return null
  },
})

export const getUiMode = mobileMethod({
  name: 'getUiMode',
  summary: 'Dark mode: yes or no.',
  args: { mode: oneOf(NIGHT) },
  async run(session) {
    const { dark_mode: isDark } = await settingsOf(session)
    if (typeof isDark !== 'boolean') throw unknown('whether it is in dark mode')
    return isDark ? 'yes' : 'no'
  },
})

export const powerCapacity = mobileMethod({
  name: 'powerCapacity',
  summary: 'Has the device report this level of its battery, in percent.',
  args: { percent: number },
  async run(session, { percent }) {
    await session.act([change('battery', { level: percent })])
    return null
  },
})

export const powerAC = mobileMethod({
  name: 'powerAC',
  summary: 'Has the device report that it is plugged in (on) or not (off).',
  args: { state: oneOf(['on', 'off'] as const) },
  async run(session, { state }) {
    const { battery } = await deviceOf(session)
    if (!battery) throw unknown('how full its battery is')
    await session.act([change('battery', { level: battery.percent, plugged: state === 'on' ? 'ac' : 'none' })])
    return null
  },
})

export const SETTING_METHODS = [
  setGeolocation,
  getGeolocation,
  setConnectivity,
  getConnectivity,
  setUiMode,
  getUiMode,
  powerCapacity,
  powerAC,
]
