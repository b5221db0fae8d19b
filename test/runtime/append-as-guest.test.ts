/** Events that any process may record on the actor of another one: their place in its history decides, and its owner goes on from there. */
import { beforeEach, describe, expect, test } from 'vitest'
import { assign, setup as machineOf } from 'xstate'
import { type Definition, IN_FLIGHT } from '../../machines/definition.ts'
import { recordShared } from '../../src/runtime/append-as-guest.ts'
import { createHost } from '../../src/runtime/host.ts'
import { JournalError, type JournalFault } from '../../src/runtime/journal/fault.ts'
import type { Journal } from '../../src/runtime/journal/journal.ts'
import { memoryJournal } from '../../src/runtime/journal/memory.ts'
import { type ManualClock, manualClock } from '../support/manual-clock.ts'
import { receiptOf, recordOf } from '../support/runtime/records.ts'
import { settled } from '../support/settled.ts'

const ENDS = { stop: 'idle', interrupted: 'idle' }

/** Any process may leave a note for it, whoever has it. */
const worker: Definition = {
  logic: machineOf({ types: { context: {} as { notes: number } } }).createMachine({
    initial: 'idle',
    context: { notes: 0 },
    on: { note: { actions: assign(({ context }) => ({ notes: context.notes + 1 })) } },
    states: { idle: { on: { run: 'running' } }, running: { tags: IN_FLIGHT, on: ENDS } },
  }),
  version: 2,
  interrupted: (_, at) => ({ type: 'interrupted', at }),
  upcast: {},
  shared: ['note'],
  receipt: ({ event }) => (typeof event.executionId === 'string' ? receiptOf(event.executionId) : undefined),
}
const WORKER = { id: 'worker:1', machine: 'worker', input: {} }

let clock: ManualClock
let journal: Journal
beforeEach(() => {
  clock = manualClock()
  journal = memoryJournal({ alive: () => true, clock })
})

const hostOf = (pid: number, definition = worker) =>
  createHost({
    journal,
    clock,
    definitions: { worker: definition },
    ports: {},
    holder: { pid, started: `s${pid}`, instance: `i${pid}` },
  })
const types = () => journal.records({ actor: WORKER.id }).map(({ n, event }) => `${n} ${event.type}`)
const notesIn = (host: ReturnType<typeof hostOf>) => host.follow(WORKER).look().snapshot?.context.notes

const running = async () => {
  const [owner, other] = [hostOf(1), hostOf(2)]
  await owner.tell(WORKER, { type: 'run' })
  return { owner, other }
}

test('what another process records is in the history at once, and the owner goes on after it', async () => {
  const { owner, other } = await running()
  await other.appendAsGuest(WORKER, { type: 'note' })
  expect(await owner.tell(WORKER, { type: 'note' })).toEqual({ kind: 'told' })
  expect(await owner.tell(WORKER, { type: 'stop' })).toEqual({ kind: 'told' })
  expect(types()).toEqual(['0 actor.created', '1 run', '2 note', '3 note', '4 stop'])
  expect(notesIn(owner)).toBe(2)
  expect(journal.leases.list()).toEqual([])
})

test('the receipt of what another process records is kept with it', async () => {
  const { other } = await running()
  await other.appendAsGuest(WORKER, { type: 'note', executionId: 'e1' })
  expect(journal.receipt('e1')).toMatchObject({ executionId: 'e1', state: 'accepted' })
})

test('an owner takes in nothing that a newer version has recorded, and goes on owning its work', async () => {
  const { owner } = await running()
  const place = { machine: 'worker', version: 3, from: 'running', to: 'running', tags: [IN_FLIGHT] }
  await journal.append(recordOf(WORKER.id, 2, { ...place, event: { type: 'note' } }))
  expect(await owner.tell(WORKER, { type: 'stop' })).toMatchObject({ kind: 'unrecorded', error: { reason: 'behind' } })
  expect(types()).toEqual(['0 actor.created', '1 run', '2 note'])
  expect([owner.inFlight(), journal.leases.list().length]).toEqual([[WORKER.id], 1])
})

test('an owner that cannot record anything is told so, whatever others have recorded', async () => {
  const { owner, other } = await running()
  await other.appendAsGuest(WORKER, { type: 'note' })
  const { append } = journal
  let tries = 0
  journal.append = async () => {
    tries += 1
    throw new JournalError('full', 'the disk is full')
  }
  expect(await owner.tell(WORKER, { type: 'stop' })).toMatchObject({ kind: 'unrecorded', error: { reason: 'full' } })
  expect(tries).toBe(1)
  journal.append = append
  expect(await owner.tell(WORKER, { type: 'stop' })).toEqual({ kind: 'told' })
  expect(types().at(-1)).toBe('3 stop')
})

test('an actor that nobody has takes it as any other event', async () => {
  await hostOf(1).appendAsGuest(WORKER, { type: 'note' })
  expect(types()).toEqual(['0 actor.created', '1 note'])
})

test('an event that the actor cannot take is not recorded, and whoever sent it hears so', async () => {
  await expect(hostOf(1).appendAsGuest(WORKER, { type: 'stop' })).rejects.toMatchObject({ reason: 'unhandled' })
  expect(types()).toEqual([])
})

