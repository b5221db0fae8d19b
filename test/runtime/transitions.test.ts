/** What a watcher sees: every transition it asked for, of any process, once and in order. */
import { expect, test } from 'vitest'
import type { TransitionRecord } from '../../src/contracts/records/actor.ts'
import { memoryJournal } from '../../src/runtime/journal/memory.ts'
import { eachRecord, type WatchOptions, watchTransitions } from '../../src/runtime/transitions.ts'
import { manualClock } from '../support/manual-clock.ts'
import { recordOf } from '../support/runtime/records.ts'
import { settled } from '../support/settled.ts'

const bench = async () => {
  const clock = manualClock()
  const journal = memoryJournal({ alive: () => true, clock })
  const add = async (actor: string, machine: string, n: number, event: { type: string } = { type: 'moved' }) =>
    journal.append(
      recordOf(actor, n, { machine, from: n === 0 ? '' : 'a', to: 'a', event: { ...event, at: 7 }, at: 7 }),
    )
  await add('device:d1', 'device', 0)
  await add('device:d2', 'device', 0)
  await add('skill-run:r1', 'skill-run', 0)
  const watch = async (options: WatchOptions) => {
    const seen: TransitionRecord[] = []
    const subscription = watchTransitions(journal, options, transition => void seen.push(transition))
    await settled()
    return { subscription, actors: () => seen.map(({ actor }) => actor), seen }
  }
  return { journal, add, watch }
}

test.each<[string, WatchOptions, string[]]>([
  ['all', { after: 0 }, ['device:d1', 'device:d2', 'skill-run:r1', 'device:d1']],
  ['those after a position', { after: 2 }, ['skill-run:r1', 'device:d1']],
  ['those of an actor', { after: 0, actor: 'device:d1' }, ['device:d1', 'device:d1']],
  ['those of a machine', { after: 0, machine: 'device' }, ['device:d1', 'device:d2', 'device:d1']],
  ['those from now on', {}, ['device:d1']],
])('%s are seen, also as they come', async (_, options, expected) => {
  const { add, watch } = await bench()
  const { actors, subscription } = await watch(options)
  await add('device:d1', 'device', 1)
  await settled()
  expect(actors()).toEqual(expected)
  subscription.close()
  await add('device:d1', 'device', 2)
  await settled()
  expect(actors(), 'a watch that was closed sees no more').toEqual(expected)
})

test('the progress of a long step is in its transition, and in no other', async () => {
  const { add, watch } = await bench()
  const { seen } = await watch({})
  const progress = { what: 'bytes', done: 5, total: 10 }
  await add('device:d1', 'device', 1, { type: 'execution.progressed', ...progress })
  await add('device:d1', 'device', 2)
  await settled()
  expect(seen).toEqual([
    {
      seq: 4,
      actor: 'device:d1',
      machine: 'device',
      event: 'execution.progressed',
      from: 'a',
      to: 'a',
      at: 7,
      progress,
    },
    { seq: 5, actor: 'device:d1', machine: 'device', event: 'moved', from: 'a', to: 'a', at: 7 },
  ])
})

test('a watcher that fails at one record hears the next ones, and the failure is told', async () => {
  const { journal } = await bench()
  const heard: string[] = []
  const hear = eachRecord(({ actor }) => {
    heard.push(actor)
    if (actor === 'device:d2') throw new Error('broken watcher')
  })
  expect(() => hear(journal.records({}))).toThrow('broken watcher')
  expect(heard).toEqual(['device:d1', 'device:d2', 'skill-run:r1'])
})
