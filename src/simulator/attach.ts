/** `svc simulate --adb`: the devices of a fleet made known to an adb server, and taken out of its list again. */
import type { ServerAddress } from '../adb/addresses.ts'
import type { Clock } from '../runtime/clock.ts'
import { connectThroughServer, disconnectFromServer, type ServerAddress as Reached } from './adbd/register.ts'
import type { Fleet } from './fleet.ts'

export interface AttachOptions {
  fleet: Pick<Fleet, 'devices'>
  server: ServerAddress
  clock: Clock
}

export interface NotAttached {
  serial: string
  problem: string
}

const reach = (server: ServerAddress): Reached | undefined => {
  if ('unusable' in server) return undefined
  return 'path' in server ? { socketPath: server.path } : server
}

/** One after the other, as a server takes them; those that it did not take are named with its reason. */
export const attachToServer = async ({ fleet, server, clock }: AttachOptions): Promise<NotAttached[]> => {
  const reached = reach(server)
  if (!reached)
    return fleet.devices.map(({ serial }) => ({ serial, problem: 'the address of the adb server is unusable' }))
  const failed: NotAttached[] = []
  for (const { serial } of fleet.devices) {
    const answer = await connectThroughServer({ server: reached, clock }, serial)
    if (!answer.ok) failed.push({ serial, problem: answer.reason })
  }
  return failed
}

export const detachFromServer = async ({ fleet, server, clock }: AttachOptions): Promise<void> => {
  const reached = reach(server)
  if (!reached) return
  for (const { serial } of fleet.devices) await disconnectFromServer({ server: reached, clock }, serial)
}
