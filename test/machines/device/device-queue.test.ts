/** The queue of a device: who is next, who may join, and what is kept of those that wait. */

import { describe, expect, test } from 'vitest'
import { device } from '../../../machines/device/device.ts'
import { receiptOf } from '../../../machines/device/device-answers.ts'
import { placeIn, queueOf } from '../../../machines/device/device-queue.ts'
import { WAITING_MAX } from '../../../src/contracts/limits/limits.ts'
import type { StoredEvent } from '../../../src/contracts/records/journal.ts'
import { DEVICE_CONFLICT } from '../../support/failure-codes.ts'
import { given } from '../../support/runtime/given.ts'

const holder = { pid: 7, started: 's', instance: 'i' }
const named = (executionId: string) => ({ executionId, commandId: `c-${executionId}`, taskId: 't', deviceId: 'd1' })
const queued = (executionId: string, more: object = {}): StoredEvent & { at: number } => ({
  type: 'execution.queued',
  at: 1_000,
  ...named(executionId),
  waitMs: 5_000,
  holder,
  ...more,
})
const requested = (executionId: string, more: object = {}): StoredEvent & { at: number } => ({
  type: 'execution.requested',
  at: 3_000,
  ...named(executionId),
  timeoutMs: 30_000,
  acceptUntil: 10_000,
  body: {},
  ...more,
})
const left = (executionId: string, why = 'cancelled', more: object = {}): StoredEvent & { at: number } => ({
  type: 'execution.left',
  at: 2_500,
  executionId,
  why,
  ...more,
})
const turnOf = (executionId: string, more: object = {}) => requested(executionId, { waited: true, ...more })
const afterwards = (events: readonly StoredEvent[], next: StoredEvent) => given(device, events).when(next)
const waiting = (events: readonly StoredEvent[], next: StoredEvent) =>
  queueOf(afterwards(events, next).snapshot).map(({ executionId }) => executionId)

describe('whose turn it is', () => {
  const two = [queued('a'), queued('b')]

  test('that of the first that waits; it leaves the queue, and has waited so long', () => {
    const then = afterwards(two, turnOf('a'))
    expect(then).toMatchObject({
      state: 'running.accepted',
      emitted: [{ type: 'execution.accepted', executionId: 'a' }],
    })
    expect(then.context).toMatchObject({ current: { executionId: 'a', waitedMs: 2_000 } })
    expect(waiting(two, turnOf('a'))).toEqual(['b'])
  })

  test.each([
    ['the second one', turnOf('b')],
    ['one that did not wait', requested('c')],
  ])('not that of %s, which is told who is before it', (_, next) => {
    const then = afterwards(two, next)
    expect(then.state).toBe('idle')
    expect(then.emitted).toMatchObject([{ type: 'execution.refused', holder: { executionId: 'a' } }])
    expect(waiting(two, next)).toEqual(['a', 'b'])
  })

  test('not that of one that has left the queue', () => {
    expect(afterwards([queued('a'), left('a')], turnOf('a'))).toMatchObject({
      state: 'idle',
      emitted: [{ type: 'execution.refused', executionId: 'a', holder: null }],
    })
  })

  test('that of the first of a reservation, before others that came earlier', () => {
    const mixed = [queued('a'), queued('b', { leaseId: 'l1' }), queued('c', { leaseId: 'l1' })]
    expect(afterwards(mixed, turnOf('b', { leaseId: 'l1' })).state).toBe('running.accepted')
    expect(afterwards(mixed, turnOf('c', { leaseId: 'l1' }))).toMatchObject({
      state: 'idle',
      emitted: [{ holder: { executionId: 'b' } }],
    })
    expect(afterwards([queued('a')], requested('d', { leaseId: 'l1' })).state).toBe('running.accepted')
  })

  test('a clock that was set back makes no wait shorter than nothing', () => {
    expect(afterwards(two, turnOf('a', { at: 10 })).context).toMatchObject({ current: { waitedMs: 0 } })
    expect(afterwards([], requested('c')).context).toMatchObject({ current: { waitedMs: null } })
  })
})

