/** One simulated device that a debug bridge can connect to: a phone with a debug daemon before it. */
import type { Clock } from '../runtime/clock.ts'
import { type Adbd, startAdbd } from './adbd/adbd.ts'
import type { Pace } from './app/deliver.ts'
import { createPhone, type Shared, type SimulatedPhone } from './device.ts'
import { scaledClock } from './scaled-clock.ts'
import type { Fault } from './scenario/fault.ts'
import type { Scenario } from './scenario/scenario.ts'

export interface DeviceOptions {
  name: string
  serialno: string
  scenario: Scenario
  clock: Clock
  /** 0 for any free one. */
  port?: number
  /** Beside those of the scenario. */
  faults?: readonly Fault[]
  pace?: Pace
  shared?: Shared
  logBytes?: number
  /** Installed on it from the beginning. */
  apks?: readonly Uint8Array[]
}

export interface SimulatedDevice {
  readonly name: string
  /** `host:port`: what the debug bridge calls it. */
  readonly serial: string
  readonly port: number
  readonly phone: SimulatedPhone
  readonly adbd: Adbd
  close(): Promise<void>
}

const HOST = '127.0.0.1'

export const startDevice = async ({ port = 0, ...options }: DeviceOptions): Promise<SimulatedDevice> => {
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
