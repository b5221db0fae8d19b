import { expect, test } from 'vitest'
import { scaledClock } from '../../src/simulator/scaled-clock.ts'
import { manualClock } from '../support/manual-clock.ts'

test.each([
  [0.1, 100],
  [1, 1_000],
  [3, 3_000],
])('at a scale of %d a second takes %d ms', (timeScale, ms) => {
  const clock = manualClock()
  const device = scaledClock(clock, timeScale)
  const start = device.now()
  let calls = 0
  device.at(start + 1_000, () => {
    calls += 1
    expect(device.now()).toBeGreaterThanOrEqual(start + 1_000)
  })
  clock.advance(ms - 1)
  expect(calls).toBe(0)
  clock.advance(2)
  expect(calls).toBe(1)
})

test('a timer can be cancelled, and time is measured at the same speed', () => {
  const clock = manualClock()
  const device = scaledClock(clock, 0.5)
  const before = device.elapsed()
  device.at(device.now() + 10, () => expect.unreachable()).cancel()
  clock.advance(100)
  expect(device.elapsed() - before).toBeCloseTo(200)
})
