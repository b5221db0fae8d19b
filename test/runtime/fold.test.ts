/** The state of an actor by its records: the present one, and the one that it had before any of them. */
import { expect, test } from 'vitest'
import { assign, setup as machineOf } from 'xstate'
import type { Definition } from '../../machines/definition.ts'
import { CHECKPOINT_RECORDS } from '../../src/contracts/limits/limits.ts'
import { foldActor, foldRecords } from '../../src/runtime/fold.ts'
import { createHost } from '../../src/runtime/host.ts'
import { memoryJournal } from '../../src/runtime/journal/memory.ts'
import { manualClock } from '../support/manual-clock.ts'
import { recordOf } from '../support/runtime/records.ts'

/** Counts, and is over at the end. */
const counter: Definition = {
  logic: machineOf({ types: { context: {} as { count: number } } }).createMachine({
    initial: 'counting',
    context: { count: 0 },
    states: {
      counting: {
        on: { add: { actions: assign(({ context }) => ({ count: context.count + 1 })) }, end: 'over' },
      },
      over: { type: 'final' },
    },
  }),
  version: 1,
  interrupted: (_, at) => ({ type: 'interrupted', at }),
  upcast: {},
  outcome: ({ event }) => (event.type === 'end' ? { listener: 'http:1' } : undefined),
}
const COUNTER = { id: 'counter:1', machine: 'counter', input: {} }

const bench = () => {
  const clock = manualClock()
  const journal = memoryJournal({ alive: () => true, clock })
  const hostOf = (pid: number) =>
    createHost({
      ...{ journal, clock, definitions: { counter }, ports: {} },
      holder: { pid, started: `s${pid}`, instance: `i${pid}` },
    })
  /** As another process, or another build, has left them. */
  const write = async (from: number, to: number) => {
    const events = Array.from({ length: to - from }, (_, index) => ({
      n: from + index,
      event: { type: from + index === 0 ? 'actor.created' : 'add' },
    }))
    const more = { machine: 'counter', from: 'counting', to: 'counting' }
    await Promise.all(events.map(({ n, event }) => journal.append(recordOf(COUNTER.id, n, { ...more, event }))))
  }
  const at = (until?: number) => foldActor(counter, journal, COUNTER.id, until)
  return { clock, journal, hostOf, write, at }
}

test('a history longer than is read at once is folded to its end, and up to any of its records', async () => {
  const { write, at } = bench()
  await write(0, 1_300)
  expect(at()).toMatchObject({ n: 1_300, snapshot: { context: { count: 1_299 } } })
  for (const until of [1_200, 1_000])
    expect(at(until)).toMatchObject({ n: until, snapshot: { context: { count: until - 1 } } })
  expect(at(0).snapshot).toBeUndefined()
})

test('a process that opens a long history keeps a checkpoint, so that the next one reads less', async () => {
  const { journal, hostOf, write, at } = bench()
  await write(0, CHECKPOINT_RECORDS)
  await hostOf(1).tell(COUNTER, { type: 'add' })
  expect(journal.checkpoint(COUNTER.id)).toMatchObject({
    n: CHECKPOINT_RECORDS,
    snapshot: { context: { count: CHECKPOINT_RECORDS - 1 } },
  })
  expect(at()).toMatchObject({ tail: 1, snapshot: { context: { count: CHECKPOINT_RECORDS } } })
  expect(at(3), 'before the checkpoint').toMatchObject({ n: 3, snapshot: { context: { count: 2 } } })
})

test('what follows the end of an actor changes nothing', async () => {
  const { journal, hostOf } = bench()
  await hostOf(1).tell(COUNTER, { type: 'add' })
  await hostOf(1).tell(COUNTER, { type: 'end' })
  const records = journal.records({ actor: COUNTER.id })
  const last = records.at(-1)
  if (!last) throw new Error('nothing was recorded')
  const after = { ...last, n: last.n + 1, event: { type: 'add', at: 9 } }
  expect(foldRecords(counter, [...records, after])).toMatchObject({ n: 4, snapshot: { value: 'over', status: 'done' } })
})

test('what an event carries, and what it has brought about, are on its record and on no other', async () => {
  const { journal, hostOf } = bench()
  const host = hostOf(1)
  await host.tell(COUNTER, { type: 'add', body: { page: 'as it was' } })
  await host.tell(COUNTER, { type: 'end' })
  const [created, added, ended] = journal.records({ actor: COUNTER.id })
  expect(added?.event).not.toHaveProperty('body')
  expect(added && journal.body(added)).toEqual({ page: 'as it was' })
  expect([created?.digest, ended?.digest]).toEqual([null, null])
  expect(journal.records({ listener: 'http:1' }).map(({ n }) => n)).toEqual([ended?.n])
  expect([created?.outcome, added?.outcome, ended?.outcome]).toEqual([undefined, undefined, { listener: 'http:1' }])
})
