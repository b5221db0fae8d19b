import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inSlices, type Sliced, withoutPauses } from '../../src/runtime/yielding.ts'

/** Of a process that has run for a while. */
const BEGUN = 5_000

/** Each piece takes a millisecond by this clock. */
const slow = (pieces: number) => {
  let now = BEGUN
  const clock = { elapsed: () => now, soon: (call: () => void) => void setImmediate(call) }
  const work = function* (): Sliced<number> {
    for (let done = 0; done < pieces; done++) {
      now += 1
      yield
    }
    return now
  }
  return { clock, work }
}

test('the event loop has its turns while a long computation runs, and the result is the same', async () => {
  const { clock, work } = slow(200)
  const turns: number[] = []
  const controller = new AbortController()
  const watch = async () => {
    while (!controller.signal.aborted) {
      turns.push(clock.elapsed())
      await nextTurn()
    }
  }
  void watch()
  const result = await inSlices(work(), { clock })
  controller.abort()
  expect(result).toBe(withoutPauses(slow(200).work()))
  expect(Math.max(...turns.map((at, index) => at - (turns[index - 1] ?? BEGUN)))).toBeLessThanOrEqual(20)
})

test('what is short has no turn in between', async () => {
  const { clock, work } = slow(5)
  let turns = 0
  void nextTurn().then(() => {
    turns += 1
  })
  expect(await inSlices(work(), { clock })).toBe(BEGUN + 5)
  expect(turns).toBe(0)
})

test('an aborted computation ends at its next turn', async () => {
  const { clock, work } = slow(1_000)
  const controller = new AbortController()
  const run = inSlices(work(), { clock, signal: controller.signal })
  controller.abort(new Error('halt'))
  await expect(run).rejects.toThrow('halt')
  expect(clock.elapsed()).toBeLessThan(BEGUN + 100)
})
