/** The ports of the ownership of one phone, and what the host tells the actors of all of them. */
import type { OwnershipInput } from '../../../machines/ownership.ts'
import type { Unstamped } from '../../contracts/events/event.ts'
import type { OwnershipEvent } from '../../contracts/events/fleet.ts'
import { HOLDER_LOOK_MS } from '../../contracts/limits/fleet-limits.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import type { Host } from '../../runtime/host.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import type { Port } from '../../runtime/port.ts'
import type { PhoneClaims } from './phone-claims.ts'

export interface OwnershipPortsDeps {
  claims(): PhoneClaims
  journal(): Journal
  clock: Clock
}

const AGAIN_MS = 250
/** How often a phone that is given back is looked at until nothing runs on it. */
const BUSY_LOOK_MS = 100

export const actorOfPhone = (phone: string): string => `ownership:${phone.replace(/^device:/, '')}`

export const ownershipPorts = ({ claims, journal, clock }: OwnershipPortsDeps) => {
  const claimPhone: Port<OwnershipInput> = async ({ phone, epoch }, { send, signal }) => {
    while (!signal.aborted) {
      // A read or write that fails decides nothing: the lease of the host lapses, or the next try succeeds.
      const claimed = await claims()
        .claim(phone, epoch)
        .catch(() => undefined)
      if (claimed?.kind === 'claimed') return void (await send({ type: 'phone.claimed', epoch: claimed.epoch }))
      if (claimed?.kind === 'held') {
        return void (await send({ type: 'phone.held', host: claimed.host, epoch: claimed.epoch }))
      }
      await pause(clock, AGAIN_MS, signal)
    }
  }

  const awaitHolder: Port<OwnershipInput> = async ({ phone, holder }, { send, signal }) => {
    let known = holder
    while (!signal.aborted) {
      await pause(clock, HOLDER_LOOK_MS, signal)
      if (signal.aborted) return
      const found = await claims()
        .look(phone)
        .catch(() => undefined)
      if (found?.kind === 'free') return void (await send({ type: 'holder.gone', host: known ?? '' }))
      if (found?.kind !== 'held' || found.host === known) continue
      known = found.host
      await send({ type: 'phone.held', host: found.host, epoch: found.epoch })
    }
  }

  const isBusy = (phone: string): boolean => journal().leases.owner(phone) !== undefined

  const releasePhone: Port<OwnershipInput> = async ({ phone }, { send, signal }) => {
    // An execution that is still running on the phone acts under this epoch.
    while (!signal.aborted && isBusy(phone)) await pause(clock, BUSY_LOOK_MS, signal)
    // Tries without end: a host that has its lease again after a cut would otherwise hold the phone for ever. One that
    // leaves the fleet waits shortly, and then releases everything with its lease.
    while (!signal.aborted) {
      const isReleased = await claims()
        .release(phone)
        .catch(() => false)
      if (isReleased) return void (await send({ type: 'phone.released' }))
      await pause(clock, AGAIN_MS, signal)
    }
  }

  return { claimPhone, awaitHolder, releasePhone }
}

interface OwnershipSnapshot {
  value: string | { known: string }
  context: { epoch: number; holder: string | null; serial: string }
}

export const createPhones = (host: () => Host, clock: Clock) => {
  const phones = new Set<string>()
  /** The newest claim of each phone, and when it was noticed, which is a moment after it was made. */
  const claimed = new Map<string, { epoch: number; at: number }>()

  const tell = (phone: string, event: Unstamped<OwnershipEvent>) => {
    const id = actorOfPhone(phone)
    return host().tell({ id, machine: 'ownership', input: { phone }, ownershipKey: id, note: { phone } }, event)
  }
  /** The state of the phone's actor in this process. */
  const of = (phone: string): ({ state: string } & OwnershipSnapshot['context']) | undefined => {
    const snapshot = host().snapshot(actorOfPhone(phone)) as OwnershipSnapshot | undefined
    if (!snapshot) return undefined
    const { value, context } = snapshot
    const state = typeof value === 'string' ? value : value.known
    return { state, ...context }
  }

  const noteClaim = (phone: string): number | undefined => {
    const found = of(phone)
    if (found?.state !== 'owned') return found?.state === 'doubtful' ? claimed.get(phone)?.at : undefined
    const noted = claimed.get(phone)
    if (noted?.epoch === found.epoch) return noted.at
    const at = clock.now()
    claimed.set(phone, { epoch: found.epoch, at })
    return at
  }

  return {
    of,
    /** Since when nobody else acts on the phone for the fleet; undefined for one that is not claimed. */
    heldSince: noteClaim,
    /** The phones that are neither owned nor claimed nor waited for. */
    isEmpty: () => [...phones].every(phone => (of(phone)?.state ?? 'unowned') === 'unowned'),
    /** Takes the phones that the debug bridge lists as ready now, each with its serial. */
    async see(seen: ReadonlyMap<string, string>) {
      for (const phone of phones) {
        const state = of(phone)?.state ?? 'unowned'
        if (seen.has(phone)) continue
        claimed.delete(phone)
        if (state === 'unowned') phones.delete(phone)
        else if (state !== 'releasing') await tell(phone, { type: 'phone.gone' })
      }
      for (const [phone, serial] of seen) {
        phones.add(phone)
        if ((of(phone)?.state ?? 'unowned') === 'unowned') await tell(phone, { type: 'phone.seen', serial })
        noteClaim(phone)
      }
    },
    async tellAll(eventFor: (phone: string) => Unstamped<OwnershipEvent>) {
      for (const phone of phones) if ((of(phone)?.state ?? 'unowned') !== 'unowned') await tell(phone, eventFor(phone))
    },
  }
}

export type Phones = ReturnType<typeof createPhones>
