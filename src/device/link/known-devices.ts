/**
 * The devices of the adb server as they were last listed, while that is certain: the server tells on a connection of its
 * own when something has changed, and what it does not tell is found out at intervals.
 */
import type { DeviceRecord } from '../../contracts/device/device.ts'
import { ageMs, type Clock, type ClockReading, readClock } from '../../runtime/clock.ts'
import type { AdbServer } from './adb-server.ts'
import { bounded, onAbort } from './bounded.ts'
import { LinkError } from './link.ts'
import type { LinkLimits } from './link-limits.ts'
import type { ServerStream } from './server-stream.ts'

interface KnownDevicesOptions {
  clock: Clock
  server: Pick<AdbServer, 'connect'>
  limits: Pick<LinkLimits, 'knownMs' | 'serverAnswerMs'>
}

export interface KnownDevices {
  /** From now on, listings are kept: for a process that lives long. */
  keep(): void
  /** Lists the devices anew. */
  ask(list: () => Promise<DeviceRecord[]>): Promise<DeviceRecord[]>
  /** The devices, or why the server cannot be asked for them; undefined when they have to be asked for. */
  current(): DeviceRecord[] | LinkError | undefined
  close(): Promise<void>
}

/** Nobody listens, or it is no adb server; any other failure is that of one call. */
const isUseless = (error: unknown): error is LinkError =>
  error instanceof LinkError && (error.code === 'ADB_NOT_FOUND' || error.code === 'ADB_SERVER_FAILED')

export const createKnownDevices = ({ clock, server, limits }: KnownDevicesOptions): KnownDevices => {
  const closing = new AbortController()
  let isKept = false
  let known: { devices: DeviceRecord[] | LinkError; read: ClockReading } | undefined
  let changes = 0
  /** The conversation on which the server tells of changes; `isHeard` once it has begun. */
  let tracking: Promise<void> | undefined
  let isHeard = false

  const change = () => {
    changes += 1
    known = undefined
  }

  const open = async (stop: AbortSignal): Promise<ServerStream> => {
    const stream = await server.connect('host:track-devices', stop, { idle: true })
    const forget = onAbort(stop, () => stream.close())
    try {
      // The server begins with the devices of this moment.
      await stream.readString()
      return stream
    } finally {
      forget()
    }
  }

  const track = async () => {
    const deadline = clock.now() + limits.serverAnswerMs
    const what = 'the adb server on its devices'
    const stream = await bounded({ clock, what, deadline, signal: closing.signal }, open)
    const forget = onAbort(closing.signal, () => stream.close())
    isHeard = true
    try {
      for (;;) {
        await stream.readString()
        change()
      }
    } finally {
      isHeard = false
      forget()
      stream.close()
    }
  }

  const startTracking = () => {
    tracking ??= track()
      // A server that ends it, or cannot track, is asked each time; the next listing tries again.
      .catch(() => {})
      .finally(() => {
        tracking = undefined
        change()
      })
  }

  return {
    keep() {
      isKept = true
    },
    async ask(list) {
      const [before, wasHeard, read] = [changes, isHeard, readClock(clock)]
      const keepAs = (devices: DeviceRecord[] | LinkError) => {
        if (isKept && before === changes) known = { devices, read }
      }
      try {
        const devices = await list()
        // Only a listing that was begun after the server had promised to tell of changes is certain.
        if (wasHeard) keepAs(devices)
        if (isKept && !closing.signal.aborted) startTracking()
        return devices
      } catch (error) {
        if (isUseless(error)) keepAs(error)
        throw error
      }
    },
    // A server does not tell of every change of a state: adb 29 says nothing of a TCP device that went offline.
    current: () => (known && ageMs(clock, known.read) < limits.knownMs ? known.devices : undefined),
    async close() {
      closing.abort(new LinkError('LINK_CANCELLED', 'the links were closed'))
      await tracking
    },
  }
}
