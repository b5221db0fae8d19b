/** The reservation machine: who gets the phone when, and what ends it. */
import { describe, expect, test } from 'vitest'
import { reservation } from '../../machines/reservation/reservation.ts'
import type { StoredEvent } from '../../src/contracts/records/journal.ts'
import { given } from '../support/runtime/given.ts'

const event = (type: string, more: object = {}, at = 2_000): StoredEvent => ({ type, at, ...more })
const wanted = { deviceId: 'd1', phone: 'device:S1', forMs: 60_000, sessionId: null }
const holder = { pid: 1, started: 's', instance: 'i' }
const queued = event('reservation.queued', { ...wanted, waitMs: 5_000, holder })
const taken = (clearMs = 0) => event('reservation.taken', { ...wanted, clearMs })
const cleared = event('phone.cleared', {}, 7_000)
const extended = event('reservation.extended', { requestId: 'x1', forMs: 10_000 }, 9_000)
const released = event('reservation.released', { requestId: 'r1' })
const deadline = event('deadline.passed')
const interrupted = event('reservation.interrupted')
const withdrawn = event('reservation.withdrawn', { why: 'cancelled' })

const held = [taken()]
const clearing = [taken(4_000)]
const afterwards = (events: readonly StoredEvent[], next: StoredEvent) =>
  given(reservation, events, { leaseId: 'l1' }).when(next)

describe('what an event leads to', () => {
  test.each([
    ['a free phone', [], taken(), 'held.ready'],
    ['a busy phone', [], taken(4_000), 'held.clearing'],
    ['a reserved phone', [], queued, 'waiting'],
    ['its turn', [queued], taken(), 'held.ready'],
    ['a caller that left', [queued], withdrawn, 'withdrawn'],
    ['the end of what ran', clearing, cleared, 'held.ready'],
    ['too long a run', clearing, deadline, 'withdrawn'],
    ['a caller that left meanwhile', clearing, withdrawn, 'withdrawn'],
    ['an extension', held, extended, 'held.ready'],
    ['the end of its time', held, deadline, 'expired'],
    ['given back', held, released, 'released'],
    ['a dead owner', held, interrupted, 'interrupted'],
    ['a dead owner before the phone was clear', clearing, interrupted, 'interrupted'],
    ['an owner that ends', held, event('host.closing'), 'interrupted'],
    ['a withdrawal that comes too late', held, withdrawn, 'held.ready'],
  ] as const)('%s', (_, events, next, state) => {
    expect(afterwards(events, next).state).toBe(state)
  })
})

test('the time counts from the moment at which the caller has the phone, and from each extension', () => {
  expect(afterwards([], taken()).context).toMatchObject({ heldSince: 2_000, expiresAt: 62_000 })
  expect(afterwards(clearing, cleared).context).toMatchObject({ heldSince: 7_000, expiresAt: 67_000 })
  const prolonged = afterwards(held, extended)
  expect(prolonged.context).toMatchObject({ heldSince: 2_000, since: 9_000, forMs: 10_000, expiresAt: 19_000 })
  expect(prolonged.emitted).toEqual([{ type: 'reservation.prolonged', leaseId: 'l1', requestId: 'x1' }])
})

describe('who is told what', () => {
  test('the caller that it has the phone, and only then', () => {
    expect(afterwards([], taken()).emitted).toEqual([{ type: 'reservation.ready', leaseId: 'l1' }])
    expect(afterwards([], taken(4_000)).emitted).toEqual([])
    expect(afterwards(clearing, cleared).emitted).toEqual([{ type: 'reservation.ready', leaseId: 'l1' }])
  })

  test.each([
    ['released', held, released],
    ['expired', held, deadline],
    ['interrupted', held, interrupted],
    ['interrupted', held, event('host.closing')],
    ['interrupted', held, event('port.failed', { port: 'keeper', message: 'm' })],
    ['withdrawn', [queued], withdrawn],
    ['withdrawn', clearing, deadline],
  ] as const)('that it is over, and how: %s, %#', (end, events, next) => {
    const then = afterwards(events, next)
    expect(then.emitted).toEqual([{ type: 'reservation.over', leaseId: 'l1', end }])
    expect(then.context.endedAt).toBe(next.at)
  })

  test('nothing is told twice', () => {
    for (const late of [released, deadline, interrupted, extended, taken()])
      expect(afterwards([...held, released], late).emitted).toEqual([])
  })
})

test('a request that waits says who waits and how long, until it has the phone', () => {
  expect(afterwards([], queued).context).toMatchObject({ phone: 'device:S1', waitMs: 5_000, holder, since: 2_000 })
  const theirs = event('reservation.taken', { ...wanted, sessionId: 'w1', clearMs: 0 }, 3_000)
  expect(afterwards([queued], theirs).context).toMatchObject({ holder: null, sessionId: 'w1', heldSince: 3_000 })
})
