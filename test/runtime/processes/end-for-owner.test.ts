/** Work whose owner lives and does not act is ended by whoever needs what it holds, unless the owner is quicker. */
import { beforeEach, expect, test } from 'vitest'
import { setup as machineOf } from 'xstate'
import { type Definition, IN_FLIGHT } from '../../../machines/definition.ts'
import { createHost } from '../../../src/runtime/host.ts'
import { JournalError } from '../../../src/runtime/journal/fault.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import { memoryJournal } from '../../../src/runtime/journal/memory.ts'
import { manualClock } from '../../support/manual-clock.ts'

/** Holds its key from `run` until its time is over; `extend` changes what it is at, and goes on. */
const hold: Definition = {
  logic: machineOf({}).createMachine({
    initial: 'idle',
    states: {
      idle: { on: { run: 'held' } },
      held: { tags: IN_FLIGHT, on: { stop: 'idle', over: 'ended', interrupted: 'idle', extend: 'extended' } },
      extended: { tags: IN_FLIGHT, on: { stop: 'idle', interrupted: 'idle' } },
      ended: { on: { run: 'held' } },
    },
  }),
  version: 1,
  interrupted: (_, at) => ({ type: 'interrupted', at }),
  upcast: {},
}
const HOLD = { id: 'hold:1', machine: 'hold', input: {}, ownershipKey: 'phone' }

let journal: Journal
let clock: ReturnType<typeof manualClock>
beforeEach(() => {
  clock = manualClock()
  journal = memoryJournal({ alive: () => true, clock })
})

const hostOf = (pid: number, own = journal, definition = hold) =>
  createHost({
    ...{ journal: own, clock, definitions: { hold: definition }, ports: {} },
    holder: { pid, started: `s${pid}`, instance: `i${pid}` },
  })
const state = () => journal.last(HOLD.id)?.to

const held = async () => {
  const owner = hostOf(1)
  await owner.tell(HOLD, { type: 'run' })
  const lease = journal.leases.owner('phone')
  if (!lease) throw new Error('nobody holds the phone')
  return { owner, lease }
}
const over = (lease: Awaited<ReturnType<typeof held>>['lease'], isDue = true) => ({
  lease,
  event: { type: 'over' },
  isDue: () => isDue,
})

test('it is on record as ended, what it held is free, and its owner can write nothing more for it', async () => {
  const { owner, lease } = await held()
  expect(await hostOf(2).endForOwner(HOLD, over(lease))).toBe(true)
  expect(journal.last(HOLD.id)).toMatchObject({ to: 'ended', event: { type: 'over' }, at: clock.now(), n: 2 })
  expect(journal.leases.owner('phone')).toBeUndefined()
  expect(await owner.tell(HOLD, { type: 'stop' })).toMatchObject({ kind: 'unrecorded' })
  expect(state()).toBe('ended')
  expect(await hostOf(3).tell(HOLD, { type: 'run' })).toEqual({ kind: 'told' })
})

test('one whose time is not over is left alone, and so is one that the event does not end', async () => {
  const { owner, lease } = await held()
  expect(await hostOf(2).endForOwner(HOLD, over(lease, false))).toBe(false)
  await owner.tell(HOLD, { type: 'extend' })
  expect(await hostOf(2).endForOwner(HOLD, over(lease))).toBe(false)
  expect(state()).toBe('extended')
  expect(journal.leases.owner('phone')).toMatchObject({ holder: { pid: 1 } })
})

test('what this svc has no record or no machine of is left alone', async () => {
  const { lease } = await held()
  expect(await hostOf(2).endForOwner({ ...HOLD, id: 'hold:2' }, over(lease))).toBe(false)
  expect(await hostOf(2).endForOwner({ ...HOLD, machine: 'unknown' }, over(lease))).toBe(false)
  expect(journal.leases.owner('phone')).toMatchObject({ holder: { pid: 1 } })
})

test('one that a newer version of svc wrote to is left to that version', async () => {
  await hostOf(1, journal, { ...hold, version: 2 }).tell(HOLD, { type: 'run' })
  const lease = journal.leases.owner('phone')
  if (!lease) throw new Error('nobody holds the phone')
  expect(await hostOf(2).endForOwner(HOLD, over(lease))).toBe(false)
  expect(state()).toBe('held')
})

test('a grant that was left when the work had ended is given back', async () => {
  const owner = hostOf(1)
  await owner.tell({ ...HOLD, ownershipKey: 'other' }, { type: 'run' })
  await owner.tell({ ...HOLD, ownershipKey: 'other' }, { type: 'stop' })
  const left = await journal.leases.acquire({ key: 'phone', holder: owner.holder, since: 1, note: {} })
  const head = journal.head()
  expect(await hostOf(2).endForOwner(HOLD, over(left.lease))).toBe(true)
  expect(journal.leases.owner('phone')).toBeUndefined()
  expect(journal.head()).toBe(head)
})

test.each([
  ['goes on', 'extend', 'extended'],
  ['ends its work itself', 'stop', 'idle'],
])('an owner that %s in this very moment is not ended', async (_, type, after) => {
  const { owner, lease } = await held()
  const append: Journal['append'] = async (...given) => {
    await owner.tell(HOLD, { type })
    return journal.append(...given)
  }
  expect(await hostOf(2, { ...journal, append }).endForOwner(HOLD, over(lease))).toBe(false)
  expect(state()).toBe(after)
})

test('a key that another process has taken in this very moment stays with it', async () => {
  const { lease } = await held()
  const append: Journal['append'] = async (...given) => {
    await journal.leases.release(lease)
    await journal.leases.acquire({ key: 'phone', holder: hostOf(3).holder, since: 1, note: {} })
    return journal.append(...given)
  }
  expect(await hostOf(2, { ...journal, append }).endForOwner(HOLD, over(lease))).toBe(false)
  expect([state(), journal.leases.owner('phone')?.holder.pid]).toEqual(['held', 3])
})

test('a journal that takes nothing is told', async () => {
  const { lease } = await held()
  const append = () => Promise.reject(new JournalError('full', 'the disk is full'))
  const ended = hostOf(2, { ...journal, append }).endForOwner(HOLD, over(lease))
  await expect(ended).rejects.toMatchObject({ reason: 'full' })
  expect(state()).toBe('held')
})
