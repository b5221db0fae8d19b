/** Simulated phones as commands use them; everything behind them is loaded when a phone is asked for. */

import type { ServerAddress } from '../contracts/device/addresses.ts'
import { DEVICES_LIST_MS } from '../contracts/limits/limits.ts'
import type { Links } from '../device/link/links.ts'
import type { Clock } from '../runtime/clock.ts'
import type { NotAttached } from './attach.ts'
import type { FleetOptions, SimulatedPhones } from './simulated-phones.ts'

interface SimulatorOptions {
  clock: Clock
  server: ServerAddress
  links(): Pick<Links, 'list'>
}

export const simulatorServices = ({ clock, server, links }: SimulatorOptions) => ({
  async simulate(options: Omit<FleetOptions, 'clock'>): Promise<SimulatedPhones> {
    const { startSimulatedPhones } = await import('./simulated-phones.ts')
    return startSimulatedPhones({ ...options, clock })
  },
  /** Makes the devices of a fleet known to the adb server, which is started when there is none. */
  async attach(fleet: SimulatedPhones, signal: AbortSignal): Promise<NotAttached[]> {
    await links().list({ deadline: clock.now() + DEVICES_LIST_MS, signal })
    const { attachToServer } = await import('./attach.ts')
    return attachToServer({ fleet, server, clock })
  },
  /** Takes them out of its list again. */
  async detach(fleet: SimulatedPhones) {
    const { detachFromServer } = await import('./attach.ts')
    await detachFromServer({ fleet, server, clock })
  },
})

export type SimulatorServices = ReturnType<typeof simulatorServices>
