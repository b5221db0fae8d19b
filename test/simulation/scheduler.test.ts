/** Virtual time itself: order, owners that die, sleep or are frozen, and a hash that tells any difference. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createScheduler } from './scheduler.ts'

const played = async (seed: number) => {
  const scheduler = createScheduler(seed)
  const [a, b] = [scheduler.owner('a'), scheduler.owner('b')]
  const told: string[] = []
  for (let index = 0; index < 6; index++) {
    scheduler.post(index % 2 === 0 ? a : b, 5, `task ${index}`, () => void told.push(`${index}`))
  }
  scheduler.post(a, 3, 'early', () => void told.push('early'))
  const end = await scheduler.run(100)
  return { told, end, now: scheduler.now(), hash: scheduler.hash() }
}

test('time goes on to the next task, and the order within a moment is of the seed', async () => {
  const [first, again, other] = [await played(1), await played(1), await played(2)]
  expect(first.told[0]).toBe('early')
  expect([...first.told].sort()).toEqual(['0', '1', '2', '3', '4', '5', 'early'])
  expect(again).toEqual(first)
  expect(other.hash).not.toBe(first.hash)
  expect(first.end).toBe('idle')
  expect(first.now).toBe(5)
})

test('promises of a task are settled before the next task', async () => {
  const scheduler = createScheduler(1)
  const owner = scheduler.owner('a')
  const told: string[] = []
  scheduler.post(owner, 1, 'first', () => {
    void (async () => {
      for (let turn = 0; turn < 50; turn++) await Promise.resolve()
      told.push('settled')
    })()
  })
  scheduler.post(owner, 1, 'second', () => void told.push('second'))
  scheduler.post(owner, 2, 'third', () => void told.push('third'))
  await scheduler.run(10)
  expect(told.indexOf('settled')).toBeLessThan(told.indexOf('third'))
})

const FILE = fileURLToPath(import.meta.url)

test.each([
  ['whole', () => readFile(FILE)],
  ['as a stream', () => pipeline(createReadStream(FILE, { highWaterMark: 64 }), createHash('sha256'))],
])('a file that a task reads %s is read before the next task', async (_, read) => {
  const scheduler = createScheduler(1, { hasFiles: true })
  const owner = scheduler.owner('a')
  const told: string[] = []
  scheduler.post(owner, 1, 'reads', () => {
    void read().then(() => told.push('read'))
  })
  scheduler.post(owner, 2, 'next', () => void told.push('next'))
  await scheduler.run(10)
  expect(told).toEqual(['read', 'next'])
})

test('nothing of a dead owner runs, and a use of a seam may be its end', async () => {
  const scheduler = createScheduler(1)
  const owner = scheduler.owner('a')
  const deaths: string[] = []
  const told: unknown[] = []
  scheduler.onDeath(({ name }) => deaths.push(name))
  owner.diesAtUse = 2
  scheduler.post(owner, 1, 'uses', () => {
    told.push(scheduler.cross(owner, 'first'), scheduler.cross(owner, 'second'), scheduler.cross(owner, 'third'))
  })
  scheduler.post(owner, 2, 'later', () => told.push('ran'))
  await scheduler.run(10)
  expect(told).toEqual([true, false, false])
  expect(deaths).toEqual(['a'])
  scheduler.post(owner, 1, 'after death', () => told.push('ran'))
  await scheduler.run(20)
  expect(told).toHaveLength(3)
})

test('what falls due while an owner is frozen runs when it wakes, unless it was cancelled', async () => {
  const scheduler = createScheduler(1)
  const owner = scheduler.owner('a')
  const at: number[] = []
  scheduler.post(owner, 5, 'timer', () => void at.push(scheduler.now()))
  const cancelled = scheduler.post(owner, 6, 'cancelled', () => void at.push(-1))
  owner.frozenUntil = 50
  scheduler.post(scheduler.owner('b'), 20, 'cancels', () => cancelled.cancel())
  await scheduler.run(100)
  expect(at).toEqual([50])
})

test('a world without rest is ended', async () => {
  const scheduler = createScheduler(1)
  const owner = scheduler.owner('a')
  const again = () => void scheduler.post(owner, 0, 'again', again)
  again()
  expect(await scheduler.run(10)).toBe('steps')
}, 60_000)
