/** Keeps open per device between executions: its log reader, its operator sockets, its helper. */

import type { Clock } from '../../../../runtime/clock.ts'
import type { CallOptions, Link } from '../../../link/link.ts'
import { createHierarchyMemory, type HierarchyMemory } from '../../../screen/hierarchy-memory.ts'
import { createHelper, type DeviceHelper } from '../../uiautomator/helper.ts'
import { type CrashMemory, createCrashMemory } from './crash-memory.ts'
import { createLogReader, type LogReader } from './log-reader.ts'
import { createSockets, recentMap, type Sockets } from './sockets.ts'

/** The cached link of a device, opened again when it was lost. Rejects with LinkError. */
export type OpenLink = (serial: string, options: CallOptions) => Promise<Link>

export interface DeviceSession {
  link(options: CallOptions): Promise<Link>
  log: LogReader
  sockets: Sockets
  helper: DeviceHelper
  crashes: CrashMemory
  /** The screen that an operator app answered last. */
  hierarchies: HierarchyMemory
}

export interface Sessions {
  of(serial: string): DeviceSession
  /** Ends every reader, socket and helper; a host does it once, when it ends. */
  close(): Promise<void>
}

/** Far more devices than a debug bridge can carry at once; sessions of those that went away make room. */
const DEVICES_MAX = 1_024

export const createSessions = ({ clock, openLink }: { clock: Clock; openLink: OpenLink }): Sessions => {
  const close = ({ log, sockets, helper }: DeviceSession): Promise<void> => {
    log.close()
    sockets.close()
    return helper.stop()
  }
  const sessions = recentMap<string, DeviceSession>(DEVICES_MAX, session => void close(session))
  return {
    of(serial) {
      const known = sessions.get(serial)
      if (known) return known
      const link = (options: CallOptions) => openLink(serial, options)
      const session: DeviceSession = {
        link,
        log: createLogReader({ clock, link }),
        sockets: createSockets(clock, link),
        helper: createHelper({ clock, link }),
        crashes: createCrashMemory(),
        hierarchies: createHierarchyMemory(),
      }
      sessions.set(serial, session)
      return session
    },
    async close() {
      await Promise.all(sessions.values().map(close))
    },
  }
}