describe('who may join', () => {
  test('one after the other, also while the device is busy', () => {
    expect(waiting([requested('a'), queued('b')], queued('c'))).toEqual(['b', 'c'])
    const { snapshot } = afterwards([queued('b')], queued('c'))
    expect(['b', 'c', 'd'].map(id => placeIn(queueOf(snapshot), id))).toEqual([1, 2, undefined])
  })

  test('nobody twice, and nobody that runs', () => {
    expect(afterwards([queued('b')], queued('b')).emitted).toMatchObject([{ type: 'execution.refused' }])
    expect(waiting([queued('b')], queued('b'))).toEqual(['b'])
    expect(afterwards([requested('a')], queued('a')).emitted).toMatchObject([
      { type: 'execution.refused', holder: { executionId: 'a' } },
    ])
  })

  test('no more than the queue holds', () => {
    const full = Array.from({ length: WAITING_MAX }, (_, at) => queued(`e${at}`))
    expect(waiting(full.slice(1), queued('last'))).toHaveLength(WAITING_MAX)
    expect(afterwards(full, queued('last'))).toMatchObject({
      emitted: [{ type: 'execution.refused', executionId: 'last', holder: { executionId: 'e0' } }],
    })
  })
})

test('who leaves gives its place to the next, and one that does not wait changes nothing', () => {
  expect(waiting([queued('a'), queued('b')], left('a'))).toEqual(['b'])
  expect(waiting([queued('a')], left('x'))).toEqual(['a'])
  expect(afterwards([requested('r')], left('r')).state).toBe('running.accepted')
})

describe('receipts of those that wait', () => {
  const receipt = (events: readonly StoredEvent[], event: StoredEvent & { at: number }) => {
    const before = given(device, events.slice(0, -1)).when(events.at(-1) ?? left('nobody')).snapshot
    return receiptOf({ before, event, after: given(device, events).when(event).snapshot })
  }
  const base = { ...named('a'), accepted: false, acceptedAt: 1_000 }

  test('are opened when they join, with their key', () => {
    const idempotency = { key: 'k', payload: 'p' }
    const more = { idempotency, skillRunId: 's1', resumes: 'e0' }
    expect(receipt([], queued('a'))).toEqual({ ...base, state: 'waiting' })
    expect(receipt([], queued('a', more))).toEqual({ ...base, ...more, state: 'waiting' })
    expect(receipt([queued('a')], queued('a')), 'joining twice').toBeUndefined()
  })

  test.each([
    ['overdue', DEVICE_CONFLICT, 'did not become free in time'],
    ['cancelled', 'EXECUTION_CANCELLED', 'cancelled while it waited'],
    ['gone', 'EXECUTION_INTERRUPTED', 'process that had the request ended'],
    ['missed', DEVICE_CONFLICT, 'did not take it in time'],
    ['refused', DEVICE_CONFLICT, 'refused when its turn had come'],
  ])('are settled when they leave, and their key is free: %s', (why, code, reason) => {
    const path = [queued('a', { idempotency: { key: 'k', payload: 'p' } })]
    const settled = receipt(path, left('a', why))
    expect(settled).toMatchObject({
      ...base,
      state: 'settled',
      settledAt: 2_500,
      waitedMs: 1_500,
      result: {
        ok: false,
        error: {
          code,
          message: expect.stringContaining(reason),
          details: { executionId: 'a', deviceId: 'd1', dispatched: false },
        },
      },
    })
    expect(settled).not.toHaveProperty('idempotency')
  })

  test('one that is cancelled says which process had it', () => {
    expect(receipt([queued('a')], left('a'))).toMatchObject({
      result: { error: { details: { holder: { pid: 7, executionId: 'a', commandId: 'c-a', since: 1_000 } } } },
    })
  })

  test('the answer of the process that waited counts', () => {
    const body = { ok: false, error: { code: 'LEASE_NOT_FOUND', message: 'm' } }
    expect(receipt([queued('a')], left('a', 'refused', { body }))).toMatchObject({ result: body })
  })

  test('one that leaves without having waited has none', () => {
    expect(receipt([queued('a')], left('x'))).toBeUndefined()
  })
})
