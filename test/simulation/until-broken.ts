/** A program: tries seeds until one of them breaks a law, and prints what broke as JSON. Arguments: from, count, law. */
import { judgeWorld } from './laws.ts'
import { planOf } from './plan.ts'
import { runPlan } from './trial.ts'

export interface Broken {
  seed: number
  violations: ReturnType<typeof judgeWorld>
}

export interface TrialsResult {
  /** The first that breaks the law; without a law, any. */
  broken: Broken | undefined
  /** Seeds before it break other laws. */
  others: Broken[]
}

const [from = 1, count = 1, law] = process.argv.slice(2).map(Number)

const result: TrialsResult = { broken: undefined, others: [] }
for (let seed = from; seed < from + count && !result.broken; seed++) {
  const { world } = await runPlan(planOf(seed))
  const violations = judgeWorld(world)
  if (violations.length === 0) continue
  if (law === undefined || violations.some(one => one.law === law)) result.broken = { seed, violations }
  else result.others.push({ seed, violations })
}
process.stdout.write(`${JSON.stringify(result)}\n`)
