/** A seed is a trial: the same one makes the same plan, and the plans of many cover what can go wrong. */
import { expect, test } from 'vitest'
import { parseScenario } from '../../../src/simulator/scenario/scenario.ts'
import { counterScenario } from './phone-scenario.ts'
import { planOf, SURFACES } from './plan.ts'
import { SETTINGS } from './plan-troubles.ts'

test('the same seed and trial make the same plan, another one another', () => {
  expect(planOf(5, 3)).toEqual(planOf(5, 3))
  expect(planOf(5, 3).steps).not.toEqual(planOf(5, 4).steps)
  expect(planOf(5, 3).steps).not.toEqual(planOf(6, 3).steps)
})

test('the plans of one seed use every surface, every victim, keys, cancels and second kills', () => {
  const plans = Array.from({ length: 100 }, (_, trial) => planOf(1, trial))
  const steps = plans.flatMap(plan => plan.steps)
  expect(new Set(steps.map(step => step.surface))).toEqual(new Set(SURFACES))
  expect(new Set(plans.flatMap(({ kills }) => kills.map(({ order }) => order[0])))).toEqual(
    new Set(['serve', 'daemon', 'client']),
  )
  expect(new Set(plans.flatMap(({ faults }) => faults.flat().map(fault => fault.do))).size).toBe(9)
  expect(plans.some(plan => plan.secondKill !== undefined && plan.servers === 2 && plan.cancels.length > 0)).toBe(true)
  expect(steps.some(step => step.twin !== undefined)).toBe(true)
  expect(steps.some(step => step.isOtherBuild) && steps.some(step => step.isContained)).toBe(true)
  const troubles = plans.flatMap(plan => plan.troubles.map(({ does }) => does))
  expect(new Set(troubles)).toEqual(
    new Set(['freeze', 'signal', 'cut', 'slow', 'fill-disk', 'move-clock', 'restart-adb']),
  )
  expect(new Set(plans.slice(0, SETTINGS.length).map(({ setting }) => setting))).toEqual(new Set(SETTINGS))
})

test('the phones understand their scenario', () => {
  expect(parseScenario(counterScenario())).toMatchObject({ ok: true })
})
