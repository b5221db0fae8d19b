/** One life of a server that is a host of the fleet: the real one, over simulated NATS and its own doors. */
import { namesOf } from '../../../src/fleet/servers/names.ts'
import type { Network } from '../../../src/start/world.ts'
import type { RunningServer } from '../../../src/surfaces/http/server.ts'
import { type Life, type LifeOptions, startLife } from '../host/life.ts'
import { natsConnector } from '../nats/connection.ts'
import type { Nats } from '../nats/server.ts'
import { createDoors } from './door.ts'

export const NAMES = namesOf('simulated')

/** Loaded ahead: to load code takes real time, in which a world stands still. */
export const loadFleet = async (): Promise<void> => {
  await import('../../../src/start/server.ts')
  await import('../../../src/start/fleet.ts')
  await import('../../../src/start/listener.ts')
  await import('../../../src/surfaces/http/events/outcome-text.ts')
  await import('../../../src/service/traces/assets.ts')
}

interface FleetLifeOptions extends LifeOptions {
  nats: Nats
  host: string
  /** It could not start, and goes. */
  onFailed(why: string): void
}

export const startFleetLife = ({ nats, host, onFailed, ...options }: FleetLifeOptions): Life => {
  const { scheduler, name, pid } = options
  const owner = scheduler.owner(name)
  const doors = createDoors(owner)
  const network: Network = {
    ...doors.network,
    connectNats: natsConnector({ scheduler, nats, owner, host }),
    process: { pid, started: `simulated:${pid}`, place: host },
    hasEnded: process =>
      process.place === host ? !options.isAlive({ pid: process.pid, started: process.started }) : undefined,
  }
  const life = startLife({ ...options, owner, network })
  const { services } = life
  let server: RunningServer | undefined
  return {
    ...life,
    services: {
      ...services,
      async close() {
        await server?.close({ graceMs: 0 })
        await services.close()
      },
    },
    service: async () => doors.service,
    begin() {
      const address = { urls: ['nats://simulated'], names: NAMES, self: host }
      const fleet = { address, labels: {}, allowsUnsafe: true }
      const where = { host: '127.0.0.1', port: 0, allowOrigins: [], version: '0.0.0', entryPath: undefined }
      services.serve({ ...where, fleet }).then(
        started => {
          if (started.ok) server = started.server
          else onFailed(started.error.message)
        },
        (error: unknown) => onFailed(String(error)),
      )
    },
  }
}
