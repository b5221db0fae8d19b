/** Reservations in the simulated world: a few seeds in which phones are reserved break no law. */
import { expect, test } from 'vitest'
import { judgeWorld } from '../laws/laws.ts'
import { planOf } from '../plan/plan.ts'
import { reportOf } from '../report.ts'
import { runPlan } from '../trial.ts'

const SEEDS_WANTED = 4

/** The first seeds whose plans have reservations. */
const seeds = (): number[] => {
  const found: number[] = []
  for (let seed = 1; found.length < SEEDS_WANTED; seed += 1) if (planOf(seed).leases) found.push(seed)
  return found
}

test('no law is broken, and callers get phones', async () => {
  let held = 0
  const begunWithLease = new Set<string>()
  for (const seed of seeds()) {
    const trial = await runPlan(planOf(seed))
    const violations = judgeWorld(trial.world)
    expect(violations, reportOf(trial, violations)).toEqual([])
    held += trial.world.reservations?.held ?? 0
    for (const { isAccepted, leaseId, executionId } of trial.world.queueEvents)
      if (isAccepted && leaseId !== undefined) begunWithLease.add(executionId)
  }
  expect(held).toBeGreaterThan(SEEDS_WANTED / 2)
  expect(begunWithLease.size).toBeGreaterThan(1)
})
