/** The settings of a session, and the older endpoints for connections and places. */
import * as v from 'valibot'
import { isObject } from '../../../contracts/json/json.ts'
import { getConnectivity, getGeolocation, setConnectivity, setGeolocation } from '../mobile/settings.ts'
import { invalid, number, objectIn, optional, readArguments } from '../protocol/arguments.ts'
import { olderPath, type SessionCommand } from './command.ts'

/** So many settings, and so many characters in each, are kept for a session. */
const SETTINGS_MAX = 200
const SETTING_CHARS_MAX = 10_000

const SETTINGS = '/appium/settings'

/** The bits of the connections, as JSON Wire numbered them. */
const AIRPLANE = 1
const WIFI = 2
const DATA = 4

const NETWORK = '/network_connection'
const LOCATION = '/location'

const connectionType = v.pipe(
  number,
  v.check(
    type => [0, AIRPLANE, WIFI, DATA, WIFI | DATA].includes(type),
    'must be 0 none, 1 airplane mode, 2 Wi-Fi, 4 mobile data, or 6 both',
  ),
)

export const APPIUM_SETTING_COMMANDS: readonly SessionCommand[] = [
  {
    method: 'GET',
    path: SETTINGS,
    summary: 'The settings that the session was given.',
    run: async ({ settings }) => Object.fromEntries(settings),
  },
  {
    method: 'POST',
    path: SETTINGS,
    summary: 'Keeps settings of the session. They are told back; svc needs none of them.',
    async run({ settings }, { body }) {
      const changes = objectIn(body, 'settings', `POST ${SETTINGS}`)
      for (const [name, value] of Object.entries(changes)) {
        if ((JSON.stringify(value) ?? '').length > SETTING_CHARS_MAX)
          throw invalid(`The setting ${name} has more than ${SETTING_CHARS_MAX} characters.`)
      }
      if (new Set([...settings.keys(), ...Object.keys(changes)]).size > SETTINGS_MAX)
        throw invalid(`A session keeps at most ${SETTINGS_MAX} settings.`)
      for (const [name, value] of Object.entries(changes)) settings.set(name, value)
      return null
    },
  },
  {
    method: 'GET',
    path: NETWORK,
    summary: 'The connections that are on, as the sum of 1 airplane mode, 2 Wi-Fi, 4 mobile data.',
    async run(session) {
      const on = (await getConnectivity.perform(session, {})) as Readonly<Record<string, boolean>>
      return (on.airplaneMode ? AIRPLANE : 0) + (on.wifi ? WIFI : 0) + (on.data ? DATA : 0)
    },
  },
  {
    method: 'POST',
    path: NETWORK,
    summary: 'Switches connections: type is the sum of 1 airplane mode, 2 Wi-Fi, 4 mobile data.',
    async run(session, { body }) {
      const parameters = isObject(body.parameters) ? body.parameters : body
      const { type } = readArguments({ type: connectionType }, parameters, { of: `POST ${NETWORK}`, isOpen: true })
      const isAirplane = type === AIRPLANE
      const others = isAirplane ? {} : { wifi: (type & WIFI) !== 0, data: (type & DATA) !== 0 }
      await setConnectivity.perform(session, { airplaneMode: isAirplane, ...others })
      return type
    },
  },
  {
    method: 'GET',
    path: LOCATION,
    summary: getGeolocation.summary,
    run: session => getGeolocation.perform(session, {}),
  },
  olderPath({
    path: LOCATION,
    summary: setGeolocation.summary,
    args: {},
    run: (session, _, { body }) => {
      const entries = { latitude: number, longitude: number, altitude: optional(number) }
      const place = readArguments(entries, objectIn(body, 'location', `POST ${LOCATION}`), {
        of: `POST ${LOCATION}`,
        isOpen: true,
      })
      return setGeolocation.perform(session, place)
    },
  }),
]
