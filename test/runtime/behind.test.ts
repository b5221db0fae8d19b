/** An actor that rests in the memory of one host while another one works on it: its history says what it is. */
import { expect, test } from 'vitest'
import { setup as machineOf } from 'xstate'
import { type Definition, IN_FLIGHT } from '../../machines/definition.ts'
import { createHost } from '../../src/runtime/host.ts'
import { memoryJournal } from '../../src/runtime/journal/memory.ts'
import { manualClock } from '../support/manual-clock.ts'

const RUNNING = { tags: IN_FLIGHT, on: { stop: 'on', interrupted: 'off' } }

/** It rests in two states, of which each accepts something else. */
const lamp: Definition = {
  logic: machineOf({}).createMachine({
    initial: 'off',
    states: { off: { on: { light: 'on' } }, on: { on: { darken: 'off', run: 'running' } }, running: RUNNING },
  }),
  version: 1,
  interrupted: (_, at) => ({ type: 'interrupted', at }),
  upcast: {},
}
const LAMP = { id: 'lamp:1', machine: 'lamp', input: {} }

const two = () => {
  const clock = manualClock()
  const alive = new Set([1, 2])
  const journal = memoryJournal({ alive: ({ pid }) => alive.has(pid), clock })
  const hostOf = (pid: number) =>
    createHost({
      journal,
      clock,
      definitions: { lamp },
      ports: {},
      holder: { pid, started: `s${pid}`, instance: `i${pid}` },
    })
  return { journal, alive, one: hostOf(1), other: hostOf(2), now: () => journal.last(LAMP.id)?.to }
}

test.each([
  ['the recovery of it', { actor: LAMP.id }],
  ['the recovery of its machine', { machine: 'lamp' }],
  ['the recovery of all', {}],
])('what a dead host was at is settled by %s in a host that has the actor in memory', async (_, only) => {
  const { journal, alive, one, other, now } = two()
  await other.tell(LAMP, { type: 'light' })
  await one.tell(LAMP, { type: 'run' })
  expect(await other.recover(only), 'its owner lives').toEqual([])
  expect(now()).toBe('running')
  await one.tell(LAMP, { type: 'stop' })
  await other.tell(LAMP, { type: 'darken' })
  await other.tell(LAMP, { type: 'light' })
  await one.tell(LAMP, { type: 'run' })
  alive.delete(1)
  expect(await other.recover(only)).toEqual([LAMP.id])
  expect(now()).toBe('off')
  expect(journal.leases.list()).toEqual([])
  expect(await other.recover(only), 'it is settled').toEqual([])
  expect(await other.tell(LAMP, { type: 'light' }), 'it is free').toEqual({ kind: 'told' })
})

test('a host settles nothing of its own, neither while it is recorded nor while it runs', async () => {
  const { one, now } = two()
  await one.tell(LAMP, { type: 'light' })
  const told = one.tell(LAMP, { type: 'run' })
  expect(await one.recover()).toEqual([])
  expect(await told).toEqual({ kind: 'told' })
  expect(await one.recover()).toEqual([])
  expect(now()).toBe('running')
})

test('an event is judged by the present state, also where the state in memory does not accept it', async () => {
  const { one, other, now } = two()
  await one.tell(LAMP, { type: 'light' })
  await other.tell(LAMP, { type: 'darken' })
  expect(await one.tell(LAMP, { type: 'light' })).toEqual({ kind: 'told' })
  expect(now()).toBe('on')
  expect(await one.tell(LAMP, { type: 'light' })).toMatchObject({ kind: 'unrecorded', error: { reason: 'unhandled' } })
})
