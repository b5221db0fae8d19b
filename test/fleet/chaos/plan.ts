/** What one trial does to a fleet: phones and their cables, who asks for what and when, and every fault. Pure. */
import { type Random, randomOf } from '../../long/trial/random.ts'
import { type Fault, faultsOf } from './plan-faults.ts'

export const HOSTS = ['h1', 'h2', 'h3'] as const
export const NODES = 3

export interface PhonePlan {
  /** Which hosts have a cable to it; the first one has it plugged in. */
  reachedBy: readonly number[]
  /** All of its cables are plugged in, as if it were reached over a network. */
  isNetwork: boolean
}

export type Target =
  /** As the host calls it that has it at that moment, or as one of those that could have it. */
  | { kind: 'phone'; phone: number; as: 'plugged' | number }
  /** `any`, or any of one host. */
  | { kind: 'any'; host: number | undefined }

export interface AskPlan {
  /** The commandId. */
  command: string
  atMs: number
  /** Whom it is sent to. */
  host: number
  target: Target
  timeoutMs: number
  /** How long the phone is at it. */
  sleepMs: number
  /** With a step of the host between two of the phone: it is sent in three segments. */
  isLong: boolean
  /** With an Idempotency-Key; a repetition goes to another host after this time, whatever the first answer was. */
  keyed: { repeatMs: number; host: number } | undefined
}

export interface Plan {
  seed: number
  size: Size
  phones: readonly PhonePlan[]
  asks: readonly AskPlan[]
  faults: readonly Fault[]
  /** For each watcher, how long it stays with one host before it goes on at the next. */
  staysMs: readonly (readonly number[])[]
}

export interface Size {
  /** How long faults begin and callers ask. */
  chaosMs: number
  asks: number
  /** The longest that a host stands still or is away. */
  awayMs: number
}

export const LONG: Size = { chaosMs: 20_000, asks: 120, awayMs: 15_000 }
export const SHORT: Size = { chaosMs: 5_000, asks: 30, awayMs: 2_000 }

const listOf = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

const hosts = () => listOf(HOSTS.length, index => index)

const phoneOf = (random: Random, index: number): PhonePlan => {
  const order = random.shuffle(hosts())
  // Each host has one from the beginning.
  const first = index < HOSTS.length ? index : (order[0] ?? 0)
  const others = order.filter(host => host !== first)
  const kind = random.next()
  if (kind < 0.25) return { reachedBy: [first], isNetwork: false }
  return { reachedBy: [first, ...others.slice(0, random.int(1, 2))], isNetwork: kind < 0.6 }
}

const targetOf = (random: Random, phones: readonly PhonePlan[]): Target => {
  if (random.chance(0.15))
    return { kind: 'any', host: random.chance(0.5) ? random.int(0, HOSTS.length - 1) : undefined }
  const phone = random.int(0, phones.length - 1)
  const { reachedBy } = phones[phone] as PhonePlan
  const as = random.chance(0.75) ? 'plugged' : (reachedBy[random.int(0, reachedBy.length - 1)] as number)
  return { kind: 'phone', phone, as }
}

const askOf = (random: Random, index: number, { chaosMs }: Size, phones: readonly PhonePlan[]): AskPlan => ({
  command: `ask-${index}`,
  atMs: random.int(0, chaosMs),
  host: random.int(0, HOSTS.length - 1),
  target: targetOf(random, phones),
  // The longest ones are still at it when a frozen host thaws.
  ...(random.chance(0.05)
    ? { timeoutMs: 25_000, sleepMs: random.int(1_000, 6_000), isLong: true }
    : {
        timeoutMs: random.pick([2_000, 3_000, 5_000] as const),
        sleepMs: random.pick([0, random.int(1, 300), random.int(1, 1_000)] as const),
        isLong: random.chance(0.25),
      }),
  keyed: random.chance(0.4)
    ? { repeatMs: random.pick([0, random.int(0, 500), random.int(0, 8_000)]), host: random.int(0, HOSTS.length - 1) }
    : undefined,
})

export const planOf = (seed: number, size: Size): Plan => {
  const random = randomOf(seed, size.chaosMs)
  const phones = listOf(random.int(3, 5), index => phoneOf(random, index))
  return {
    seed,
    size,
    phones,
    asks: listOf(size.asks, index => askOf(random, index, size, phones)),
    faults: faultsOf(random, size, phones),
    staysMs: hosts().map(() => listOf(10, () => random.int(1_000, size.awayMs))),
  }
}
