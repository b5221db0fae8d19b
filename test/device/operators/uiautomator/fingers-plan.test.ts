/** Fingers along a way: the helper does not interpolate, and takes two only at the same moments. */
import { expect, test } from 'vitest'
import { fingersPlan, touchPayload } from '../../../../src/device/operators/uiautomator/touch-plan.ts'
import { readTouchPlan } from '../../../../src/simulator/helper/touch-plan.ts'

const turning = [
  { x: 0, y: 0, ms: 0 },
  { x: 100, y: 0, ms: 50 },
  { x: 100, y: 0, ms: 90 },
  { x: 100, y: 200, ms: 130 },
]
const still = [
  { x: 500, y: 500, ms: 0 },
  { x: 500, y: 500, ms: 130 },
]

test('a finger is where it turns, and between its turns on the line', () => {
  const { durationMs, samples, second } = fingersPlan([turning])
  expect([durationMs, second]).toEqual([130, undefined])
  for (const { ms: offsetMs, x, y } of turning) expect(samples).toContainEqual({ offsetMs, x, y })
  expect(samples).toContainEqual({ offsetMs: 16, x: 32, y: 0 })
  expect(samples).toContainEqual({ offsetMs: 80, x: 100, y: 0 })
  expect(samples).toContainEqual({ offsetMs: 112, x: 100, y: 110 })
})

test('the helper takes one and two of them', () => {
  for (const fingers of [[turning], [turning, still]])
    expect(readTouchPlan(touchPayload(fingersPlan(fingers)))).toMatchObject({ durationMs: 130 })
})
