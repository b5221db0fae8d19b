/** Many simulated devices in one process, all of the same scenario. */
import { randomBytes } from 'node:crypto'
import type { Clock } from '../runtime/clock.ts'
import { type Adbd, startAdbd } from './adbd/adbd.ts'
import { createPhone, type PhoneOptions } from './device.ts'
import { LOG_RING_BYTES } from './log.ts'
import type { Pace } from './operator-app/deliver.ts'
import { scaledClock } from './scaled-clock.ts'
import { defaultScenario } from './scenario/default/apps.ts'
import type { Device, OperatorWays } from './scenario/device.ts'
import type { Fault } from './scenario/fault.ts'
import type { Scenario } from './scenario/scenario.ts'
import { createSharedCaches } from './shared-caches.ts'
import type { Inspectors } from './web/web-views.ts'

type DeviceOptions = Omit<PhoneOptions, 'cutLinks' | 'vanish'> & {
  /** 0 for any free one. */
  port?: number
}

const HOST = '127.0.0.1'

export const startDevice = async ({ port = 0, ...options }: DeviceOptions) => {
  const { name, scenario, clock } = options
  let adbd: Adbd | undefined
  const phone = createPhone({
    ...options,
    cutLinks: () => adbd?.cutLinks(),
    vanish: () => void adbd?.vanish(),
  })
  try {
    adbd = await startAdbd({
      phone,
      clock,
      waits: scaledClock(clock, scenario.timeScale),
      port,
      state: scenario.device.state,
    })
  } catch (error) {
    phone.close()
    throw error
  }
  const running = adbd
  return {
    name,
    /** `host:port`: what the debug bridge calls it. */
    serial: `${HOST}:${running.port}`,
    port: running.port,
    phone,
    adbd: running,
    async close() {
      phone.close()
      await running.close()
    },
  }
}

export type SimulatedDevice = Awaited<ReturnType<typeof startDevice>>

export const FLEET_STATES = ['device', 'unauthorized', 'offline', 'screen-off', 'locked', 'no-operator'] as const
type FleetState = (typeof FLEET_STATES)[number]

/** More would not fit the ports of a test machine. */
export const FLEET_MAX = 1_000
const PORT_MAX = 65_535
const SERIAL_BYTES = 4
/** The logs of a large fleet share this; a log still holds a long result or two. */
const LOG_BYTES = { fleet: 32 * 1_024 * 1_024, least: 128 * 1_024, most: LOG_RING_BYTES }

export interface FleetOptions {
  clock: Clock
  count?: number
  /** The first of consecutive ports; left out, any free ones. */
  port?: number
  /** Left out, the default one. */
  scenario?: Scenario
  /** Beside those of the scenario. */
  faults?: readonly Fault[]
  /** Over what the scenario says, as are the ways to the operator. */
  state?: FleetState
  operator?: OperatorWays
  pace?: Pace
  /** Installed on each of them from the beginning. */
  apks?: readonly Uint8Array[]
  /** Inspectors of web views beside those of the scenario, by the package of their app. */
  inspectors?: Inspectors
}

const STATES: Readonly<Record<FleetState, (device: Device) => Device>> = {
  device: device => ({ ...device, state: 'device', screenOff: false, locked: false }),
  unauthorized: device => ({ ...device, state: 'unauthorized' }),
  offline: device => ({ ...device, state: 'offline' }),
  'screen-off': device => ({ ...device, screenOff: true, locked: false }),
  locked: device => ({ ...device, screenOff: false, locked: true }),
  'no-operator': device => ({ ...device, operator: { ...device.operator, ways: 'none' } }),
}

const adapted = (scenario: Scenario, { state, operator }: FleetOptions): Scenario => {
  const { device } = scenario
  const reached = operator === undefined ? device : { ...device, operator: { ...device.operator, ways: operator } }
  return { ...scenario, device: state === undefined ? reached : STATES[state](reached) }
}

/** Unique on this machine while the device lives; the same again on the same port. */
const serialnoOf = (scenario: Scenario, index: number, port: number | undefined): string => {
  const serialno = scenario.device.properties['ro.serialno']
  if (serialno !== undefined) return index === 0 ? serialno : `${serialno}-${index + 1}`
  return `SVCSIM${port ?? randomBytes(SERIAL_BYTES).toString('hex').toUpperCase()}`
}

/** Rejects when a port is taken; nothing runs on then. */
export const startSimulatedPhones = async (options: FleetOptions) => {
  const { clock, count = 1, port: first, faults = [], pace, apks = [], inspectors } = options
  if (!Number.isInteger(count) || count < 1 || count > FLEET_MAX) {
    throw new RangeError(`Expected 1 to ${FLEET_MAX} devices, got ${count}.`)
  }
  if (first !== undefined && (!Number.isInteger(first) || first < 1 || first + count - 1 > PORT_MAX)) {
    throw new RangeError(`Expected ${count} free ports from ${first} on; the last port is ${PORT_MAX}.`)
  }
  const scenario = adapted(options.scenario ?? defaultScenario(), options)
  const shared = createSharedCaches(scenario)
  const logBytes = Math.max(LOG_BYTES.least, Math.min(LOG_BYTES.most, Math.floor(LOG_BYTES.fleet / count)))
  const started = await Promise.allSettled(
    Array.from({ length: count }, (_, index) => {
      const port = first === undefined ? undefined : first + index
      const serialno = serialnoOf(scenario, index, port)
      const extra = { ...(port === undefined ? {} : { port }), ...(pace ? { pace } : {}) }
      return startDevice({
        name: `sim-${index + 1}`,
        serialno,
        scenario,
        clock,
        faults,
        shared,
        logBytes,
        apks,
        ...(inspectors === undefined ? {} : { inspectors }),
        ...extra,
      })
    }),
  )
  const devices = started.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
  const close = async () => {
    await Promise.all(devices.map(device => device.close()))
  }
  const failure = started.find(result => result.status === 'rejected')
  if (failure) {
    await close()
    throw failure.reason
  }
  return { devices, close }
}

export type SimulatedPhones = Awaited<ReturnType<typeof startSimulatedPhones>>
