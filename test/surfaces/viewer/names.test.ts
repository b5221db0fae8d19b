/** Names before ids, tones of states, the columns of a table, and what an overview is made of. */
import { describe, expect, test } from 'vitest'
import type { ExecutionSummary, ViewedActor } from '../../../src/contracts/doors/viewer.ts'
import { daemonKey } from '../../../src/surfaces/daemon/paths.ts'
import { columnsOf } from '../../../src/surfaces/viewer/columns.ts'
import {
  actorTone,
  executionTitle,
  holderOf,
  nameOf,
  reservationOf,
  standingOf,
  toneOf,
} from '../../../src/surfaces/viewer/names.ts'
import { overviewOf } from '../../../src/surfaces/viewer/overview-data.ts'

const actor = (id: string, more: Partial<ViewedActor> = {}): ViewedActor => ({
  id,
  machine: id.slice(0, id.indexOf(':')),
  state: 'idle',
  tags: [],
  updatedAt: 1,
  seq: 1,
  since: 1,
  work: {},
  ...more,
})

const execution = (executionId: string, more: Partial<ExecutionSummary> = {}): ExecutionSummary => ({
  executionId,
  commandId: `command-${executionId}`,
  taskId: 't',
  deviceId: 'd1',
  state: 'settled',
  acceptedAt: Number(executionId),
  code: 'success',
  steps: [],
  ...more,
})

describe('a name', () => {
  test.each(['127.0.0.1:5555', 'emulator-5554', 'Gerät ß', '   x'])('of the daemon of %s is its device', device => {
    expect(nameOf(actor(`daemon:${daemonKey(device)}`))).toBe(device)
  })

  test('of a daemon whose key is none stays the key', () => {
    expect(nameOf(actor('daemon:default'))).toBe('default device')
    expect(nameOf(actor('daemon:id-_w'))).toBe('id-_w')
  })

  test('of a skill run is its skill, of an execution what it did', () => {
    expect(nameOf(actor('skill-run:1', { work: { skillId: 'com.example.pay' } }))).toBe('com.example.pay')
    expect(executionTitle(execution('1', { title: 'Click “A”' }))).toBe('Click “A”')
    expect(executionTitle(execution('1'))).toBe('command-1')
  })
})

describe('the reservation of a device', () => {
  const known = (...all: ViewedActor[]) => new Map(all.map(each => [each.id, each]))
  const held = (id: string, work: ViewedActor['work'], state = 'held.ready') =>
    actor(`reservation:${id}`, { state, work })

  test('is the one that is held, of this device', () => {
    const actors = known(
      held('a', { deviceId: 'd1' }, 'released'),
      held('b', { deviceId: 'd1' }, 'waiting'),
      held('c', { deviceId: 'd2' }),
      held('d', { deviceId: 'd1' }, 'held.clearing'),
    )
    expect(reservationOf(actors, 'd1')?.id).toBe('reservation:d')
    expect(reservationOf(actors, 'd3')).toBeUndefined()
  })

  test('is of a session, or of whoever has its lease', () => {
    expect(holderOf(held('l1', { sessionId: 's1' }))).toBe('session s1')
    expect(holderOf(held('l1', {}))).toBe('lease l1')
  })
})

describe('a tone', () => {
  test.each([
    [{ state: 'waiting' }, 'wait', 'waiting'],
    [{ state: 'dispatched', code: undefined }, 'busy', 'running'],
    [{ state: 'settled' }, 'good', 'success'],
    [{ state: 'settled', code: 'NODE_NOT_FOUND' }, 'bad', 'NODE_NOT_FOUND'],
    [{ state: 'interrupted', code: 'EXECUTION_INTERRUPTED' }, 'bad', 'EXECUTION_INTERRUPTED'],
    [{ state: 'interrupted', code: 'EXECUTION_INTERRUPTED', inDoubt: true }, 'doubt', 'EXECUTION_INTERRUPTED'],
  ] as const)('of %j', (more, tone, word) => {
    const { code, ...rest } = { code: 'success', ...more }
    expect(standingOf({ ...rest, ...(code === undefined ? {} : { code }) })).toEqual({ tone, word })
  })

  test('of an actor at work is its work, unless it is in doubt or has failed', () => {
    const at = (state: string, tags: string[] = []) => actorTone({ state, tags })
    expect([at('running.dispatched', ['in-flight']), at('running.overdue', ['in-flight'])]).toEqual(['busy', 'doubt'])
    expect([at('idle'), at('failed'), at('resting.running'), toneOf('not-run')]).toEqual([
      'calm',
      'bad',
      'good',
      'calm',
    ])
  })
})

describe('columns', () => {
  test('that say the same in every row are said once, and empty ones not at all', () => {
    const rows = ['1', '2'].map(id => execution(id, { operatorPackage: 'svc.shell' }))
    expect(columnsOf(rows)).toEqual({
      shown: new Set(),
      shared: [
        ['Device', 'd1'],
        ['Operator', 'svc.shell'],
      ],
    })
  })

  test('in which rows differ are shown, also where only some belong to a skill run', () => {
    const rows = [execution('1', { deviceId: 'd2' }), execution('2', { skillRunId: 'r' })]
    expect(columnsOf(rows)).toEqual({ shown: new Set(['deviceId', 'skillRunId']), shared: [] })
  })
})

describe('an overview', () => {
  const busy = { state: 'running.dispatched', tags: ['in-flight'] }
  const actors = new Map(
    [
      actor('device:d1', { ...busy, since: 20 }),
      actor('device:d2'),
      actor('skill-run:r', { state: 'active.spawned.running', tags: ['in-flight'], since: 10 }),
      actor('daemon:default', busy),
      actor('emulator:pixel', { state: 'resting.running' }),
      actor('emulator:none', { state: 'resting.none' }),
    ].map(one => [one.id, one]),
  )

  test('has what works, the longest first, and of emulators those that run', () => {
    const { atWork, devices, emulators } = overviewOf(actors, [], [])
    expect(atWork.map(({ id }) => id)).toEqual(['skill-run:r', 'device:d1'])
    expect(devices.map(({ id }) => id)).toEqual(['device:d1', 'device:d2'])
    expect(emulators.map(({ id }) => id)).toEqual(['emulator:pixel'])
  })

  test('has who waits in the order of the queue, and doubts until somebody went on with them', () => {
    const doubt = { state: 'interrupted', code: 'EXECUTION_INTERRUPTED', inDoubt: true } as const
    const waiting = { state: 'waiting', code: undefined } as const
    const listed = [
      execution('9', waiting as never),
      execution('8', waiting as never),
      execution('7', { resumes: '5' }),
      execution('6', doubt),
      execution('5', doubt),
      execution('4', { code: 'NODE_NOT_FOUND' }),
    ]
    const {
      waiting: queue,
      doubts,
      failures,
      lastOf,
    } = overviewOf(actors, listed, [execution('6', doubt), execution('1', doubt)])
    expect(queue.map(({ executionId }) => executionId)).toEqual(['8', '9'])
    expect(doubts.map(({ executionId }) => executionId)).toEqual(['6', '1'])
    expect(failures.map(({ executionId }) => executionId)).toEqual(['4'])
    expect(lastOf.get('d1')?.executionId).toBe('7')
  })
})
