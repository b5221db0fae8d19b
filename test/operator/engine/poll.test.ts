import { expect, test } from 'vitest'
import { poll } from '../../../src/operator/engine/poll.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { runOut } from '../../support/run-out.ts'

const setup = () => {
  const clock = manualClock(0)
  const at: number[] = []
  const controller = new AbortController()
  return { clock, at, controller, signal: controller.signal }
}

test('looks at once, then in growing intervals, and for the last time at the deadline', async () => {
  const { clock, at, signal } = setup()
  const look = async () => void at.push(clock.now())
  expect(await runOut(poll(look, { clock, signal, until: 1_003 }), clock, 0.5)).toBeUndefined()
  const gaps = at.map((time, index) => time - (at[index - 1] ?? 0))
  expect(at.at(-1)).toBe(1_003)
  expect(gaps.slice(0, 3)).toEqual([0, 25, 37.5])
  expect(Math.max(...gaps)).toBe(200)
  const growing = gaps.slice(1, -1)
  expect(growing).toEqual([...growing].sort((a, b) => a - b))
  expect(at.filter(time => time >= 1_003)).toHaveLength(1)
})

test('a look that outlasts the deadline is followed by one more', async () => {
  const { clock, at, signal } = setup()
  const look = async () => {
    at.push(clock.now())
    clock.advance(700)
  }
  await runOut(poll(look, { clock, signal, until: 1_000 }), clock)
  expect(at).toHaveLength(3)
  expect(at.filter(time => time >= 1_000)).toHaveLength(1)
})

test.each([-3_600_000, 3_600_000])('a wall clock that is set by %i ms meanwhile changes nothing', async ms => {
  const { clock, at, signal } = setup()
  const look = async () => {
    at.push(clock.elapsed())
    if (at.length === 3) clock.set(ms)
  }
  expect(await runOut(poll(look, { clock, signal, until: 1_003 }), clock, 0.5)).toBeUndefined()
  expect(at.at(-1)).toBe(1_003)
})

test('a deadline that has passed still allows one look', async () => {
  const { clock, signal } = setup()
  expect(await poll(async () => 'there', { clock, signal, until: -5 })).toBe('there')
})

test('an abort ends it, without another look and without a timer left', async () => {
  const { clock, at, controller, signal } = setup()
  const work = poll(async () => void at.push(clock.now()), { clock, signal, until: 1_000 })
  await new Promise(resolve => setImmediate(resolve))
  controller.abort(new Error('cancelled'))
  await expect(work).rejects.toThrow('cancelled')
  expect(at).toEqual([0])
  expect(clock.pending()).toBe(0)
})
