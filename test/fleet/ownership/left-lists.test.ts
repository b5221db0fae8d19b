/** A list that an earlier owner has left on a phone is looked up once after each claim. */
import { expect, test } from 'vitest'
import type { SentList } from '../../../src/fleet/log/sent-lists.ts'
import { createLeftLists } from '../../../src/fleet/ownership/left-lists.ts'
import { manualClock } from '../../support/manual-clock.ts'

const NOW = 1_000_000

const LIST: SentList = {
  executionId: 'theirs',
  host: 'h2',
  operatorPackage: 'com.svc.operator',
  ...{ wireId: 'theirs#0', nonce: '1'.repeat(32), dispatchedAt: NOW - 600_000, timeoutMs: 30_000, stepCount: 1 },
  steps: ['a'],
}

const setup = (lookup: () => Promise<SentList | undefined>) => {
  const clock = manualClock(NOW)
  const facts: { epoch: number | undefined; lookups: number } = { epoch: 1, lookups: 0 }
  const leftOn = createLeftLists({
    host: 'h1',
    clock,
    epochOf: () => facts.epoch,
    lookup: () => {
      facts.lookups += 1
      return lookup()
    },
  })
  return { clock, facts, leftOn: () => leftOn('device:hw1') }
}

test('a list of another host may run for all of its time from now on, whatever the clock there says', async () => {
  const { leftOn } = setup(async () => LIST)
  expect(await leftOn()).toMatchObject({ executionId: 'theirs', host: 'h2', busyUntil: NOW + 30_000 })
})

test('is looked up once, and again under the next epoch', async () => {
  const { leftOn, facts } = setup(async () => LIST)
  await Promise.all([leftOn(), leftOn()])
  await leftOn()
  expect(facts.lookups).toBe(1)
  facts.epoch = 2
  await leftOn()
  expect(facts.lookups).toBe(2)
})

test.each<[string, () => Promise<SentList | undefined>]>([
  ['nothing was sent', async () => undefined],
  ['this host has sent it itself', async () => ({ ...LIST, host: 'h1' })],
])('nothing is waited for any more where %s', async (_why, lookup) => {
  const { leftOn, facts } = setup(lookup)
  expect(await leftOn()).toBeUndefined()
  expect([leftOn(), facts.lookups]).toEqual([undefined, 1])
})

test('is over for those who follow once the phone has said so', async () => {
  const { leftOn } = setup(async () => LIST)
  const list = await leftOn()
  list?.forget()
  expect(leftOn()).toBeUndefined()
})

test('is looked up again where the servers did not say, or not in time', async () => {
  let isBroken = true
  const broken = setup(() => (isBroken ? Promise.reject(new Error('no leader')) : Promise.resolve(LIST)))
  expect(await broken.leftOn()).toBeUndefined()
  isBroken = false
  expect(await broken.leftOn()).toMatchObject({ host: 'h2' })
  const silent = setup(() => new Promise(() => {}))
  const first = silent.leftOn()
  silent.clock.advance(2_000)
  expect(await first).toBeUndefined()
  void silent.leftOn()
  expect(silent.facts.lookups).toBe(2)
})

test('a phone that is not owned is not looked up', () => {
  const { leftOn, facts } = setup(async () => LIST)
  facts.epoch = undefined
  expect([leftOn(), facts.lookups]).toEqual([undefined, 0])
})
