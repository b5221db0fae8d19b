/** The deeds of one trial: who asks for what and when, and which faults come. Made from a seed, and plain JSON. */
import type { OperatorCapability } from '../../../src/contracts/device/operator.ts'
import type { Fault as PhoneFault } from '../../../src/simulator/scenario/fault.ts'
import { createRandom, type Random } from '../../long/trial/random.ts'
import { withLists } from '../evidence/plan-lists.ts'
import type { OperatorWays } from '../phone/phone-scenario.ts'
import { type RecordAsk, type Turn, withRecordings } from '../recordings/plan-recordings.ts'
import { type LeaseAsk, withLeases } from '../reservations/plan-leases.ts'
import { seedOf } from '../scheduler.ts'
import { type HostStep, withHostSteps } from './plan-host-steps.ts'
import { withPhoneSteps } from './plan-phone-steps.ts'
import { withWaiting } from './plan-waiting.ts'

/** A place of a process: it lives there again after each death. */
export interface Place {
  host: number
  process: number
}

export type Way = 'plain' | 'key' | 'chosen' | 'chosen-key'

export interface Ask {
  /** Names the row that is tapped, and is the commandId. */
  command: string
  at: number
  place: Place
  phone: number
  way: Way
  timeoutMs: number
  operatorPackage: 'com.svc.operator' | 'svc.shell' | null
  /** Sleeps around the tap: moments for faults. */
  beforeMs: number
  afterMs: number
  /** Reads the screen at the end: without it, nothing that the host performs itself follows the tap over the link. */
  looksAfter?: boolean
  /** Taps these rows as well, each after a wait. */
  rows?: readonly string[]
  betweenMs?: number
  /** Its last step fails: it taps what the screen does not have. */
  fails?: true
  /** Ends another application before the tap, which the host does: so it is sent in parts. */
  inParts?: boolean
  /** A step beside the tap that the host performs over the link. */
  hostStep?: HostStep
  /** The same request at another place at once. */
  twin?: Place
  /** The same request again: so long after the first was answered, or given up. */
  againAfterMs?: number
  againAt?: Place
  /** Cancelled so long after it was asked, at this place. */
  cancelAfterMs?: number
  cancelAt?: Place
  /** The caller withdraws it so long after it was asked. */
  withdrawAfterMs?: number
  /** Resumed once it is over, or so long after its caller has heard of it. */
  resumes?: boolean
  resumeAfterMs?: number
  /** The step with which it goes on then; the first that is not proven unless told. */
  resumeFrom?: string
  /** The reservation of the plan that it belongs to, once that was got. */
  lease?: number
  /** How long it, and its resumption, wait for a phone that is busy. */
  waitMs?: number
  /** The connection of the caller ends so long after it was asked: while it waits, that takes it out of the queue. */
  leaveAfterMs?: number
  /** Its receipt is read so long after it was asked, at this place. */
  lookAfterMs?: number
  lookAt?: Place
  /** How long that waits for its outcome. */
  lookWaitMs?: number
}

export type Fault =
  | { kind: 'kill'; at: number; place: Place; restartMs: number }
  /** Dies at the so manyth use of a seam after that moment. */
  | { kind: 'kill-at-use'; at: number; place: Place; use: number; restartMs: number }
  | { kind: 'freeze'; at: number; place: Place; ms: number }
  | { kind: 'cut'; at: number; phone: number; place?: Place }
  | { kind: 'stall'; at: number; phone: number; ms: number }
  | { kind: 'away'; at: number; phone: number; ms: number }
  | { kind: 'disk-full'; at: number; host: number; ms: number }
  | { kind: 'disk-slow'; at: number; host: number; ms: number; extraMs: number }
  | { kind: 'sync-fails'; at: number; host: number; ms: number }
  | { kind: 'power-cut'; at: number; host: number; restartMs: number }
  | { kind: 'clock-set'; at: number; host: number; byMs: number }

