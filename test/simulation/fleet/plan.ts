/** The deeds of one trial of a fleet: who asks which host for what, and which faults come. Made from a seed, and plain JSON. */
import { createRandom, type Random } from '../../long/trial/random.ts'
import type { Leader, Weather } from '../nats/server.ts'
import type { OperatorWays } from '../phone/phone-scenario.ts'
import { ASKS_UNTIL_MS, type Ask, FAULTS_UNTIL_MS, type Fault, type Place, type Plan, type Way } from '../plan/plan.ts'
import { seedOf } from '../scheduler.ts'

export interface FleetAsk extends Ask {
  /** As the caller names it: `<serial>`, `<serial>@<host>`, `any:`. */
  device: string
}

export type FleetFault =
  | Exclude<Fault, { kind: 'disk-full' | 'sync-fails' }>
  | { kind: 'nats-cut'; at: number; host: number; how: 'cut' | 'silent'; ms: number }
  | { kind: 'nats-slow'; at: number; host: number; ms: number; extraMs: number }
  | { kind: 'leader-gone'; at: number; how: Exclude<Leader, 'there'>; ms: number }
  | { kind: 'nats-restart'; at: number; ms: number }
  | { kind: 'weather'; at: number; ms: number; weather: Weather }
  /** The cable of a phone goes to another host. */
  | { kind: 'move'; at: number; phone: number; to: number; awayMs: number }

export interface FleetPlan extends Omit<Plan, 'asks' | 'faults' | 'phones'> {
  phones: readonly (Plan['phones'][number] & { isNetwork: boolean })[]
  asks: readonly FleetAsk[]
  faults: readonly FleetFault[]
}

/** A fleet has to find itself first. */
export const FLEET_READY_MS = 5_000
const ASKS = 10

export const serialOf = (phone: number, isNetwork: boolean): string =>
  isNetwork ? `10.0.0.${phone + 1}:5555` : `phone-${phone}`

const listOf = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

const weatherOf = (random: Random): Weather => {
  const some = (most: number) => (random.chance(0.5) ? random.int(1, most) : 0)
  return {
    lost: some(40) / 100,
    twice: some(40) / 100,
    nobody: some(30) / 100,
    ackLost: some(50) / 100,
    ackZero: some(50) / 100,
    staleMs: some(2_000),
    interestMs: some(300),
  }
}

const kindsOf = (random: Random) => {
  const on = (likely = 0.4) => random.chance(likely)
  return {
    kill: on(),
    use: on(),
    freeze: on(0.3),
    cut: on(0.2),
    away: on(0.15),
    power: on(0.25),
    clock: on(0.2),
    slowDisk: on(0.15),
    natsCut: on(),
    natsSlow: on(0.25),
    leader: on(),
    restart: on(0.25),
    weather: on(),
    move: on(0.25),
  }
}