test('an owner of a version that does not know the event is not given it', async () => {
  await hostOf(1, { ...worker, version: 1 }).tell(WORKER, { type: 'run' })
  const asked = hostOf(2).appendAsGuest(WORKER, { type: 'note' })
  await expect(asked).rejects.toMatchObject({ reason: 'fenced', message: expect.stringContaining('knows no note') })
  expect(types()).toEqual(['0 actor.created', '1 run'])
})

describe('in a crowd of writers', () => {
  const appendWith = (append: Journal['append']) =>
    recordShared(WORKER, { type: 'note' }, { definition: worker, journal: { ...journal, append }, clock })

  /** Counts the tries; each finds that another process was quicker, or what is said. */
  const refusing = (reason: JournalFault = 'behind') => {
    const tries = { count: 0 }
    const append: Journal['append'] = () => {
      tries.count += 1
      return Promise.reject(new JournalError(reason, 'refused by the test'))
    }
    return { tries, append }
  }

  test('it is judged anew by what the quicker one has written, and recorded after it', async () => {
    const { other } = await running()
    let isFirst = true
    const written = appendWith(async (...given) => {
      if (isFirst) await other.appendAsGuest(WORKER, { type: 'note' })
      isFirst = false
      return journal.append(...given)
    })
    await settled()
    clock.advance(5)
    expect((await written).context).toEqual({ notes: 2 })
    expect(types()).toEqual(['0 actor.created', '1 run', '2 note', '3 note'])
  })

  test('it is tried again for five seconds, and then the caller is told', async () => {
    await running()
    const { tries, append } = refusing()
    const written = appendWith(append).catch((error: unknown) => error)
    for (let ms = 0; ms < 1_000; ms += 5) {
      await settled()
      clock.advance(5)
    }
    await settled()
    expect(tries.count).toBeGreaterThan(100)
    clock.advance(4_000)
    expect(await written).toMatchObject({ reason: 'behind' })
  })

  test('a process that was stopped over that time still gets its tries', async () => {
    await running()
    const { tries, append } = refusing()
    const written = appendWith(append).catch((error: unknown) => error)
    await settled()
    for (let tried = 1; tried < 20; tried++) {
      expect(tries.count).toBe(tried)
      clock.advance(10_000)
      await settled()
    }
    expect(await written).toMatchObject({ reason: 'behind' })
    expect(tries.count).toBe(20)
  })

  test('a disk that is full is told at once', async () => {
    await running()
    const { tries, append } = refusing('full')
    await expect(appendWith(append)).rejects.toMatchObject({ reason: 'full' })
    expect(tries.count).toBe(1)
  })
})

describe('whoever follows an actor', () => {
  test('sees each step of any process, however many came since the last look', async () => {
    const { owner, other } = await running()
    const follower = other.follow(WORKER)
    expect(follower.look().snapshot?.value).toBe('running')
    for (let count = 0; count < 260; count++) await owner.tell(WORKER, { type: 'note' })
    await owner.tell(WORKER, { type: 'stop' })
    expect(follower.look()).toMatchObject({ n: 263, snapshot: { value: 'idle', context: { notes: 260 } } })
    expect(follower.look()).toMatchObject({ n: 263, snapshot: { context: { notes: 260 } } })
  })

  test('sees an actor that begins later, and one that begins anew after retention took it', async () => {
    const owner = hostOf(1)
    const follower = hostOf(2).follow(WORKER)
    expect(follower.look()).toMatchObject({ snapshot: undefined, n: 0 })
    for (let count = 0; count < 3; count++) await owner.tell(WORKER, { type: 'note' })
    expect(follower.look()).toMatchObject({ n: 4, snapshot: { context: { notes: 3 } } })
    clock.advance(10_000)
    // Retention never takes the newest record of all.
    await owner.tell({ ...WORKER, id: 'worker:2' }, { type: 'note' })
    await journal.prune({ maxAgeMs: 5_000, maxBytes: Number.MAX_SAFE_INTEGER, now: clock.now() })
    expect(follower.look()).toMatchObject({ snapshot: undefined, n: 0 })
    await hostOf(3).tell(WORKER, { type: 'note' })
    expect(follower.look()).toMatchObject({ n: 2, snapshot: { context: { notes: 1 } } })
  })

  test('goes on from a checkpoint where retention took what came since its last look', async () => {
    const owner = hostOf(1)
    const follower = hostOf(2).follow(WORKER)
    await owner.tell(WORKER, { type: 'note' })
    expect(follower.look().snapshot?.context).toEqual({ notes: 1 })
    for (let count = 0; count < 4; count++) await owner.tell(WORKER, { type: 'note' })
    const { n = 0, seq = 0 } = journal.last(WORKER.id) ?? {}
    const snapshot = { value: 'idle', context: { notes: 5 }, status: 'active' as const }
    await journal.saveCheckpoint({ actor: WORKER.id, n: n + 1, seq, version: 2, snapshot })
    clock.advance(10_000)
    await owner.tell(WORKER, { type: 'note' })
    await journal.prune({ maxAgeMs: 5_000, maxBytes: Number.MAX_SAFE_INTEGER, now: clock.now() })
    expect(journal.records({ actor: WORKER.id })).toHaveLength(1)
    expect(follower.look()).toMatchObject({ n: n + 2, snapshot: { context: { notes: 6 } } })
  })

  test('of a machine that this svc does not have is told so', () => {
    expect(() => hostOf(1).follow({ id: 'x:1', machine: 'x' })).toThrow('no machine x')
  })
})
