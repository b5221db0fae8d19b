/** The deeds of one trial with runs of flows: what each flow taps, who begins and resumes runs, and which faults come. */
import { createRandom, type Random } from '../../long/trial/random.ts'
import { FAULTS_UNTIL_MS, type Fault, type Place, type Plan, planOf } from '../plan/plan.ts'
import { seedOf } from '../scheduler.ts'

export interface PlannedTap {
  /** The row that it taps; no other tap of the plan has it. */
  readonly row: number
  readonly within: 'flow' | 'runFlow' | 'repeat' | 'retry' | 'optional'
}

export interface SimulatedFlow {
  readonly taps: readonly PlannedTap[]
  /** It ends with an assertion that cannot hold. */
  readonly fails: boolean
  /** A script of it orders something at a server. */
  readonly order?: PlannedOrder
  /** An expression of it names a file, which somebody changes. */
  readonly part?: PlannedPart
  /** It uses the secret of its run in these ways, in their order. */
  readonly secretUses?: readonly SecretUse[]
}

/** `id`, `code`, `state`: svc has words of its own under these keys. */
export type SecretUse = 'typed' | 'label' | 'text' | 'id' | 'address' | 'response' | 'output'

export interface PlannedOrder {
  readonly within: 'evalScript' | 'label' | 'text' | 'condition'
  /** It comes behind so many taps. */
  readonly behind: number
}

export interface PlannedPart {
  /** The rows that the file taps as it is first, and those that it taps later, at the same places. */
  readonly rows: readonly number[]
  readonly laterRows: readonly number[]
  /** Changed at that moment, or once its first row was tapped; then all processes die as well. */
  readonly changedAt: number | 'first tap'
}

export interface FlowRunAsk {
  readonly at: number
  readonly place: Place
  readonly flows: readonly SimulatedFlow[]
  readonly retries: number
  readonly failFast: boolean
  readonly shardAll: boolean
  readonly cancelAfterMs?: number
  /** The serials of the phones that take its flows; any phone without them. */
  readonly devices?: readonly string[]
  /** The value of the variable SEC, which nobody may read later. */
  readonly secret?: string
}

export interface FlowPlan extends Plan {
  readonly runs: readonly FlowRunAsk[]
  /** Each phone is listed under two serials. */
  readonly twoSerials?: boolean
  /** How often processes look for runs that nobody is at. */
  readonly resumeEveryMs: number
}

const ROWS_USED = 32
const WITHIN = ['flow', 'flow', 'flow', 'runFlow', 'repeat', 'retry', 'optional'] as const

const listOf = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

const runsOf = (random: Random, count: number): FlowRunAsk[] => {
  let row = 0
  const flowOf = (): SimulatedFlow => ({
    taps: listOf(random.int(2, 4), () => ({ row: row++, within: random.pick(WITHIN) })),
    fails: random.chance(0.2),
  })
  return listOf(count, index => ({
    at: random.int(0, 4_000),
    place: { host: 0, process: index % 2 },
    flows: listOf(random.int(1, 4), flowOf),
    retries: random.int(0, 1),
    failFast: random.chance(0.15),
    shardAll: random.chance(0.15),
    ...(random.chance(0.15) ? { cancelAfterMs: random.int(0, 8_000) } : {}),
  }))
}

/** Phones without an operator app, whose links break behind taps: nobody can say whether these were done. */
const withCutTaps = (random: Random, phones: Plan['phones']): Plan['phones'] =>
  random.chance(0.3)
    ? phones.map(phone => ({
        ...phone,
        ways: 'none',
        faults: [{ after: random.int(0, 3), do: 'touch-cuts-link', times: random.int(1, 20) }],
      }))
    : phones

const PART_ROWS = 3
const PART_CHANCE = 0.5
const ORDERS_WITHIN = ['evalScript', 'label', 'text', 'condition'] as const

/** Scripts with requests in some flows, and a file that changes in the first one where there are rows for it. */
const withScripts = (random: Random, runs: readonly FlowRunAsk[], firstFreeRow: number): readonly FlowRunAsk[] => {
  const hasPart = firstFreeRow + 2 * PART_ROWS <= ROWS_USED && random.chance(PART_CHANCE)
  const rowsFrom = (first: number) => listOf(PART_ROWS, at => first + at)
  const part = {
    rows: rowsFrom(firstFreeRow),
    laterRows: rowsFrom(firstFreeRow + PART_ROWS),
    changedAt: random.chance(0.7) ? ('first tap' as const) : random.int(1_000, FAULTS_UNTIL_MS),
  }
  return runs.map((run, runIndex) => ({
    ...run,
    flows: run.flows.map((flow, index) => ({
      ...flow,
      ...(random.chance(0.6)
        ? { order: { within: random.pick(ORDERS_WITHIN), behind: random.int(0, flow.taps.length) } }
        : {}),
      ...(hasPart && runIndex === 0 && index === 0 ? { part } : {}),
    })),
  }))
}

