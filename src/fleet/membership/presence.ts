/** Lists the devices connected to this host, in the form that other hosts get. */

import type { DeviceRecord } from '../../contracts/device/device.ts'
import type { Labels } from '../../contracts/fleet.ts'
import type { Link } from '../../device/link/link.ts'
import type { Clock } from '../../runtime/clock.ts'
import { ASK_LABELS, readLabels } from './labels.ts'

export interface SeenDevice {
  serial: string
  state: string
  labels: Labels
  /** The key under which it is owned on its host; absent while it cannot be asked. */
  phone?: string
}

export interface PresenceOptions {
  clock: Clock
  list(options: { deadline: number }): Promise<DeviceRecord[]>
  open(serial: string, options: { deadline: number }): Promise<Link>
  keyOf(link: Link, options: { deadline: number }): Promise<string>
  labels: Labels
}

const READY = 'device'
const LIST_MS = 15_000
const ASK_MS = 5_000
/** So many devices are asked at a time. */
const ASKED_AT_ONCE = 8
const LABELS_BYTES_MAX = 4_096

export const createPresence = ({ clock, list, open, keyOf, labels }: PresenceOptions) => {
  /** By the link that was asked: a device that was unplugged and came back has another one. */
  const known = new Map<string, { link: Link; phone: string; labels: Labels }>()

  const ask = async (serial: string): Promise<void> => {
    const options = { deadline: clock.now() + ASK_MS }
    const link = await open(serial, options)
    if (known.get(serial)?.link === link) return
    const phone = await keyOf(link, options)
    const reply = await link.shell(ASK_LABELS, { ...options, maxBytes: LABELS_BYTES_MAX }).catch(() => undefined)
    known.set(serial, { link, phone, labels: readLabels(reply?.stdout ?? '') })
  }

  return {
    /** Asks the debug bridge. What was learned of a device is kept for as long as it stays connected. */
    async look(): Promise<SeenDevice[]> {
      const devices = await list({ deadline: clock.now() + LIST_MS })
      const ready = devices.filter(({ state }) => state === READY).map(({ serial }) => serial)
      for (const serial of known.keys()) if (!ready.includes(serial)) known.delete(serial)
      const queue = [...ready]
      const worker = async () => {
        // A device that does not answer is told of without a phone, and asked again at the next look.
        for (let serial = queue.shift(); serial !== undefined; serial = queue.shift()) await ask(serial).catch(() => {})
      }
      await Promise.all(Array.from({ length: ASKED_AT_ONCE }, worker))
      return devices.map(({ serial, state }) => {
        const found = state === READY ? known.get(serial) : undefined
        return { serial, state, labels: { ...found?.labels, ...labels }, ...(found ? { phone: found.phone } : {}) }
      })
    },
  }
}

export type Presence = ReturnType<typeof createPresence>
