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

export const withLists = (plan: Plan): Plan => {
  const random = createRandom(seedOf(`${plan.seed}/plan, lists`))
  const phones = plan.phones.map(phone => ({ ...phone, capabilities: random.pick(CAPABILITIES) }))
  if (random.chance(0.4)) return { ...plan, phones }
  const deaths: Fault[] = []
  let row = FIRST_ROW
  const asks = plan.asks.map((ask): Ask => {
    const count = random.int(1, 4)
    if (row + count > ROWS_END || random.chance(0.4)) return ask
    const rows = Array.from({ length: count }, () => `tap-${row++}`)
    const list = listed(random, ask, rows)
    if (random.chance(0.6)) deaths.push(deathIn(random, list))
    return list
  })
  return { ...plan, phones, asks, faults: [...plan.faults, ...deaths] }
}
