import { expect, test } from 'vitest'
import { createResultMemory } from '../../../src/simulator/operator-app/result-memory.ts'
import { manualClock } from '../../support/manual-clock.ts'

const MINUTE_MS = 60_000
const nameOf = (index: number, nonce = 'n') => ({ commandId: `e${index}.0`, nonce })

const setup = () => {
  const clock = manualClock()
  const memory = createResultMemory(clock)
  const add = (index: number) => memory.begin(nameOf(index), {})
  const addEnded = (index: number) => memory.end(add(index), `{"of":${index}}`)
  const known = (index: number) => memory.find(nameOf(index)) !== undefined
  return { clock, memory, add, addEnded, known }
}

test('the results of the last 64 requests are kept', () => {
  const { memory, addEnded, known } = setup()
  for (let index = 0; index < 1_000; index++) addEnded(index)
  expect(memory.size()).toBe(64)
  expect([known(935), known(936), known(999)]).toEqual([false, true, true])
  expect(memory.find(nameOf(936))?.result?.json).toBe('{"of":936}')
})

test('a result is kept for ten minutes from its end', () => {
  const { clock, memory, add, addEnded, known } = setup()
  const request = add(1)
  clock.advance(9 * MINUTE_MS)
  memory.end(request, '{}')
  clock.advance(10 * MINUTE_MS - 1)
  expect(known(1)).toBe(true)
  clock.advance(1)
  expect(known(1)).toBe(false)
  addEnded(2)
  expect(memory.size()).toBe(1)
})

test('what runs or waits is not forgotten for results, nor for its age', () => {
  const { clock, add, addEnded, known } = setup()
  const running = add(0)
  for (let index = 1; index <= 100; index++) addEnded(index)
  clock.advance(11 * MINUTE_MS)
  running.step = 2
  expect(known(0)).toBe(true)
  expect(known(100)).toBe(false)
})

test('a request has one name: with another nonce it is not known', () => {
  const { memory, addEnded } = setup()
  addEnded(1)
  expect(memory.find(nameOf(1, 'm'))).toBeUndefined()
  expect(memory.find({ commandId: 'e1', nonce: '.0 n' })).toBeUndefined()
})
