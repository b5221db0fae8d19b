/** One short trial of a fleet that is broken at random; `npm run test:long` has many and longer ones. */
import { describe, expect, test } from 'vitest'
import { judge } from '../../laws/laws.ts'
import { needs } from '../../support/needs.ts'
import { planOf, SHORT } from './plan.ts'
import { reportOf } from './report.ts'
import { runTrial } from './trial.ts'

const SEED = 3

// Phones are reached by more than one address of this machine, as Linux has them.
describe.skipIf(process.platform !== 'linux' || !needs('nats-server'))('a fleet of three hosts', () => {
  test('tells one story, whatever breaks', { timeout: 120_000 }, async () => {
    const plan = planOf(SEED, SHORT)
    const story = await runTrial(plan)
    const violations = judge(story)
    if (violations.length > 0) expect.fail(reportOf(plan, violations, story))
  })
})
