import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SWIPE_MS } from '../../../src/contracts/limits.ts'
import { swipePlan, tapPlan, touchPayload } from '../../../src/operator/uiautomator/touch-plan.ts'
import { readTouchPlan } from '../../../src/simulator/helper/touch-plan.ts'

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
