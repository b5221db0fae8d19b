/** Simulated WebDriver sessions over a few seeds: no law is broken, and a seed tells the same story whenever it is run. */
import { expect, test } from 'vitest'
import { judgeSessions } from './laws.ts'
import { sessionPlanOf } from './plan.ts'
import { SESSIONS } from './profile.ts'
import { runSessionPlan, type SessionTrial } from './trial.ts'

/** In the last two a full disk loses an event of a session. */
const SEEDS = [1, 3, 22, 139]
const trials: SessionTrial[] = []

test.each(SEEDS)('seed %i breaks no law', async seed => {
  const plan = sessionPlanOf(seed)
  const trial = await runSessionPlan(plan)
  trials.push(trial)
  const violations = judgeSessions(trial.world)
  expect(violations, violations.length > 0 ? (await SESSIONS.tried(plan, { sqlite: false })).report() : '').toEqual([])
})

test('a seed has the same hash again', async () => {
  expect((await runSessionPlan(sessionPlanOf(SEEDS[0] ?? 1))).hash).toBe(trials[0]?.hash)
})

test('in these trials sessions end in several ways, and clicks are answered as done', () => {
  const records = trials.flatMap(({ world }) => world.records)
  const ends = new Set(records.filter(({ machine }) => machine === 'session').map(({ to }) => to))
  expect([...ends]).toEqual(expect.arrayContaining(['ended.deleted', 'ended.idle', 'ended.interrupted']))
  const clicks = trials.flatMap(({ world }) => world.facts.clicks)
  expect(clicks.some(({ isLate, reply }) => !isLate && reply?.status === 200)).toBe(true)
})
