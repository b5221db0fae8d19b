import { describe, expect, test } from 'vitest'
import { membership } from '../../machines/membership/membership.ts'
import type { StoredEvent } from '../../src/contracts/records/journal.ts'
import { given } from '../support/runtime/given.ts'

const event = (type: string, more: object = {}): StoredEvent => ({ type, at: 2_000, ...more })
const join = (allowsUnsafe = false, instance = 'i1') =>
  event('join.requested', { fleet: 'f1', host: 'h1', instance, allowsUnsafe })
const reached = event('servers.reached', { version: '2.11' })
const judged = (isSafe: boolean) =>
  event('servers.judged', { isSafe, unsafe: isSafe ? [] : ['One server only.', 'No TLS.'] })
const claimed = (epoch = 5) => event('host.claimed', { epoch })
const taken = event('host.taken', { instance: 'i2', pid: 7 })
const unreachable = event('fleet.unreachable', { message: 'nobody answers' })
const unauthorized = event('fleet.unauthorized', { message: 'wrong password' })
const lapsed = event('lease.lapsed', { message: 'm' })
const drain = event('drain.requested')
const finished = event('work.ended')
const leave = event('leave.requested')
const left = event('fleet.left')
const interrupted = event('request.interrupted')
const broken = event('port.failed', { port: 'keep', message: 'the driver broke' })

const joining = [join()]
const judging = [...joining, reached]
const claiming = [...judging, judged(true)]
const serving = [...claiming, claimed()]
const draining = [...serving, drain]
const drained = [...draining, finished]
const leaving = [...serving, leave]

const afterwards = (events: readonly StoredEvent[], next: StoredEvent) => given(membership, events).when(next)

describe('what an event leads to', () => {
  test.each([
    ['a request to join', [], join(), 'inside.joining'],
    ['servers that do not answer yet', joining, unreachable, 'inside.joining'],
    ['servers that refuse it', joining, unauthorized, 'outside'],
    ['servers that answer', joining, reached, 'inside.judging'],
    ['servers that are safe', judging, judged(true), 'inside.claiming'],
    ['servers that are not', judging, judged(false), 'outside'],
    ['servers that are not, to a user who said they will do', [join(true), reached], judged(false), 'inside.claiming'],
    ['a link that is lost while they are looked at', judging, lapsed, 'inside.joining'],
    ['its id, written', claiming, claimed(), 'inside.serving'],
    ['its id, of another live host', claiming, taken, 'outside'],
    ['a lease that lapsed', serving, lapsed, 'inside.claiming'],
    ['another host of that id, found later', [...serving, lapsed], taken, 'outside'],
    ['a drain', serving, drain, 'inside.draining'],
    ['the end of what ran', draining, finished, 'inside.drained'],
    ['a link that is lost while it drains', draining, lapsed, 'inside.claiming'],
    ['a link that is lost when it has drained', drained, lapsed, 'inside.claiming'],
    ['a drain while it is cut off', [...serving, lapsed, drain], claimed(6), 'inside.draining'],
    ['a claim anew of a host that drains', [...draining, lapsed], claimed(6), 'inside.draining'],
    ['a request to leave', serving, leave, 'leaving'],
    ['a request to leave before it is a member', joining, leave, 'leaving'],
    ['a broken driver', serving, broken, 'leaving'],
    ['a process that died', serving, interrupted, 'outside'],
    ['what it owned, given back', leaving, left, 'outside'],
    ['a process that died while it left', leaving, interrupted, 'outside'],
    ['a driver that broke while it left', leaving, broken, 'outside'],
  ] as const)('%s', (_, events, next, state) => {
    expect(afterwards(events, next).state).toBe(state)
  })

  test('a host that was started anew takes requests again, though it had drained before', () => {
    const anew = [...drained, leave, left, join(false, 'i3'), reached, judged(true)]
    expect(afterwards(anew, claimed(9))).toMatchObject({
      state: 'inside.serving',
      emitted: [{ type: 'fleet.joined', instance: 'i3' }],
      context: { epoch: 9 },
    })
  })
})

describe('what is said', () => {
  test.each([
    ['that it joined', claiming, claimed(), { type: 'fleet.joined' }],
    ['that nobody answers yet', joining, unreachable, { type: 'fleet.awaited', message: 'nobody answers' }],
    [
      'that its credentials are wrong',
      joining,
      unauthorized,
      { type: 'fleet.refused', code: 'FLEET_UNREACHABLE', message: 'wrong password' },
    ],
    [
      'why the servers are unsafe',
      judging,
      judged(false),
      {
        type: 'fleet.refused',
        code: 'FLEET_UNSAFE',
        message: expect.stringContaining('One server only. No TLS.'),
        details: { unsafe: ['One server only.', 'No TLS.'] },
      },
    ],
    [
      'which host has its id',
      claiming,
      taken,
      {
        type: 'fleet.refused',
        code: 'FLEET_HOST_TAKEN',
        message: expect.stringContaining('h1'),
        details: { host: 'h1', pid: 7, instance: 'i2' },
      },
    ],
    [
      'that its driver broke',
      serving,
      broken,
      { type: 'fleet.refused', code: 'INTERNAL_ERROR', message: 'the driver broke' },
    ],
    ['that it has drained', draining, finished, { type: 'fleet.drained' }],
    ['that it has left', leaving, left, { type: 'fleet.ended' }],
    ['that it has left, by the next process of a dead one', serving, interrupted, { type: 'fleet.ended' }],
  ] as const)('%s', (_, events, next, said) => {
    expect(afterwards(events, next).emitted).toEqual([expect.objectContaining({ ...said, instance: 'i1' })])
  })
})

describe('ports', () => {
  const me = { fleet: 'f1', host: 'h1', instance: 'i1' }

  test.each([
    ['it looks for servers', [], join(), { connect: 0 }],
    ['it judges them', joining, reached, { judge: 0 }],
    ['it claims its id', judging, judged(true), { claim: 0 }],
    ['it keeps its id', claiming, claimed(), { keep: 5 }],
    ['it claims its id again, knowing the epoch it had', serving, lapsed, { claim: 5 }],
    ['it keeps its id while it finishes', serving, drain, { keep: 5, finish: 5 }],
    ['it keeps its id when it has finished', draining, finished, { keep: 5 }],
    ['it gives its id back', serving, leave, { release: 5 }],
    ['it does nothing more', leaving, left, {}],
  ] as const)('%s', (_, events, next, epochs) => {
    const expected = Object.fromEntries(Object.entries(epochs).map(([id, epoch]) => [id, { ...me, epoch }]))
    expect(afterwards(events, next).inputs).toEqual(expected)
  })
})
