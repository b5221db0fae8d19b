/** What is kept open per device between executions: its log reader and its operator sockets. */
import type { CallOptions, Link } from '../../adb/link.ts'
import type { Clock } from '../../runtime/clock.ts'
import { createLogReader, type LogReader } from './log-reader.ts'
import { recentMap } from './recent-map.ts'
import { createSockets, type Sockets } from './sockets.ts'

/** The cached link of a device, opened again when it was lost. Rejects with LinkError. */
export type OpenLink = (serial: string, options: CallOptions) => Promise<Link>

export interface DeviceSession {
  link(options: CallOptions): Promise<Link>
  log: LogReader
  sockets: Sockets
}

export interface Sessions {
  of(serial: string): DeviceSession
  /** Ends every reader and socket; a host does it once, when it ends. */
  close(): void
}

/** Far more devices than a debug bridge can carry at once; sessions of those that went away make room. */
const DEVICES_MAX = 1_024

export const createSessions = ({ clock, openLink }: { clock: Clock; openLink: OpenLink }): Sessions => {
  const close = ({ log, sockets }: DeviceSession) => {
    log.close()
    sockets.close()
  }
  const sessions = recentMap<string, DeviceSession>(DEVICES_MAX, close)
  return {
    of(serial) {
      const known = sessions.get(serial)
      if (known) return known
      const link = (options: CallOptions) => openLink(serial, options)
      const session = { link, log: createLogReader({ clock, link }), sockets: createSockets(clock, link) }
      sessions.set(serial, session)
      return session
    },
    close: () => sessions.values().forEach(close),
  }
}
