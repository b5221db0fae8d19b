/** What sessions and flows leave on a phone: undone once, by one process, and only where the owner is over. */

import { expect, test } from 'vitest'
import { createHost } from '../../src/runtime/host.ts'
import { memoryJournal } from '../../src/runtime/journal/memory.ts'
import { createUndoNotes, type UndoNote, type UndoWork } from '../../src/service/reservations/undo-notes.ts'
import type { Service } from '../../src/service/service.ts'
import { createUndo } from '../../src/service/undo-left.ts'
import { DEVICE_CONFLICT } from '../support/failure-codes.ts'
import { manualClock } from '../support/manual-clock.ts'

const DEAD_PID = 2
const SETTINGS: UndoWork = { kind: 'settings', settings: ['animations'] }
const call = { context: { caller: 'webdriver' as const } }

const holder = (pid: number) => ({ pid, started: '1', instance: `i${pid}` })

/** A phone that takes what undoes, and processes of one home before it. */
const bench = () => {
  const clock = manualClock()
  const dead = new Set<number>()
  const journal = memoryJournal({ alive: ({ pid }) => !dead.has(pid), clock })
  const asked: string[] = []
  const told: string[] = []
  let refusal: { code: string; message: string } | undefined
  let recording: object | null = null
  let forwards = [{ local: 'tcp:1', remote: 'tcp:2' }]
  const answer = (value: object) => ({ ok: true, value })
  const service = {
    async execute({ execution }: { execution: { actions: { type: string; params: { settings: string[] } }[] } }) {
      if (refusal) return { ok: false, error: refusal }
      // Others begin meanwhile.
      await Promise.resolve()
      for (const { type, params } of execution.actions) asked.push(`${type} ${params.settings}`)
      return answer({ envelope: { error: null } })
    },
    'recording.status': async () => answer({ recording }),
    'recording.stop': async () => {
      asked.push('recording.stop')
      return answer({ recording })
    },
    'forwards.list': async () => answer({ forwards }),
    'forwards.remove': async ({ end }: { end: string }) => {
      asked.push(`remove ${end}`)
      return answer({})
    },
  } as unknown as Service
  const processOf = (pid: number) => {
    const host = createHost({ journal, definitions: {}, ports: {}, clock, holder: holder(pid) })
    const notes = createUndoNotes({ journal, clock })
    let id = 0
    const ids = { at: () => `e${pid}-${++id}`, instance: () => `i${pid}` }
    const note = (text: string) => void told.push(text)
    return createUndo({ notes, host: () => host, clock, ids, service: async () => service, note })
  }
  return {
    clock,
    asked,
    told,
    processOf,
    async begin(pid: number, ...works: UndoWork[]) {
      const owner = { id: `s${pid}`, actor: `session:s${pid}` }
      await journal.leases.acquire({ key: owner.actor, holder: holder(pid), since: 1, note: { actor: owner.actor } })
      const notes = createUndoNotes({ journal, clock })
      const made = works.map((work): UndoNote => ({ deviceId: 'p1', owner, work }))
      for (const note of made) await notes.remember(note)
    },
    kill: (pid: number) => void dead.add(pid),
    refuse(code?: string) {
      refusal = code === undefined ? undefined : { code, message: 'It is held.' }
    },
    records(found: object | null) {
      recording = found
    },
    leads(local: string, remote: string) {
      forwards = [{ local, remote }]
    },
  }
}

const leftBehind = async (...works: UndoWork[]) => {
  const home = bench()
  await home.begin(DEAD_PID, ...works)
  home.kill(DEAD_PID)
  return home
}

test('what a living owner holds stays, whoever uses the phone', async () => {
  const home = bench()
  await home.begin(DEAD_PID, SETTINGS)
  await home.processOf(1).beforeUse('p1', undefined)
  await home.processOf(3).undoLeft()
  expect([home.asked, home.told]).toEqual([[], []])
})

test('what a dead owner left is undone before the phone is used, and told; nothing is undone twice', async () => {
  const home = await leftBehind(SETTINGS)
  const next = home.processOf(1)
  await next.beforeUse('p1', undefined)
  expect(home.asked).toEqual(['restore_settings animations'])
  expect(home.told).toEqual(['session s2 ended without putting p1 in order: undid the settings animations'])
  expect(next.beforeUse('p1', undefined)).toBeUndefined()
  await home.processOf(3).undoLeft()
  expect(home.asked).toHaveLength(1)
})

test('the use of another phone undoes nothing; one that names none may use any', async () => {
  const home = await leftBehind(SETTINGS)
  const next = home.processOf(1)
  expect(next.beforeUse('p2', undefined)).toBeUndefined()
  expect(home.asked).toEqual([])
  await next.beforeUse(undefined, undefined)
  expect(home.asked).toHaveLength(1)
})