export const fleetPlanOf = (seed: number, count = ASKS): FleetPlan => {
  const random = createRandom(seedOf(`${seed}/fleet plan`))
  const kinds = kindsOf(random)
  const hosts = random.chance(0.35) ? 3 : 2
  const processes = random.chance(0.3) ? 2 : 1
  const phones = listOf(hosts === 3 ? 2 : random.int(1, 3), index => ({
    host: index % hosts,
    ways: random.pick<OperatorWays>(['socket', 'socket', 'broadcast']),
    faults: [],
    isNetwork: random.chance(0.3),
  }))
  const server = (host = random.int(0, hosts - 1)): Place => ({ host, process: 0 })

  const asks = listOf(count, (index): FleetAsk => {
    const phone = random.int(0, phones.length - 1)
    const { host = 0, isNetwork = false } = phones[phone] ?? {}
    const serial = serialOf(phone, isNetwork)
    const way = random.pick<Way>(['plain', 'key', 'key', 'key', 'chosen', 'chosen-key'])
    // Another process of the host acts by what the server has on record, which names no epoch: only a cable shows whose phone it is.
    const isLocal = processes === 2 && random.chance(0.15) && !isNetwork
    const isRepeatable = way !== 'plain' && !isLocal
    // An id that was chosen without a key means one execution at one host only.
    const device = isLocal ? serial : random.pick([serial, `${serial}@h${host}`, `${serial}@h${host}`, 'any:'])
    const place = isLocal ? { host, process: 1 } : server()
    const mayMove = way.includes('key') || device !== 'any:'
    return {
      command: `tap-${index}`,
      device,
      at: random.int(FLEET_READY_MS, ASKS_UNTIL_MS + 2_000),
      place,
      phone,
      way,
      timeoutMs: random.pick([1_000, 2_500, 6_000]),
      operatorPackage: 'com.svc.operator',
      beforeMs: random.pick([0, random.int(1, 300), random.int(1, 900)]),
      afterMs: random.pick([0, 0, random.int(1, 500)]),
      ...(isRepeatable && mayMove && random.chance(0.4) ? { twin: server() } : {}),
      ...(isRepeatable && mayMove && random.chance(0.5)
        ? { againAfterMs: random.int(0, 6_000), againAt: server() }
        : {}),
      ...(way.startsWith('chosen') && random.chance(0.4)
        ? { cancelAfterMs: random.int(0, 1_500), cancelAt: server() }
        : {}),
      // Elsewhere, the paths of its pictures are read from a real file, which takes real time.
      ...(random.chance(0.15) && device !== 'any:' && !isNetwork && place.host === host ? { resumes: true } : {}),
    }
  })
  const moment = (): number => {
    const aimed = asks[random.int(0, asks.length - 1)]
    if (!aimed || random.chance(0.25)) return random.int(FLEET_READY_MS / 2, FAULTS_UNTIL_MS)
    return Math.min(FAULTS_UNTIL_MS, Math.max(0, aimed.at + random.int(-300, aimed.beforeMs + aimed.afterMs + 200)))
  }
  const host = () => random.int(0, hosts - 1)
  const phone = () => random.int(0, phones.length - 1)
  const restartMs = () => random.int(20, 12_000)
  const some = (isOn: boolean, most: number, make: () => FleetFault) => (isOn ? listOf(random.int(1, most), make) : [])
  const cables = phones.flatMap(({ isNetwork }, index) => (isNetwork ? [] : [index]))
  const cable = () => cables[random.int(0, cables.length - 1)] ?? 0
  return {
    seed,
    hosts,
    processes,
    phones,
    asks,
    faults: [
      ...some(kinds.kill, 2, () => ({ kind: 'kill', at: moment(), place: server(), restartMs: restartMs() })),
      ...some(kinds.use, 3, () => ({
        kind: 'kill-at-use',
        at: moment(),
        place: server(),
        use: random.int(1, 80),
        restartMs: restartMs(),
      })),
      ...some(kinds.freeze, 2, () => ({ kind: 'freeze', at: moment(), place: server(), ms: random.int(200, 14_000) })),
      ...some(kinds.cut, 2, () => ({ kind: 'cut', at: moment(), phone: phone() })),
      ...some(kinds.away, 1, () => ({ kind: 'away', at: moment(), phone: phone(), ms: random.int(100, 6_000) })),
      ...some(kinds.power, 1, () => ({ kind: 'power-cut', at: moment(), host: host(), restartMs: restartMs() })),
      ...some(kinds.slowDisk, 1, () => ({
        kind: 'disk-slow',
        at: moment(),
        host: host(),
        ms: random.int(50, 4_000),
        extraMs: random.int(20, 800),
      })),
      ...some(kinds.clock, 1, () => ({
        kind: 'clock-set',
        at: moment(),
        host: host(),
        byMs: random.pick([-5_000, 5_000, -3_600_000, 3_600_000]),
      })),
      ...some(kinds.natsCut, 2, () => ({
        kind: 'nats-cut',
        at: moment(),
        host: host(),
        how: random.pick(['cut', 'silent'] as const),
        ms: random.int(50, 14_000),
      })),
      ...some(kinds.natsSlow, 2, () => ({
        kind: 'nats-slow',
        at: moment(),
        host: host(),
        ms: random.int(200, 6_000),
        extraMs: random.int(10, 900),
      })),
      ...some(kinds.leader, 2, () => ({
        kind: 'leader-gone',
        at: moment(),
        how: random.pick(['silent', 'nobody'] as const),
        ms: random.int(100, 9_000),
      })),
      ...some(kinds.restart, 1, () => ({ kind: 'nats-restart', at: moment(), ms: random.int(100, 5_000) })),
      ...some(kinds.weather, 2, () => ({
        kind: 'weather',
        at: moment(),
        ms: random.int(500, 8_000),
        weather: weatherOf(random),
      })),
      ...(cables.length > 0
        ? some(kinds.move, 1, () => ({
            kind: 'move',
            at: moment(),
            phone: cable(),
            to: host(),
            awayMs: random.int(0, 3_000),
          }))
        : []),
    ],
    watchers: listOf(hosts, index => ({ host: index, process: 0 })),
  }
}
