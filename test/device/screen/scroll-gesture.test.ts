import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DURATION_MS, SHORTEST_PX, scrollGesture } from '../../../src/device/screen/scroll-gesture.ts'

const bounds = { left: 100, top: 200, right: 1_100, bottom: 2_200 }

test.each([
  ['down', { x: 600, y: 1_900 }, { x: 600, y: 500 }],
  ['up', { x: 600, y: 500 }, { x: 600, y: 1_900 }],
  ['right', { x: 950, y: 1_200 }, { x: 250, y: 1_200 }],
  ['left', { x: 250, y: 1_200 }, { x: 950, y: 1_200 }],
] as const)('%s', (direction, start, end) => {
  expect(scrollGesture(bounds, direction, 0.7)).toMatchObject({ start, end })
})

test('for any container the finger stays inside, off the edges, and moves', () => {
  const side = fc.integer({ min: 60, max: 4_000 })
  const ratio = fc.double({ min: 0, max: 1, noNaN: true })
  const direction = fc.constantFrom('down', 'up', 'left', 'right')
  fc.assert(
    fc.property(side, side, ratio, direction, (width, height, distanceRatio, way) => {
      const box = { left: 7, top: 11, right: 7 + width, bottom: 11 + height }
      const { start, end, durationMs } = scrollGesture(box, way, distanceRatio)
      for (const { x, y } of [start, end]) {
        expect(x).toBeGreaterThan(box.left)
        expect(x).toBeLessThan(box.right)
        expect(y).toBeGreaterThan(box.top)
        expect(y).toBeLessThan(box.bottom)
      }
      expect(Math.hypot(end.x - start.x, end.y - start.y)).toBeGreaterThanOrEqual(SHORTEST_PX - 1)
      expect(durationMs).toBeGreaterThanOrEqual(DURATION_MS.min)
      expect(durationMs).toBeLessThanOrEqual(DURATION_MS.max)
    }),
  )
})

test('a long way takes longer, so that nothing is thrown', () => {
  expect(scrollGesture(bounds, 'down', 0.7).durationMs).toBe(933)
  expect(scrollGesture(bounds, 'down', 0.1).durationMs).toBe(200)
})
