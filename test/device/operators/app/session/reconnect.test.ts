import { expect, test } from 'vitest'
import { createReconnection } from '../../../../../src/device/operators/app/session/reconnect.ts'
import { manualClock } from '../../../../support/manual-clock.ts'
import { settled } from '../../../../support/settled.ts'

const setup = (works: () => boolean) => {
  const clock = manualClock(0)
  const tries: number[] = []
  const hopeless: number[] = []
  let needed = true
  const recovery = createReconnection({
    clock,
    isNeeded: () => needed,
    attempt: async () => {
      tries.push(clock.now())
      if (!works()) throw new Error('no')
      needed = false
    },
    onHopeless: () => hopeless.push(clock.now()),
    hopelessMs: 1_000,
  })
  const later = async (ms: number) => {
    await settled()
    for (let passed = 0; passed < ms; passed += 50) {
      clock.advance(50)
      await settled()
    }
  }
  const need = (is: boolean) => {
    needed = is
  }
  return { clock, tries, hopeless, recovery, later, need }
}

test('tries at once, then ever more slowly, and says when it is hopeless', async () => {
  const { tries, hopeless, recovery, later } = setup(() => false)
  recovery.start()
  recovery.start()
  await later(4_000)
  expect(tries).toEqual([0, 100, 300, 700, 1_500, 3_100])
  expect(hopeless).toEqual([1_500, 3_100])
})

test('stops with success, and goes on slowly when that did not last', async () => {
  const { tries, recovery, later, need } = setup(() => true)
  for (let round = 0; round < 3; round++) {
    need(true)
    recovery.start()
    await later(1_000)
  }
  expect(tries).toEqual([0, 1_100, 2_200])
  await later(10_000)
  need(true)
  recovery.start()
  await settled()
  expect(tries.at(-1)).toBe(13_000)
})

test('does nothing while it is not needed, and stops resting when that is over', async () => {
  const { clock, tries, recovery, later, need } = setup(() => false)
  need(false)
  recovery.start()
  await later(100)
  expect(tries).toEqual([])
  need(true)
  recovery.start()
  await settled()
  expect(clock.pending()).toBe(1)
  need(false)
  recovery.wake()
  await settled()
  expect(clock.pending()).toBe(0)
  expect(tries).toEqual([100])
})
