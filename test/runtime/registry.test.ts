/** The actors of a process: how it comes to own one, what it does where others are quicker, and how it lets go. */
import { expect, test } from 'vitest'
import { emit, setup as machineOf } from 'xstate'
import { type Definition, IN_FLIGHT } from '../../machines/definition.ts'
import { port } from '../../machines/port.ts'
import { ACTOR_REST_MS, LEASE_RENEW_MS } from '../../src/contracts/limits/limits.ts'
import { createHost } from '../../src/runtime/host.ts'
import { JournalError } from '../../src/runtime/journal/fault.ts'
import type { Journal } from '../../src/runtime/journal/journal.ts'
import { memoryJournal } from '../../src/runtime/journal/memory.ts'
import type { Port } from '../../src/runtime/port.ts'
import { manualClock, RUNTIME_TIMERS } from '../support/manual-clock.ts'
import { settled } from '../support/settled.ts'

const job: Definition = {
  logic: machineOf({ actors: { work: port<object>('work') } }).createMachine({
    initial: 'idle',
    states: {
      idle: { on: { run: 'running' } },
      running: {
        tags: IN_FLIGHT,
        invoke: { src: 'work', input: {} },
        on: { stop: { target: 'idle', actions: emit({ type: 'stopped' }) }, interrupted: 'idle' },
        initial: 'begun',
        states: { begun: { on: { moved: 'going' } }, going: { on: { moved: { actions: () => {} } } } },
      },
    },
  }),
  version: 1,
  interrupted: (_, at) => ({ type: 'interrupted', at }),
  upcast: {},
}
const jobOf = (name: string) => ({ id: `job:${name}`, machine: 'job', input: {} })

const bench = (change: (journal: Journal) => Partial<Journal> = () => ({}), work: Port = () => {}) => {
  const clock = manualClock()
  const inner = memoryJournal({ alive: () => true, clock })
  const journal: Journal = { ...inner, ...change(inner) }
  const troubles: string[] = []
  const hostOf = (pid: number) =>
    createHost({
      ...{ journal, clock, definitions: { job }, ports: { job: { work } } },
      holder: { pid, started: `s${pid}`, instance: `i${pid}` },
      troubles: { tell: what => void troubles.push(what) },
    })
  const types = (name: string) => journal.records({ actor: `job:${name}` }).map(({ event }) => event.type)
  return { clock, inner, journal, troubles, hostOf, types }
}

test('a process that others always outrun is told so after a few tries', async () => {
  let tries = 0
  const behind = async () => {
    tries += 1
    throw new JournalError('behind', 'job:a continues elsewhere')
  }
  const { hostOf, inner } = bench(() => ({ begin: behind }))
  const told = await hostOf(1).tell(jobOf('a'), { type: 'run' })
  expect(told).toMatchObject({ kind: 'unrecorded', error: { reason: 'behind' } })
  expect([tries > 1, tries < 20, inner.records({})]).toEqual([true, true, []])
})

const full = () => new JournalError('full', 'the disk is full')

test('a process whose grant the journal did not take back goes on under a new one, and nobody else may', async () => {
  let isFull = true
  const { hostOf, journal, types } = bench(
    inner => ({
      leases: {
        ...inner.leases,
        release: async lease => (isFull ? Promise.reject(full()) : inner.leases.release(lease)),
      },
      append: async (...given) => (isFull ? Promise.reject(full()) : inner.append(...given)),
    }),
    (_, { send }) => void send({ type: 'moved' }),
  )
  const [owner, other] = [hostOf(1), hostOf(2)]
  await owner.tell(jobOf('a'), { type: 'run' })
  await settled()
  expect(owner.inFlight(), 'an event of its port was lost').toEqual([])
  expect(await other.tell(jobOf('a'), { type: 'run' })).toMatchObject({ kind: 'held', lease: { holder: { pid: 1 } } })
  isFull = false
  expect(await owner.tell(jobOf('a'), { type: 'run' })).toEqual({ kind: 'told' })
  await settled()
  expect(types('a')).toEqual(['actor.created', 'run', 'interrupted', 'run', 'moved'])
  expect(journal.leases.list()).toHaveLength(1)
})

test('a process that stops lets go first of what it began last, where nothing can be recorded any more', async () => {
  const left: string[] = []
  const { hostOf } = bench(
    () => ({ append: () => Promise.reject(full()) }),
    (_, { actor, left: over }) => void over.onAbort(() => left.push(actor)),
  )
  const host = hostOf(1)
  for (const name of ['a', 'b', 'c']) await host.tell(jobOf(name), { type: 'run' })
  expect(await host.stop({ graceMs: 0 })).toEqual({ interrupted: ['job:a', 'job:b', 'job:c'] })
  expect(left).toEqual(['job:c', 'job:b', 'job:a'])
})

