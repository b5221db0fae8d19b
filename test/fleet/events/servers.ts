/** Servers with the streams of a fleet on them, and connections to them that end with the test. */
import { connectFleet, type FleetConnection } from '../../../src/fleet/servers/connection.ts'
import { type Names, namesOf } from '../../../src/fleet/servers/names.ts'
import { openStores } from '../../../src/fleet/servers/stores.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { type NatsLab, type NatsLabOptions, natsLab } from '../../support/fleet/nats-lab.ts'
import { testEnd } from '../../support/per-test.ts'
import { wait } from '../../support/until.ts'

const clock = systemClock()

export interface Servers extends NatsLab {
  names: Names
  /** Connected as `self`, to all of them unless one is named. */
  connect(self: string, url?: string): Promise<FleetConnection>
}

const tried = async <T>(what: () => Promise<T>): Promise<T> => {
  const latest = clock.elapsed() + 30_000
  for (;;) {
    try {
      return await what()
    } catch (error) {
      if (clock.elapsed() > latest) throw error
      await wait(100)
    }
  }
}

export const fleetServers = (): ((nodes: 1 | 3, options?: NatsLabOptions) => Promise<Servers>) => {
  const start = natsLab()
  const atEnd = testEnd()
  return async (nodes, options = {}) => {
    const lab = await start({ nodes, syncAlways: false, ...options })
    const names = namesOf('lab')
    const connect: Servers['connect'] = async (self, url) => {
      const urls = url === undefined ? lab.urls : [url]
      const connection = await tried(() => connectFleet({ urls, names, self }, clock))
      atEnd(() => connection.nc.close().catch(() => {}))
      return connection
    }
    const maker = await connect('maker')
    await tried(() => openStores(maker, names))
    return { ...lab, names, connect }
  }
}