test('of two processes that start at once one undoes', async () => {
  const home = await leftBehind(SETTINGS)
  let isOver = false
  const both = Promise.all([home.processOf(1).undoLeft(), home.processOf(3).beforeUse('p1', undefined)]).then(() => {
    isOver = true
  })
  while (!isOver) {
    home.clock.advance(100)
    await new Promise(resolve => setImmediate(resolve))
  }
  await both
  expect([home.asked, home.told]).toMatchObject([['restore_settings animations'], [expect.any(String)]])
})

test('a phone that another caller holds is left alone, told of once, and undone at a later use', async () => {
  const home = await leftBehind(SETTINGS)
  const next = home.processOf(1)
  home.refuse(DEVICE_CONFLICT)
  await next.beforeUse('p1', undefined)
  await next.beforeUse('p1', undefined)
  expect(home.told).toEqual(['session s2 has left the settings animations on p1, which is not undone: It is held.'])
  home.refuse()
  await next.beforeUse('p1', undefined)
  expect(home.asked).toEqual(['restore_settings animations'])
})

test('the owner undoes its own work at its end, and leaves nothing to others', async () => {
  const home = bench()
  await home.begin(DEAD_PID, SETTINGS, { kind: 'forward', local: 'tcp:1', remote: 'tcp:2' })
  expect(await home.processOf(DEAD_PID).undoOwn('p1', 's2', call)).toBeUndefined()
  expect(home.asked.sort()).toEqual(['remove tcp:1', 'restore_settings animations'])
  home.kill(DEAD_PID)
  await home.processOf(1).undoLeft()
  expect(home.asked).toHaveLength(2)
})

test.each([
  ['its own', { recordingId: 'r1', state: 'recording', startedAt: 1 }, ['recording.stop']],
  ['its own, left on the phone', { recordingId: 'r1', state: 'failed', startedAt: 1 }, ['recording.stop']],
  ['one that is saved', { recordingId: 'r1', state: 'saved', startedAt: 1 }, []],
  ['that of somebody else', { recordingId: 'r2', state: 'recording', startedAt: 1 }, []],
  ['none', null, []],
])('a recording: %s', async (_, present, expected) => {
  const home = await leftBehind({ kind: 'recording', since: 1, recordingId: 'r1' })
  home.records(present)
  await home.processOf(1).undoLeft()
  expect(home.asked).toEqual(expected)
})

test('a recording whose process died while it began is known by its time', async () => {
  const home = await leftBehind({ kind: 'recording', since: 10 })
  home.records({ recordingId: 'r0', state: 'recording', startedAt: 9 })
  await home.processOf(1).undoLeft()
  expect(home.asked).toEqual([])
  const again = await leftBehind({ kind: 'recording', since: 10 })
  again.records({ recordingId: 'r1', state: 'recording', startedAt: 10 })
  await again.processOf(1).undoLeft()
  expect(again.asked).toEqual(['recording.stop'])
})

test.each([
  [
    'the next user of the phone',
    (undo: ReturnType<ReturnType<typeof bench>['processOf']>) => undo.beforeUse('p1', undefined),
  ],
  ['the next server', (undo: ReturnType<ReturnType<typeof bench>['processOf']>) => undo.undoLeft()],
])('a forward whose process was killed is removed once, by %s', async (_, next) => {
  const home = await leftBehind({ kind: 'forward', local: 'tcp:1', remote: 'tcp:2' })
  await next(home.processOf(1))
  expect(home.asked).toEqual(['remove tcp:1'])
  expect(home.told).toEqual(['session s2 ended without putting p1 in order: undid the forward from tcp:1'])
  // Somebody adds the same one for themselves.
  home.leads('tcp:1', 'tcp:2')
  await home.processOf(3).undoLeft()
  await home.processOf(4).beforeUse('p1', undefined)
  expect(home.asked).toHaveLength(1)
})

test('a forward that was noted and never made is forgotten', async () => {
  const home = await leftBehind({ kind: 'forward', local: 'tcp:5', remote: 'tcp:6' })
  const next = home.processOf(1)
  await next.beforeUse('p1', undefined)
  expect([home.asked, next.beforeUse('p1', undefined)]).toEqual([[], undefined])
})

test('a forward that leads elsewhere since stays', async () => {
  const home = await leftBehind({ kind: 'forward', local: 'tcp:1', remote: 'tcp:2' })
  home.leads('tcp:1', 'tcp:3')
  await home.processOf(1).undoLeft()
  expect(home.asked).toEqual([])
})

test('a forward from any free port is found by its target where its process died before the port was noted', async () => {
  const work = { kind: 'forward', local: 'tcp:0', remote: 'tcp:2' } as const
  const home = await leftBehind({ ...work, others: [] })
  await home.processOf(1).undoLeft()
  expect(home.asked).toEqual(['remove tcp:1'])
  const before = await leftBehind({ ...work, others: ['tcp:1'] })
  await before.processOf(1).undoLeft()
  expect(before.asked).toEqual([])
})