test('an event that a port says is recorded as it said it, also where it had foreseen another one', async () => {
  const said: boolean[] = []
  const work: Port = Object.assign(
    (async (_, { commit, isRecorded }) => {
      for (const place of [1, 2])
        said.push(isRecorded({ type: 'moved', place }), await commit({ type: 'moved', place }))
    }) as Port,
    { ahead: () => ({ type: 'moved', place: 1 }) },
  )
  const { hostOf, journal } = bench(undefined, work)
  await hostOf(1).tell(jobOf('a'), { type: 'run' })
  await settled()
  expect(said).toEqual([true, true, false, true])
  expect(journal.records({ actor: 'job:a' }).map(({ event }) => event.place)).toEqual([undefined, undefined, 1, 2])
})

test('the recovery of an actor that is not in flight settles nothing, and troubles nobody', async () => {
  const { hostOf, troubles, types } = bench()
  const host = hostOf(1)
  await host.tell(jobOf('a'), { type: 'run' })
  await host.tell(jobOf('a'), { type: 'stop' })
  expect(await hostOf(2).recover({ actor: 'job:a' })).toEqual([])
  expect(await hostOf(2).recover({ actor: 'job:never' })).toEqual([])
  expect([troubles, types('a')]).toEqual([[], ['actor.created', 'run', 'stop']])
})

test('an actor that its owner settles in this very moment troubles nobody who came to settle it', async () => {
  const clock = manualClock()
  const inner = memoryJournal({ alive: ({ pid }) => pid !== 1, clock })
  const troubles: string[] = []
  const hostOf = (pid: number, journal: Journal) =>
    createHost({
      ...{ journal, clock, definitions: { job }, ports: { job: { work: () => {} } } },
      holder: { pid, started: `s${pid}`, instance: `i${pid}` },
      troubles: { tell: what => void troubles.push(what) },
    })
  await hostOf(1, inner).tell(jobOf('a'), { type: 'run' })
  const refusing = (reason: 'behind' | 'failed'): Journal => ({
    ...inner,
    begin: () => Promise.reject(new JournalError(reason, 'refused by the test')),
  })
  expect(await hostOf(2, refusing('behind')).recover()).toEqual([])
  expect(troubles).toEqual([])
  expect(await hostOf(3, refusing('failed')).recover()).toEqual([])
  expect(troubles).toEqual([expect.stringContaining('job:a was left in flight')])
})

test('an event of a port that the machine cannot take ends the wait, and names the event', async () => {
  const { hostOf } = bench(undefined, (_, { send }) => void send({ type: 'nonsense' }))
  const { clock } = bench()
  const asked = hostOf(1).ask(jobOf('a'), { type: 'run' }, { matches: () => false, until: clock.now() + 1_000 })
  expect(await asked).toMatchObject({
    kind: 'broken',
    error: { reason: 'unhandled', message: expect.stringContaining('(from a port: nonsense)') },
  })
})

test('waits for what never comes end with the host, and one that is refused leaves no timer', async () => {
  const { clock, hostOf } = bench()
  const [host, other] = [hostOf(1), hostOf(2)]
  const wait = { matches: () => false, until: clock.now() + 3_600_000 }
  const asked = host.ask(jobOf('a'), { type: 'run' }, wait)
  await settled()
  const timers = clock.pending()
  expect(await other.ask(jobOf('a'), { type: 'run' }, wait)).toMatchObject({ kind: 'held' })
  expect(clock.pending()).toBe(timers)
  await host.tell(jobOf('a'), { type: 'stop' })
  await host.stop({ graceMs: 0 })
  expect(await asked).toMatchObject({ kind: 'broken', error: { reason: 'closed' } })
})

test('a process that has nothing in memory any more has no timer', async () => {
  const { clock, hostOf } = bench()
  const host = hostOf(1)
  await host.tell(jobOf('a'), { type: 'run' })
  await host.tell(jobOf('a'), { type: 'stop' })
  expect(clock.pending()).toBe(RUNTIME_TIMERS)
  clock.advance(2 * ACTOR_REST_MS + 1)
  await settled()
  clock.advance(2 * ACTOR_REST_MS + 1)
  expect([host.snapshot('job:a'), clock.pending()]).toEqual([undefined, 0])
})

test('what is in flight is renewed as long as it is, for those who cannot see this process', async () => {
  const renewed: string[] = []
  const { clock, hostOf } = bench(inner => ({
    leases: {
      ...inner.leases,
      renew: grants => {
        renewed.push(...grants.map(({ key }) => key))
        return inner.leases.renew(grants)
      },
    },
  }))
  const host = hostOf(1)
  await host.tell(jobOf('a'), { type: 'run' })
  await host.tell(jobOf('b'), { type: 'run' })
  await host.tell(jobOf('b'), { type: 'stop' })
  clock.advance(LEASE_RENEW_MS)
  await settled()
  expect(renewed).toEqual(['job:a'])
})

test('a listener that has left hears nothing more', async () => {
  const { hostOf } = bench()
  const host = hostOf(1)
  const heard: string[] = []
  const leave = host.onEmitted((_, { type }) => heard.push(type))
  await host.tell(jobOf('a'), { type: 'run' })
  await host.tell(jobOf('a'), { type: 'stop' })
  leave()
  await host.tell(jobOf('a'), { type: 'run' })
  await host.tell(jobOf('a'), { type: 'stop' })
  expect(heard).toEqual(['stopped'])
})
