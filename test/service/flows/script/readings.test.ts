/** The clock of a script, on a time that the test sets. */
import { expect, test } from 'vitest'
import type { ClockReading } from '../../../../src/service/flows/script/messages.ts'
import { createReadings } from '../../../../src/service/flows/script/program/readings.ts'

const setUp = (recorded: readonly ClockReading[] = [], repeatedRequests = 0) => {
  let now = 1_000
  const steps: ClockReading[] = []
  const readings = createReadings(recorded, repeatedRequests, { elapsed: () => now, onStep: step => steps.push(step) })
  const pass = (ms: number) => {
    now += ms
  }
  return { ...readings, steps, pass }
}

test('it stands still for 50 ms, and moves in such steps', () => {
  const { read, pass, steps } = setUp()
  expect(read()).toBe(0)
  pass(49.9)
  expect(read()).toBe(0)
  pass(0.1)
  expect([read(), read()]).toEqual([50, 50])
  pass(130)
  expect(read()).toBe(150)
  expect(steps).toEqual([
    { reading: 3, elapsedMs: 50 },
    { reading: 5, elapsedMs: 150 },
  ])
})

test('it goes as it was recorded, and after that on from there', () => {
  const { read, pass, steps } = setUp([
    { reading: 2, elapsedMs: 700 },
    { reading: 4, elapsedMs: 900 },
  ])
  pass(5_000)
  expect([read(), read(), read(), read()]).toEqual([0, 700, 700, 900])
  expect(read()).toBe(900)
  pass(60)
  expect(read()).toBe(950)
  expect(steps.map(({ elapsedMs }) => elapsedMs)).toEqual([700, 900, 950])
})

test('it does not move of itself while requests are repeated', () => {
  const { read, pass, requestAnswered } = setUp([], 2)
  pass(500)
  expect(read()).toBe(0)
  requestAnswered()
  requestAnswered()
  expect(read()).toBe(0)
  pass(70)
  expect(read()).toBe(50)
  requestAnswered()
  pass(50)
  expect(read()).toBe(100)
})

test('it does not move in a slow repetition where it did not move before', () => {
  const first = setUp()
  expect([first.read(), first.read()]).toEqual([0, 0])
  first.end()
  expect(first.steps).toEqual([{ reading: 2, elapsedMs: 0 }])
  const again = setUp(first.steps)
  again.pass(500)
  expect([again.read(), again.read()]).toEqual([0, 0])
  again.end()
  expect(again.steps).toEqual(first.steps)
})

test('a script that never reads it leaves no record', () => {
  const { end, steps } = setUp()
  end()
  expect(steps).toEqual([])
})