export const firstSerial = (phone: number): string => `phone-${phone}`
export const secondSerial = (phone: number): string => `network-${phone}`
/** The number of the phone that has the serial. */
export const phoneOf = (serial: string): number => Number(/\d+$/.exec(serial)?.[0])

/** Runs that reach a phone under either serial, some of them at the same time. */
const withTwoSerials = (random: Random, runs: readonly FlowRunAsk[], phones: number, firstFreeRow: number) => {
  const [first] = runs
  const hasRoom = runs.length === 1 && firstFreeRow + 2 <= ROWS_USED
  const taps = [firstFreeRow, firstFreeRow + 1].map((row): PlannedTap => ({ row, within: 'flow' }))
  const another = { ...first, at: random.int(0, 4_000), place: { host: 0, process: 1 }, shardAll: false }
  const both = first && hasRoom ? [first, { ...first, ...another, flows: [{ taps, fails: false }] }] : runs
  const phone = random.int(0, phones - 1)
  const serials = [firstSerial(phone), secondSerial(phone)]
  const oneEach = random.chance(0.6)
  return both.map(
    (run, index): FlowRunAsk => ({
      ...run,
      shardAll: run.shardAll || (!oneEach && index === 0),
      ...(oneEach ? { devices: [serials[index % 2] ?? ''] } : random.chance(0.5) ? { devices: serials } : {}),
    }),
  )
}

/** They differ in the ways in which they are written: in XML, JSON, URLs and base64. */
const SECRETS = ['hunter&"2<x>\'z', 'pin 4711/ab+c%d', 'erste\nzeile2=\u00e4'] as const
const SECRET_USES = ['typed', 'label', 'text', 'id', 'address', 'response', 'output'] as const

const withSecrets = (random: Random, runs: readonly FlowRunAsk[]): readonly FlowRunAsk[] =>
  runs.map(run => {
    if (!random.chance(0.4)) return run
    const uses = () => SECRET_USES.filter(() => random.chance(0.4))
    const flows = run.flows.map(flow => ({ ...flow, secretUses: uses() }))
    return { ...run, flows, secret: random.pick(SECRETS) }
  })

const rowsIn = (runs: readonly FlowRunAsk[]): number =>
  runs.flatMap(({ flows }) => flows.flatMap(({ taps }) => taps)).length

/** Faults of the core's plans, of the one host. */
export const flowPlanOf = (seed: number, count = 2): FlowPlan => {
  const random = createRandom(seedOf(`${seed}/plan of flows`))
  const { faults, phones, watchers } = planOf(seed)
  const isHere = (fault: Fault) =>
    (!('host' in fault) || fault.host === 0) &&
    (!('place' in fault) || fault.place === undefined || fault.place.host === 0)
  const moved = (fault: Fault): Fault => ({ ...fault, at: random.int(0, FAULTS_UNTIL_MS - 1) })
  const runs = runsOf(random, random.chance(0.3) ? count : 1)
  const rows = rowsIn(runs)
  if (rows > ROWS_USED) throw new Error(`the plan has ${rows} rows, and the screen ${ROWS_USED}`)
  const serials = createRandom(seedOf(`${seed}/serials`))
  const twoSerials = serials.chance(0.4)
  const overPhones = twoSerials ? withTwoSerials(serials, runs, phones.length, rows) : runs
  const scripted = withScripts(createRandom(seedOf(`${seed}/scripts`)), overPhones, rowsIn(overPhones))
  return {
    seed,
    hosts: 1,
    processes: 2,
    phones: withCutTaps(
      createRandom(seedOf(`${seed}/cut taps`)),
      phones.map(phone => ({ ...phone, host: 0 })),
    ),
    asks: [],
    watchers: watchers.filter(({ host }) => host === 0),
    runs: withSecrets(createRandom(seedOf(`${seed}/secrets`)), scripted),
    ...(twoSerials ? { twoSerials } : {}),
    faults: faults.filter(isHere).map(moved),
    resumeEveryMs: random.int(1_000, 4_000),
  }
}
