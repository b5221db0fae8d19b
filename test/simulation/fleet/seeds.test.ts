/** A simulated fleet over a few seeds, and plans that once broke a law: none is broken, and a seed tells the same story again. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { judgeFleet } from './laws.ts'
import { type FleetPlan, fleetPlanOf } from './plan.ts'
import { runFleetPlan } from './trial.ts'

const SEEDS = [3, 7]
const REGRESSIONS = new URL('regressions/', import.meta.url)

const judged = async (plan: FleetPlan) => {
  const trial = await runFleetPlan(plan)
  const violations = judgeFleet(trial.world)
  expect(violations, violations.map(({ says }) => says).join('\n')).toEqual([])
  return trial
}

test.each(SEEDS)('seed %i breaks no law, and the first tells the same again', async seed => {
  const { hash, world } = await judged(fleetPlanOf(seed))
  expect(world.story.ran.some(({ isForwarded }) => isForwarded)).toBe(true)
  if (seed === SEEDS[0]) expect((await runFleetPlan(fleetPlanOf(seed))).hash).toBe(hash)
})

test.each(readdirSync(REGRESSIONS))('%s breaks no law', async name => {
  await judged(JSON.parse(readFileSync(new URL(name, REGRESSIONS), 'utf8')) as FleetPlan)
})
