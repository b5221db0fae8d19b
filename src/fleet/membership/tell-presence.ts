/** Looks what is connected to this host, claims it, and tells the other hosts, again and again. */
import type { FleetBeat, FleetHostRecord } from '../../contracts/fleet.ts'
import { PRESENCE_MS } from '../../contracts/limits/fleet-limits.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import { messageOf } from '../../runtime/message-of.ts'
import type { Phones } from '../ownership/ownership-ports.ts'
import type { Announcer } from './announcer.ts'
import type { Presence, SeenDevice } from './presence.ts'

export interface PresenceTellerOptions {
  clock: Clock
  presence: Presence
  phones: Phones
  announcer: Announcer
  /** The state of the membership. */
  state(): string
  /** True while there is a link to the servers. */
  isUp(): boolean
  record(): FleetHostRecord
  beat(): Pick<FleetBeat, 'busy' | 'head' | 'mirrored'>
  note(text: string): void
}

export const createPresenceTeller = (options: PresenceTellerOptions) => {
  const { clock, presence, phones, announcer, state, isUp, record, beat, note } = options
  let seen: SeenDevice[] = []
  let hasLooked = false
  let problem = ''

  const sayOnce = (message: string) => {
    if (message !== problem && message !== '') note(message)
    problem = message
  }

  /** A failed look keeps the devices seen before. */
  const lookAround = async () => {
    try {
      seen = await presence.look()
      sayOnce('')
    } catch (error) {
      sayOnce(`fleet: the devices of this host cannot be listed: ${messageOf(error)}`)
    }
    hasLooked = true
  }

  const tell = async () => {
    await lookAround()
    const isOpen = state() === 'serving'
    const owned = isOpen
      ? seen.flatMap(({ phone, serial }) => (phone === undefined ? [] : [[phone, serial] as const]))
      : []
    // Cut off, it keeps what it had: whether it is lost is decided when the servers answer again.
    if (isOpen || state() === 'drained') await phones.see(new Map(owned))
    await announcer.tell(record(), beat())
  }

  return {
    /** The devices of the last look that succeeded. */
    seen: (): readonly SeenDevice[] => seen,
    /** True after the first look, even a failed one. */
    hasLooked: () => hasLooked,
    /** Tells at once what this process knows; cut off, the others hear of it when the servers answer again. */
    async tellNow() {
      if (isUp()) await announcer.tell(record(), beat()).catch(() => {})
    },
    /** Until the signal. */
    async run(signal: AbortSignal) {
      while (!signal.aborted) {
        try {
          await tell()
        } catch (error) {
          if (isUp()) sayOnce(`fleet: the others were not told what is connected: ${messageOf(error)}`)
        }
        await pause(clock, PRESENCE_MS, signal)
      }
    },
  }
}
