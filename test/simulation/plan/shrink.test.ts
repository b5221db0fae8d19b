/** A failing plan becomes small, and still fails for the same reason. */
import { expect, test } from 'vitest'
import { type Plan, planOf } from './plan.ts'
import { shrink } from './shrink.ts'

test('only what is needed is left', async () => {
  const plan = planOf(5)
  const needed = plan.asks[4]?.command
  const breaks = async (tried: Plan) =>
    tried.asks.some(({ command }) => command === needed) && tried.faults.length >= Math.min(1, plan.faults.length)
  const { plan: small, runs } = await shrink(plan, breaks)
  expect(small.asks.map(({ command }) => command)).toEqual([needed])
  expect(small.faults.length).toBeLessThanOrEqual(1)
  expect(small.phones.flatMap(({ faults }) => faults)).toEqual([])
  expect(small.asks[0]).toMatchObject({ beforeMs: 0, afterMs: 0 })
  expect(runs).toBeLessThan(200)
})

test('the number of runs has a bound', async () => {
  let runs = 0
  const shrunk = await shrink(
    planOf(5),
    async () => {
      runs += 1
      return false
    },
    7,
  )
  expect([shrunk.runs, runs]).toEqual([7, 7])
})
