/** Reservations beside the requests of a plan: asked for by several callers, extended, ended by anybody, or left to expire. */
import { createRandom } from '../../long/trial/random.ts'
import type { Ask, Fault, Place, Plan } from '../plan/plan.ts'
import { seedOf } from '../scheduler.ts'

export interface LeaseAsk {
  at: number
  place: Place
  phone: number
  forMs: number
  waitMs: number
  /** Extended so long after it was got, at that place. */
  extendAfterMs?: number
  /** Ended so long after it was got, at that place; else it expires. */
  endAfterMs?: number
  changeAt: Place
}

const LEASES_MAX = 5
/** With the longest wait and times, all of them are over when the calm is looked at. */
const LEASES_UNTIL_MS = 12_000
const WAIT_MS = [0, 0, 1_000, 5_000] as const

export const withLeases = (plan: Plan): Plan => {
  const random = createRandom(seedOf(`${plan.seed}/plan, leases`))
  if (!random.chance(0.35)) return plan
  const placeAt = (host: number): Place => ({ host, process: random.int(0, plan.processes - 1) })
  const leases = Array.from({ length: random.int(1, LEASES_MAX) }, (): LeaseAsk => {
    const phone = random.int(0, plan.phones.length - 1)
    const host = plan.phones[phone]?.host ?? 0
    return {
      at: random.int(0, LEASES_UNTIL_MS),
      place: placeAt(host),
      phone,
      forMs: random.int(1_000, 6_000),
      waitMs: random.pick(WAIT_MS),
      ...(random.chance(0.3) ? { extendAfterMs: random.int(0, 900) } : {}),
      ...(random.chance(0.5) ? { endAfterMs: random.int(0, 4_000) } : {}),
      changeAt: placeAt(host),
    }
  })
  /** A request comes soon after the reservation that it belongs to was asked for. */
  const asks = plan.asks.map((ask): Ask => {
    if (!random.chance(0.4)) return ask
    const lease = random.int(0, leases.length - 1)
    const one = leases[lease]
    if (!one || one.phone !== ask.phone) return ask
    return { ...ask, lease, at: one.at + random.int(20, 4_000) }
  })
  /** Their keepers stand still over the end of what they keep. */
  const freezes = leases.flatMap(({ at, place, forMs }): Fault[] =>
    random.chance(0.3)
      ? [{ kind: 'freeze', at: at + random.int(100, 1_500), place, ms: forMs + random.int(1_000, 6_000) }]
      : [],
  )
  return { ...plan, leases, asks, faults: [...plan.faults, ...freezes] }
}
