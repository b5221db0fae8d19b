/** Lists of several taps with waits between them, whose processes die in their middle, and what their callers do then. */
import { OPERATOR_CAPABILITIES, type OperatorCapability } from '../../../src/contracts/device/operator.ts'
import { createRandom, type Random } from '../../long/trial/random.ts'
import { type Ask, FAULTS_UNTIL_MS, type Fault, type Plan } from '../plan/plan.ts'
import { seedOf } from '../scheduler.ts'

/** Rows below it are of the requests themselves, rows from the end on of those in the calm. */
const FIRST_ROW = 12
const ROWS_END = 32

type Known = readonly OperatorCapability[]

/** What an operator app can do: an empty list is an app of before there were capabilities. */
const CAPABILITIES: readonly [Known, ...Known[]] = [
  OPERATOR_CAPABILITIES,
  OPERATOR_CAPABILITIES,
  ['results'],
  ['progress'],
  [],
]

const listed = (random: Random, ask: Ask, rows: readonly string[]): Ask => {
  const isChosen = random.chance(0.7)
  const betweenMs = random.pick([random.int(50, 200), random.int(200, 900)])
  return {
    ...ask,
    rows,
    betweenMs,
    timeoutMs: random.pick([2_500, 6_000, 6_000, 6_000]),
    ...(random.chance(0.15) ? { fails: true } : {}),
    ...(isChosen
      ? {
          way: random.pick(['chosen', 'chosen-key'] as const),
          lookAfterMs: random.int(200, 7_000),
          lookAt: ask.place,
          ...(random.chance(0.4) ? { lookWaitMs: random.pick([500, 4_000, 20_000]) } : {}),
          ...(random.chance(0.35) ? { resumes: true, resumeAfterMs: random.int(0, 5_000) } : {}),
        }
      : {}),
  }
}

/** From before the request arrives until after its last step. */
const deathIn = (random: Random, { at, beforeMs, afterMs, rows = [], betweenMs = 0, place }: Ask): Fault => ({
  kind: 'kill',
  at: Math.min(FAULTS_UNTIL_MS, at + random.int(5, beforeMs + rows.length * betweenMs + afterMs + 150)),
  place,
  restartMs: random.int(20, 1_500),
})

/** Somebody asks for the phone of a list soon after its process has died. */
const withNext = (random: Random, asks: readonly Ask[], deaths: readonly { list: Ask; at: number }[]): Ask[] => {
  const moved = new Map<string, Ask>()
  for (const { list, at } of deaths) {
    const next = asks.find(ask => ask.rows === undefined && ask.phone === list.phone && !moved.has(ask.command))
    if (next) moved.set(next.command, { ...next, at: at + random.int(20, 600) })
  }
  return asks.map(ask => moved.get(ask.command) ?? ask)
}

/** Many faults hide what the death of a process alone does. */
const withDeathsAlone = (plan: Plan): Plan => ({
  ...plan,
  phones: plan.phones.map(phone => ({ ...phone, faults: [] })),
  faults: plan.faults.filter(({ kind }) => kind === 'kill' || kind === 'kill-at-use'),
})

/** Callers choose a step: one that is proven, in doubt, or not begun. */
const withChosenSteps = (plan: Plan): Plan => {
  const random = createRandom(seedOf(`${plan.seed}/plan, chosen steps`))
  const chosen = (ask: Ask): Ask =>
    ask.rows && ask.resumes && random.chance(0.6) ? { ...ask, resumeFrom: random.pick(['tap', ...ask.rows]) } : ask
  return { ...plan, asks: plan.asks.map(chosen) }
}

export const withLists = (whole: Plan): Plan => {
  const random = createRandom(seedOf(`${whole.seed}/plan, lists`))
  const phones = whole.phones.map(phone => ({ ...phone, capabilities: random.pick(CAPABILITIES) }))
  if (random.chance(0.4)) return { ...whole, phones }
  const plan = random.chance(0.35) ? withDeathsAlone({ ...whole, phones }) : { ...whole, phones }
  const deaths: { list: Ask; at: number; fault: Fault }[] = []
  let row = FIRST_ROW
  const asks = plan.asks.map((ask): Ask => {
    const count = random.int(1, 4)
    if (row + count > ROWS_END || random.chance(0.4)) return ask
    const rows = Array.from({ length: count }, () => `tap-${row++}`)
    const list = listed(random, ask, rows)
    const fault = deathIn(random, list)
    if (random.chance(0.6)) deaths.push({ list, at: fault.at, fault })
    return list
  })
  return withChosenSteps({
    ...plan,
    asks: random.chance(0.6) ? withNext(random, asks, deaths) : asks,
    faults: [...plan.faults, ...deaths.map(({ fault }) => fault)],
  })
}
