import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SWIPE_MS } from '../../../../src/contracts/limits/limits.ts'
import {
  dragPlan,
  pinchPlan,
  swipePlan,
  tapPlan,
  touchPayload,
} from '../../../../src/device/operators/uiautomator/touch-plan.ts'
import { readTouchPlan } from '../../../../src/simulator/helper/touch-plan.ts'

const point = fc.record({ x: fc.nat(4_000), y: fc.nat(4_000) })
const duration = fc.integer({ min: SWIPE_MS.min, max: SWIPE_MS.max })

test('a finger goes down and up in one place', () => {
  expect(tapPlan({ x: 3.4, y: 5.6 }, 'default')).toEqual({
    durationMs: 60,
    samples: [
      { offsetMs: 0, x: 3, y: 6 },
      { offsetMs: 60, x: 3, y: 6 },
    ],
  })
})

test('every swipe is a plan that the helper takes, without jumps, from its start to its end', () => {
  fc.assert(
    fc.property(point, point, duration, (start, end, durationMs) => {
      const plan = swipePlan(start, end, durationMs)
      expect(readTouchPlan(touchPayload(plan))).toMatchObject({ kind: 'swipe', durationMs })
      expect(plan.samples[0]).toEqual({ offsetMs: 0, ...start })
      expect(plan.samples.at(-1)).toEqual({ offsetMs: durationMs, ...end })
      const gaps = plan.samples.slice(1).map(({ offsetMs }, at) => offsetMs - (plan.samples[at]?.offsetMs ?? 0))
      expect(Math.max(...gaps)).toBeLessThanOrEqual(Math.max(25, durationMs === 1 ? 1 : 0))
    }),
  )
})

test('every drag rests, moves and rests again, in a plan that the helper takes', () => {
  fc.assert(
    fc.property(point, point, fc.nat(3_000), duration, (start, end, holdMs, durationMs) => {
      const plan = dragPlan(start, end, { holdMs, durationMs })
      expect(readTouchPlan(touchPayload(plan))).toMatchObject({ kind: 'swipe', durationMs: plan.durationMs })
      expect(
        plan.samples.filter(({ offsetMs }) => offsetMs <= holdMs).every(({ x, y }) => x === start.x && y === start.y),
      ).toBe(true)
      expect(plan.samples.at(-1)).toMatchObject(end)
      expect(plan.samples.find(({ offsetMs }) => offsetMs === holdMs + durationMs)).toMatchObject(end)
    }),
  )
})

test.each([
  [2, 120, 240],
  [0.5, 240, 120],
  [10, 80, 800],
])('a pinch by %s takes two fingers from %i to %i pixels apart', (scale, from, to) => {
  const plan = pinchPlan({ x: 540, y: 900 }, scale, 400)
  expect(readTouchPlan(touchPayload(plan))).toMatchObject({ kind: 'transform', durationMs: 400 })
  const [left, right] = [plan.samples, plan.second?.samples ?? []]
  const apart = (at: number) => (right.at(at)?.x ?? 0) - (left.at(at)?.x ?? 0)
  expect([apart(0), apart(-1)]).toEqual([from, to])
})
