/** A fleet of three hosts on three servers, broken at random: afterwards phones, journals, answers and streams tell one story. */
import { afterAll, expect, test } from 'vitest'
import { LONG, planOf } from '../fleet/chaos/plan.ts'
import { reportOf, summaryOf } from '../fleet/chaos/report.ts'
import { runTrial } from '../fleet/chaos/trial.ts'
import { judge } from '../laws/laws.ts'
import type { Story } from '../laws/story.ts'
import { needs } from '../support/needs.ts'

const numberOf = (text: string | undefined, otherwise: number) => (text ? Number(text) : otherwise)
const SEED = numberOf(process.env.SVC_SEED, 1)
/** One takes about a minute: as long as several of the trials that others count. */
const SHARE = 3
const TRIALS = Math.max(1, Math.round(numberOf(process.env.SVC_TRIALS, 100) / SHARE))
const LONGEST_MS = 300_000

const stories: Story[] = []

afterAll(() => console.log(summaryOf(stories)))

// Phones are reached by more than one address of this machine, as Linux has them.
test
  .skipIf(process.platform !== 'linux' || !needs('nats-server'))
  .each(Array.from({ length: TRIALS }, (_, index) => SEED + index))(
  'seed %i',
  async seed => {
    const plan = planOf(seed, LONG)
    const story = await runTrial(plan)
    stories.push(story)
    const violations = judge(story)
    if (violations.length > 0) expect.fail(reportOf(plan, violations, story))
  },
  LONGEST_MS,
)