export interface Plan {
  seed: number
  hosts: number
  processes: number
  phones: readonly {
    host: number
    ways: OperatorWays
    faults: readonly PhoneFault[]
    /** Of its operator app: all unless told. */
    capabilities?: readonly OperatorCapability[]
  }[]
  asks: readonly Ask[]
  faults: readonly Fault[]
  /** Watchers of the journal, one per place. */
  watchers: readonly Place[]
  /** Of the screens of phones, beside the requests. */
  recordings?: readonly RecordAsk[]
  /** Reservations of phones. */
  leases?: readonly LeaseAsk[]
  /** Screens that somebody turns. */
  turns?: readonly Turn[]
}

export const ASKS_UNTIL_MS = 15_000
export const FAULTS_UNTIL_MS = 20_000

const SILENT = ['no-result', 'late', 'truncate', 'drop-chunk'] as const
const QUICK = ['slow', 'late', 'link-lost-before', 'link-lost-after', 'repeat-chunk', 'garbage', 'device-gone'] as const

const phoneFault = (random: Random): PhoneFault => {
  const after = random.int(0, 5)
  if (random.chance(0.25)) return { after, do: random.pick(SILENT), times: 1 }
  const kind = random.pick(QUICK)
  const ms = kind === 'slow' || kind === 'late' ? { ms: random.int(200, 3_000) } : {}
  return { after, do: kind, times: random.int(1, 2), ...ms }
}

const listOf = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

export interface PlanOptions {
  asks?: number
}

/** Each kind of fault is on or off by the seed: some defects show only where others are silent. */
const kindsOf = (random: Random) => {
  const on = () => random.chance(0.5)
  return {
    kill: on(),
    use: on(),
    freeze: random.chance(0.25),
    cut: on(),
    stall: on(),
    away: random.chance(0.3),
    full: random.chance(0.3),
    slow: random.chance(0.3),
    sync: random.chance(0.25),
    power: random.chance(0.35),
    clock: random.chance(0.35),
    phone: on(),
  }
}

const basicPlanOf = (seed: number, { asks: count = 12 }: PlanOptions): Plan => {
  const random = createRandom(seedOf(`${seed}/plan`))
  const kinds = kindsOf(random)
  const hosts = random.chance(0.3) ? 2 : 1
  const processes = 2
  const phones = listOf(hosts === 2 ? 2 : random.int(1, 2), index => ({
    host: index % hosts,
    ways: random.pick<OperatorWays>(['socket', 'socket', 'broadcast']),
    faults: kinds.phone ? listOf(random.int(1, 3), () => phoneFault(random)) : [],
  }))
  const placeAt = (host: number): Place => ({ host, process: random.int(0, processes - 1) })
  const place = () => placeAt(random.int(0, hosts - 1))

  const asks = listOf(count, (index): Ask => {
    const phone = random.int(0, phones.length - 1)
    const host = phones[phone]?.host ?? 0
    const way = random.pick<Way>(['plain', 'plain', 'key', 'key', 'chosen', 'chosen-key'])
    const isRepeatable = way !== 'plain'
    return {
      command: `tap-${index}`,
      at: random.int(0, ASKS_UNTIL_MS),
      place: placeAt(host),
      phone,
      way,
      timeoutMs: random.pick([1_000, 1_500, 2_500, 6_000]),
      operatorPackage: random.pick(['com.svc.operator', 'com.svc.operator', null, 'svc.shell']),
      beforeMs: random.pick([0, random.int(1, 300), random.int(1, 900)]),
      afterMs: random.pick([0, 0, random.int(1, 500)]),
      ...(isRepeatable && random.chance(0.3) ? { twin: placeAt(host) } : {}),
      ...(isRepeatable && random.chance(0.4) ? { againAfterMs: random.int(0, 3_000), againAt: placeAt(host) } : {}),
      ...(way.startsWith('chosen') && random.chance(0.3)
        ? { cancelAfterMs: random.int(0, 1_500), cancelAt: placeAt(host) }
        : {}),
      ...(random.chance(0.1) ? { withdrawAfterMs: random.int(0, 1_000) } : {}),
      ...(random.chance(0.15) ? { resumes: true } : {}),
    }
  })
  /** Most faults are aimed at an execution: from before it is accepted until after its answer. */
  const moment = (): number => {
    const aimed = asks[random.int(0, asks.length - 1)]
    if (!aimed || random.chance(0.25)) return random.int(0, FAULTS_UNTIL_MS)
    return Math.min(FAULTS_UNTIL_MS, aimed.at + random.int(0, aimed.beforeMs + aimed.afterMs + 200))
  }
  const phone = () => random.int(0, phones.length - 1)
  const host = () => random.int(0, hosts - 1)
  const restartMs = () => random.int(20, 2_000)
  const some = (isOn: boolean, most: number, make: () => Fault) => (isOn ? listOf(random.int(1, most), make) : [])
  return {
    seed,
    hosts,
    processes,
    phones,
    asks,
    faults: [
      ...some(kinds.kill, 3, () => ({ kind: 'kill', at: moment(), place: place(), restartMs: restartMs() })),
      ...some(kinds.use, 4, () => ({
        kind: 'kill-at-use',
        at: moment(),
        place: place(),
        use: random.int(1, 40),
        restartMs: restartMs(),
      })),
      ...some(kinds.freeze, 2, () => ({ kind: 'freeze', at: moment(), place: place(), ms: random.int(200, 15_000) })),
      ...some(kinds.cut, 3, () => ({
        kind: 'cut',
        at: moment(),
        phone: phone(),
        ...(random.chance(0.5) ? { place: place() } : {}),
      })),
      ...some(kinds.stall, 2, () => ({ kind: 'stall', at: moment(), phone: phone(), ms: random.int(50, 6_000) })),
      ...some(kinds.away, 1, () => ({ kind: 'away', at: moment(), phone: phone(), ms: random.int(100, 6_000) })),
      ...some(kinds.full, 1, () => ({ kind: 'disk-full', at: moment(), host: host(), ms: random.int(50, 4_000) })),
      ...some(kinds.slow, 1, () => ({
        kind: 'disk-slow',
        at: moment(),
        host: host(),
        ms: random.int(50, 4_000),
        extraMs: random.int(20, 1_500),
      })),
      ...some(kinds.sync, 1, () => ({ kind: 'sync-fails', at: moment(), host: host(), ms: random.int(50, 3_000) })),
      ...some(kinds.power, 2, () => ({ kind: 'power-cut', at: moment(), host: host(), restartMs: restartMs() })),
      ...some(kinds.clock, 2, () => ({
        kind: 'clock-set',
        at: moment(),
        host: host(),
        byMs: random.pick([-5_000, 5_000, -3_600_000, 3_600_000]),
      })),
    ],
    watchers: listOf(hosts, index => placeAt(index)),
  }
}

