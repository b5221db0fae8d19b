/** The entry point `svc/simulator` of the package: simulated phones inside of the process that asks for them. */
/// <reference lib="esnext.disposable" preserve="true" />
import { readFileSync } from 'node:fs'
import { systemClock } from '../../runtime/clock.ts'
import { messageOf } from '../../runtime/message-of.ts'
import { parseScenario, readScenario, type Scenario } from '../../simulator/scenario/scenario.ts'
import { FLEET_MAX, startSimulatedPhones } from '../../simulator/simulated-phones.ts'
import { makePhonesHome, removeLeftHomes, removePhonesHome } from './phones-home.ts'

export interface PhonesOptions {
  /** How many phones: 1 to 1,000, default 1. */
  count?: number | undefined
  /** What the phones are and show: an object, or the path of a JSON file, as docs/simulated-phones.md describes. Without it, an Android with some applications. */
  scenario?: string | { readonly [key: string]: unknown } | undefined
}

export interface SimulatedPhones extends AsyncDisposable {
  readonly devices: readonly { readonly serial: string; readonly name: string }[]
  /** Variables with which svc sees these phones, in a home of their own: for `connect`, or for the environment of a process. */
  readonly env: {
    readonly SVC_TCP_DEVICES: string
    readonly SVC_HOME: string
    readonly SVC_DAEMON_IDLE_MS: string
    /** Empty: a server that the process uses otherwise is not meant. */
    readonly SVC_URL: string
    readonly SVC_DEVICE_ID: string
  }
  /** Ends the phones and the daemons of that home, and removes it. */
  close(): Promise<void>
}

/** The daemon of a process that was killed ends sooner: it looks whether that still lives. */
const IDLE_MS = 120_000

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new TypeError(`The scenario ${path} cannot be read: ${messageOf(error)}.`)
  }
}

const scenarioOf = (scenario: PhonesOptions['scenario']): Scenario | undefined => {
  if (scenario === undefined) return undefined
  const parsed = typeof scenario === 'string' ? readScenario(textOf(scenario)) : parseScenario(scenario)
  if (parsed.ok) return parsed.scenario
  throw new TypeError(`The scenario${typeof scenario === 'string' ? ` ${scenario}` : ''} is not valid: ${parsed.error}`)
}

/** Starts simulated phones, which svc reaches over TCP on this machine; no adb and no Android SDK is needed. */
export const startPhones = async ({ count = 1, scenario }: PhonesOptions = {}): Promise<SimulatedPhones> => {
  if (!Number.isInteger(count) || count < 1 || count > FLEET_MAX)
    throw new RangeError(`Expected a count of 1 to ${FLEET_MAX} phones, got ${count}.`)
  const read = scenarioOf(scenario)
  const fleet = await startSimulatedPhones({ clock: systemClock(), count, ...(read ? { scenario: read } : {}) })
  const devices = fleet.devices.map(({ serial, name }) => ({ serial, name }))
  await removeLeftHomes()
  const home = makePhonesHome()
  const close = async () => {
    await removePhonesHome(home).finally(() => fleet.close())
  }
  return {
    devices,
    env: {
      SVC_TCP_DEVICES: devices.map(({ serial }) => serial).join(','),
      SVC_HOME: home,
      SVC_DAEMON_IDLE_MS: String(IDLE_MS),
      SVC_URL: '',
      SVC_DEVICE_ID: '',
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
