/** A simulated fleet over a seed, and plans that once broke a law: none is broken, and the seed tells the same story again. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { judgeFleet } from './laws.ts'
import { type FleetPlan, fleetPlanOf } from './plan.ts'
import { runFleetPlan } from './trial.ts'

const SEED = 3
const REGRESSIONS = new URL('regressions/', import.meta.url)

const judged = async (plan: FleetPlan) => {
  const trial = await runFleetPlan(plan)
  const violations = judgeFleet(trial.world)
  expect(violations, violations.map(({ says }) => says).join('\n')).toEqual([])
  return trial
}

test('a seed breaks no law, and tells the same again', async () => {
  const { hash, world } = await judged(fleetPlanOf(SEED))
  expect(world.story.ran.some(({ isForwarded }) => isForwarded)).toBe(true)
  expect((await runFleetPlan(fleetPlanOf(SEED))).hash).toBe(hash)
})

test.each(readdirSync(REGRESSIONS))('%s breaks no law', async name => {
  await judged(JSON.parse(readFileSync(new URL(name, REGRESSIONS), 'utf8')) as FleetPlan)
})
