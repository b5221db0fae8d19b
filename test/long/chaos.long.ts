/** Whatever breaks at random moments: afterwards the phones, the receipts and the answers tell one story. Run by `npm run test:long`. */
import { afterAll, expect, test } from 'vitest'
import { judge } from './oracle.ts'
import { planOf } from './plan.ts'
import { reportOf, summaryOf } from './report.ts'
import type { Timeline } from './timeline.ts'
import { runTrial } from './trial.ts'

const numberOf = (text: string | undefined, otherwise: number) => (text ? Number(text) : otherwise)
const SEED = numberOf(process.env.SVC_SEED, 1)
const TRIALS = numberOf(process.env.SVC_TRIALS, 100)
const LONGEST_MS = 240_000

const timelines: Timeline[] = []

console.log(`SVC_SEED=${SEED} SVC_TRIALS=${TRIALS}`)
afterAll(() => console.log(summaryOf(timelines)))

// The processes of a home are found in /proc.
test.skipIf(process.platform !== 'linux').each(Array.from({ length: TRIALS }, (_, index) => index + 1))(
  `seed ${SEED}, trial %i`,
  async trial => {
    const plan = planOf(SEED, trial)
    const timeline = await runTrial(plan)
    timelines.push(timeline)
    const violations = judge(timeline)
    if (violations.length > 0) expect.fail(reportOf(plan, violations, timeline))
  },
  LONGEST_MS,
)
