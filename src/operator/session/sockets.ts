/** The session sockets of one device by operator package: kept open, and not asked for again too soon where there is none. */
import type { CallOptions, Link } from '../../adb/link.ts'
import { LinkError } from '../../adb/link-error.ts'
import type { Clock } from '../../runtime/clock.ts'
import { recentMap } from './recent-map.ts'
import { type OperatorSocket, openSocket } from './socket.ts'

export interface Sockets {
  /** Undefined where no operator accepts sessions; rejects with LinkError when the device cannot be asked. */
  get(operatorPackage: string, options: CallOptions): Promise<OperatorSocket | undefined>
  close(): void
}

/** An operator without a session socket costs one round trip per this long. */
const ABSENT_MS = 30_000
/** A device has one operator; the names come from callers and may be many. */
const PACKAGES_MAX = 16
/** The time for an operator that neither accepts nor refuses. */
const OPEN_MS = 3_000

export const createSockets = (clock: Clock, link: (options: CallOptions) => Promise<Link>): Sockets => {
  const sockets = recentMap<string, OperatorSocket>(PACKAGES_MAX, socket => socket.close())
  const absentUntil = recentMap<string, number>(PACKAGES_MAX)

  const open = async (operatorPackage: string, options: CallOptions): Promise<OperatorSocket | undefined> => {
    const deadline = Math.min(options.deadline, clock.now() + OPEN_MS)
    try {
      return await openSocket({ link: await link(options), clock, operatorPackage }, { ...options, deadline })
    } catch (error) {
      if (error instanceof LinkError && error.code === 'LINK_TIMEOUT' && clock.now() < options.deadline)
        return undefined
      throw error
    }
  }

  return {
    async get(operatorPackage, options) {
      const known = sockets.get(operatorPackage)
      if (known?.isOpen()) return known
      sockets.delete(operatorPackage)
      if ((absentUntil.get(operatorPackage) ?? Number.NEGATIVE_INFINITY) > clock.elapsed()) return undefined
      const socket = await open(operatorPackage, options)
      if (socket) sockets.set(operatorPackage, socket)
      else if (!options.signal?.aborted) absentUntil.set(operatorPackage, clock.elapsed() + ABSENT_MS)
      return socket
    },
    close() {
      for (const socket of sockets.values()) socket.close()
    },
  }
}
