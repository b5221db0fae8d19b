/** An event that its sender takes back: before its turn it never happened, and afterwards it is undone before anything else. */
import { expect, test } from 'vitest'
import { type EventObject, emit, setup as machineOf } from 'xstate'
import { type Definition, IN_FLIGHT } from '../../machines/definition.ts'
import { createHost } from '../../src/runtime/host.ts'
import type { Journal } from '../../src/runtime/journal/journal.ts'
import { memoryJournal } from '../../src/runtime/journal/memory.ts'
import { manualClock } from '../support/manual-clock.ts'
import { settled } from '../support/settled.ts'

interface Ended extends EventObject {
  type: 'ended'
  by: string
}

const ended = emit(({ event }) => ({ type: 'ended', by: event.type }))
const oven: Definition = {
  logic: machineOf({}).createMachine({
    initial: 'cold',
    on: { look: {} },
    states: {
      cold: { on: { heat: 'hot', look: { actions: () => {} } } },
      hot: {
        tags: IN_FLIGHT,
        on: {
          cool: { target: 'cold', actions: ended },
          done: { target: 'cold', actions: ended },
          interrupted: { target: 'cold', actions: ended },
          look: { actions: () => {} },
        },
      },
    },
  }),
  version: 1,
  interrupted: (_, at) => ({ type: 'interrupted', at }),
  upcast: {},
}
const OVEN = { id: 'oven:1', machine: 'oven', input: {} }

const bench = () => {
  const clock = manualClock()
  const inner = memoryJournal({ alive: () => true, clock })
  let isHeld = false
  const waiting: (() => void)[] = []
  /** Holds the next writes until they are let go. */
  const hold = () => {
    isHeld = true
    return () => {
      isHeld = false
      for (const go of waiting.splice(0)) go()
    }
  }
  const held = () => new Promise<void>(resolve => (isHeld ? waiting.push(resolve) : resolve()))
  const journal: Journal = {
    ...inner,
    begin: async (...given) => held().then(() => inner.begin(...given)),
    append: async (...given) => held().then(() => inner.append(...given)),
  }
  const holder = { pid: 1, started: 's1', instance: 'i1' }
  const host = createHost({ journal, clock, definitions: { oven }, ports: {}, holder })
  const taken = new AbortController()
  const ask = (event: { type: string }) =>
    host.ask<Ended>(OVEN, event, {
      matches: ({ type }) => type === 'ended',
      until: clock.now() + 60_000,
      withdrawal: { signal: taken.signal, event: { type: 'cool' } },
    })
  const types = () => journal.records({ actor: OVEN.id }).map(({ event }) => event.type)
  return { host, clock, hold, taken, ask, types }
}

test('taken back before it is sent, it is never recorded', async () => {
  const { taken, ask, types } = bench()
  taken.abort()
  expect(await ask({ type: 'heat' })).toEqual({ kind: 'withdrawn' })
  expect(types()).toEqual([])
})

test('taken back while it waits for its turn, it is never recorded', async () => {
  const { host, hold, taken, ask, types } = bench()
  await host.tell(OVEN, { type: 'look' })
  const go = hold()
  const before = host.tell(OVEN, { type: 'look' })
  const asked = ask({ type: 'heat' })
  await settled()
  taken.abort()
  go()
  expect([await before, await asked]).toEqual([{ kind: 'told' }, { kind: 'withdrawn' }])
  expect(types()).toEqual(['actor.created', 'look', 'look'])
})

test('taken back while it is being recorded, it is undone before what came after it', async () => {
  const { host, hold, taken, ask, types } = bench()
  await host.tell(OVEN, { type: 'look' })
  const go = hold()
  const asked = ask({ type: 'heat' })
  const after = host.tell(OVEN, { type: 'look' })
  await settled()
  taken.abort()
  go()
  expect([await asked, await after]).toMatchObject([{ kind: 'answered', emitted: { by: 'cool' } }, { kind: 'told' }])
  expect(types()).toEqual(['actor.created', 'look', 'heat', 'cool', 'look'])
})

test('taken back afterwards, it is undone, and the answer to that is told', async () => {
  const { host, taken, ask, types } = bench()
  const asked = ask({ type: 'heat' })
  await settled()
  expect(host.inFlight()).toEqual([OVEN.id])
  taken.abort()
  expect(await asked).toMatchObject({ kind: 'answered', emitted: { by: 'cool' } })
  expect(types()).toEqual(['actor.created', 'heat', 'cool'])
})

test('one that was answered cannot be taken back any more', async () => {
  const { host, taken, ask, types } = bench()
  const asked = ask({ type: 'heat' })
  await settled()
  await host.tell(OVEN, { type: 'done' })
  expect(await asked).toMatchObject({ kind: 'answered', emitted: { by: 'done' } })
  await host.tell(OVEN, { type: 'heat' })
  taken.abort()
  await settled()
  expect(types()).toEqual(['actor.created', 'heat', 'done', 'heat'])
  expect(host.inFlight()).toEqual([OVEN.id])
})