/** Few executions that are cancelled before they are accepted meet a power cut by chance, or come again after it. */
const withCancelledAtPowerCut = (plan: Plan, random: Random): Plan => {
  const chosen = plan.asks.filter(({ way }) => way.startsWith('chosen'))
  const aimed = chosen[random.int(0, chosen.length - 1)]
  if (!aimed) return plan
  const { twin: _, withdrawAfterMs: __, ...ask } = aimed
  const cancelAfterMs = random.int(0, 40)
  const at = ask.at + cancelAfterMs + random.int(1, 60)
  const cancelled: Ask = { ...ask, cancelAfterMs, cancelAt: ask.place, againAfterMs: random.int(400, 2_500) }
  const cut: Fault = { kind: 'power-cut', at, host: ask.place.host, restartMs: random.int(20, 300) }
  return { ...plan, asks: plan.asks.map(one => (one === aimed ? cancelled : one)), faults: [...plan.faults, cut] }
}

export const planOf = (seed: number, options: PlanOptions = {}): Plan => {
  const plan = withWaiting(basicPlanOf(seed, options))
  const random = createRandom(seedOf(`${seed}/plan, continued`))
  const asks = plan.asks.map(
    (ask): Ask => ({
      ...ask,
      ...(ask.operatorPackage === 'svc.shell' && random.chance(0.5) ? { looksAfter: true } : {}),
      ...(random.chance(0.3) ? { inParts: true } : {}),
    }),
  )
  const hasPowerCuts = plan.faults.some(({ kind }) => kind === 'power-cut')
  const cut = hasPowerCuts ? withCancelledAtPowerCut({ ...plan, asks }, random) : { ...plan, asks }
  return withLists(withLeases(withRecordings(withPhoneSteps(withHostSteps(cut)))))
}
