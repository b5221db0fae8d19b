/** A seed is a trial: the same one makes the same plan, and the plans of many cover what can go wrong. */
import { expect, test } from 'vitest'
import { parseScenario } from '../../src/simulator/scenario/scenario.ts'
import { counterScenario } from './phone-scenario.ts'
import { planOf } from './plan.ts'

test('the same seed and trial make the same plan, another one another', () => {
  expect(planOf(5, 3)).toEqual(planOf(5, 3))
  expect(planOf(5, 3).steps).not.toEqual(planOf(5, 4).steps)
  expect(planOf(5, 3).steps).not.toEqual(planOf(6, 3).steps)
})

test('the plans of one seed use every surface, every victim, keys, cancels and second kills', () => {
  const plans = Array.from({ length: 100 }, (_, trial) => planOf(1, trial))
  const steps = plans.flatMap(plan => plan.steps)
  expect(new Set(steps.map(step => step.surface))).toEqual(new Set(['http', 'daemon', 'direct', 'skill']))
  expect(new Set(plans.flatMap(({ kills }) => kills.map(({ order }) => order[0])))).toEqual(
    new Set(['serve', 'daemon', 'client']),
  )
  expect(new Set(plans.flatMap(({ faults }) => faults.flat().map(fault => fault.do))).size).toBe(9)
  expect(plans.some(plan => plan.secondKill !== undefined && plan.servers === 2 && plan.cancels.length > 0)).toBe(true)
  expect(steps.some(step => step.twin !== undefined)).toBe(true)
})

test('the phones understand their scenario', () => {
  expect(parseScenario(counterScenario())).toMatchObject({ ok: true })
})
