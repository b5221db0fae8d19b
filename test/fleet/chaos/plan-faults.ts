/** The faults of a plan. Each layer - a host's process, its link, the servers, a phone's cable - has one at a time. */
import type { Random } from '../../long/trial/random.ts'
import type { PhonePlan, Size } from './plan.ts'

export type Fault = { atMs: number; forMs: number } & (
  | { on: 'host'; host: number; does: 'kill' | 'freeze' | 'stop' | 'drain' }
  | { on: 'link'; host: number; does: 'silent' | 'loud' }
  /** `isolate`: from the other servers and from all hosts. */
  | { on: 'node'; node: number; does: 'kill' | 'freeze' | 'isolate' }
  /** All servers end, and come back with what they had stored, or without. */
  | { on: 'servers'; does: 'restart' | 'lose' }
  /** For a network phone the cable is away for a while; any other is plugged in elsewhere after that while. */
  | { on: 'cable'; phone: number; does: 'move' | 'unplug'; to: number }
)

const NODES = [0, 1, 2] as const
const HOSTS = [0, 1, 2] as const
/** How often it is all of them. */
const ALL_SERVERS = 0.3

/** One after the other, with pauses, while the chaos lasts. */
const inTurn = (random: Random, { chaosMs }: Size, pauseMs: number, make: (atMs: number) => Fault): Fault[] => {
  const faults: Fault[] = []
  for (let at = random.int(0, pauseMs); at < chaosMs; ) {
    const fault = make(at)
    faults.push(fault)
    at += fault.forMs + random.int(500, pauseMs)
  }
  return faults
}

/** Mostly short; now and then so long that others may take over. */
const lengthOf = (random: Random, { awayMs }: Size): number =>
  random.chance(0.6) ? random.int(200, Math.min(4_000, awayMs)) : random.int(1_000, awayMs)

const cableFaults = (random: Random, size: Size, { reachedBy, isNetwork }: PhonePlan, phone: number): Fault[] => {
  if (reachedBy.length === 1 && random.chance(0.6)) return []
  return inTurn(random, size, 10_000, atMs => {
    const to = random.shuffle(reachedBy)[0] ?? 0
    return { atMs, forMs: random.int(0, 2_500), on: 'cable', phone, does: isNetwork ? 'unplug' : 'move', to }
  })
}

export const faultsOf = (random: Random, size: Size, phones: readonly PhonePlan[]): Fault[] => {
  const doing = () => random.pick(['kill', 'kill', 'freeze', 'freeze', 'freeze', 'stop', 'drain'] as const)
  const cutting = () => random.pick(['silent', 'loud'] as const)
  const ending = () => random.pick(['restart', 'restart', 'lose'] as const)
  const breaking = () => random.pick(['kill', 'freeze', 'isolate'] as const)
  return [
    ...HOSTS.flatMap(host =>
      inTurn(random, size, 12_000, atMs => ({ atMs, forMs: lengthOf(random, size), on: 'host', host, does: doing() })),
    ),
    ...HOSTS.flatMap(host =>
      inTurn(random, size, 18_000, atMs => ({
        atMs,
        forMs: lengthOf(random, size),
        on: 'link',
        host,
        does: cutting(),
      })),
    ),
    ...inTurn(random, size, 12_000, (atMs): Fault => {
      const node = random.pick(NODES)
      if (random.chance(ALL_SERVERS)) return { atMs, forMs: random.int(0, 1_500), on: 'servers', does: ending() }
      return { atMs, forMs: random.int(300, Math.min(6_000, size.awayMs)), on: 'node', node, does: breaking() }
    }),
    ...phones.flatMap((each, phone) => cableFaults(random, size, each, phone)),
  ].sort((a, b) => a.atMs - b.atMs)
}
