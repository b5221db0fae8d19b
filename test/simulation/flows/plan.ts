/** The deeds of one trial with runs of flows: what each flow taps, who begins and resumes runs, and which faults come. */
import { createRandom, type Random } from '../../long/random.ts'
import { FAULTS_UNTIL_MS, type Fault, type Place, type Plan, planOf } from '../plan.ts'
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
}

export interface PlannedOrder {
  readonly within: 'evalScript' | 'label' | 'text' | 'condition'
  /** It comes behind so many taps. */
  readonly behind: number
}

export interface PlannedPart {
  /** The rows that the file taps as it is first, and those that it taps later, at the same places. */
  readonly rows: readonly number[]
  readonly laterRows: readonly number[]
  readonly changedAt: number
}

export interface FlowRunAsk {
  readonly at: number
  readonly place: Place
  readonly flows: readonly SimulatedFlow[]
  readonly retries: number
  readonly failFast: boolean
  readonly shardAll: boolean
  readonly cancelAfterMs?: number
}

export interface FlowPlan extends Plan {
  readonly runs: readonly FlowRunAsk[]
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

const PART_ROWS = 2
const ORDERS_WITHIN = ['evalScript', 'label', 'text', 'condition'] as const

/** Scripts with requests in some flows, and a file that changes in the first one where there are rows for it. */
const withScripts = (random: Random, runs: readonly FlowRunAsk[], firstFreeRow: number): readonly FlowRunAsk[] => {
  const hasPart = firstFreeRow + 2 * PART_ROWS <= ROWS_USED && random.chance(0.3)
  const rowsFrom = (first: number) => listOf(PART_ROWS, at => first + at)
  const part = {
    rows: rowsFrom(firstFreeRow),
    laterRows: rowsFrom(firstFreeRow + PART_ROWS),
    changedAt: random.int(1_000, FAULTS_UNTIL_MS),
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

/** Faults of the core's plans, of the one host. */
export const flowPlanOf = (seed: number, count = 2): FlowPlan => {
  const random = createRandom(seedOf(`${seed}/plan of flows`))
  const { faults, phones, watchers } = planOf(seed)
  const isHere = (fault: Fault) =>
    (!('host' in fault) || fault.host === 0) &&
    (!('place' in fault) || fault.place === undefined || fault.place.host === 0)
  const moved = (fault: Fault): Fault => ({ ...fault, at: random.int(0, FAULTS_UNTIL_MS - 1) })
  const runs = runsOf(random, random.chance(0.3) ? count : 1)
  const rows = runs.flatMap(({ flows }) => flows.flatMap(({ taps }) => taps)).length
  if (rows > ROWS_USED) throw new Error(`the plan has ${rows} rows, and the screen ${ROWS_USED}`)
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
    runs: withScripts(createRandom(seedOf(`${seed}/scripts`)), runs, rows),
    faults: faults.filter(isHere).map(moved),
    resumeEveryMs: random.int(1_000, 4_000),
  }
}

const tapText = ({ row, within }: PlannedTap): string => {
  const tap = `tapOn: tap-${row}`
  switch (within) {
    case 'flow':
      return `- ${tap}`
    case 'runFlow':
      return `- runFlow: { when: { visible: tap-${row} }, commands: [${tap}] }`
    case 'repeat':
      return `- repeat: { times: 1, commands: [${tap}] }`
    case 'retry':
      return `- retry: { maxRetries: 2, commands: [${tap}] }`
    case 'optional':
      return `- tapOn: { text: tap-${row}, optional: true }`
  }
}

const ORDER = "http.get('order').status"

const orderText = ({ within }: PlannedOrder): string => {
  switch (within) {
    case 'evalScript':
      return `- evalScript: \${output.order = ${ORDER}}`
    case 'label':
      return `- assertTrue: { condition: "\${1}", label: "Ordered \${${ORDER}}" }`
    case 'text':
      return `- assertTrue: "\${${ORDER}}"`
    case 'condition':
      return `- runFlow: { when: { true: "\${${ORDER}}" }, commands: [assertTrue: "\${1}"] }`
  }
}

export const PART_FILE = 'part.yaml'
export const partText = (rows: readonly number[]): string =>
  ['appId: com.example.counter', '---', ...rows.map(row => `- tapOn: tap-${row}`), ''].join('\n')

export const flowText = ({ taps, fails, order, part }: SimulatedFlow): string =>
  [
    'appId: com.example.counter',
    '---',
    ...taps.flatMap((tap, at) => [...(order?.behind === at ? [orderText(order)] : []), tapText(tap)]),
    ...(order && order.behind >= taps.length ? [orderText(order)] : []),
    ...(part ? [`- runFlow: "\${'${PART_FILE}'}"`] : []),
    ...(fails ? ['- extendedWaitUntil: { visible: nothing, timeout: 300 }'] : []),
    '',
  ].join('\n')
