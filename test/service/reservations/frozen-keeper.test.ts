/** A reservation whose process is frozen ends in time all the same: for its caller, for others, and for the list. */

import { describe, expect, test } from 'vitest'
import type { Clock } from '../../../src/runtime/clock.ts'
import { memoryJournal } from '../../../src/runtime/journal/memory.ts'
import type { Executed } from '../../../src/service/executions/order.ts'
import type { LeaseAnswer } from '../../../src/service/reservations/reservations.ts'
import { phone, pressHome, svcProcess } from '../../support/executions/executor-bench.ts'
import { DEVICE_CONFLICT } from '../../support/failure-codes.ts'
import { type ManualClock, manualClock } from '../../support/manual-clock.ts'
import { settled } from '../../support/settled.ts'

/** Nothing falls due in a process that is frozen until it wakes. */
const freezable = (clock: ManualClock) => {
  let isFrozen = false
  const due: (() => void)[] = []
  const own: Clock = {
    ...clock,
    at: (at, call, options) => clock.at(at, () => (isFrozen ? void due.push(call) : call()), options),
  }
  return {
    clock: own,
    freeze() {
      isFrozen = true
    },
    wake() {
      isFrozen = false
      for (const call of due.splice(0)) call()
    },
  }
}

const codeOf = (answer: Executed | LeaseAnswer) => {
  const result = 'result' in answer ? answer.result : answer
  return result.ok ? 'ok' : result.error.code
}

const LEASED_MS = 3_000

/** A process that reserves the phone and is frozen, before others who want it. */
const frozenWorld = async () => {
  const clock = manualClock()
  const journal = memoryJournal({ alive: () => true, clock })
  const link = phone(clock)
  const frozen = freezable(clock)
  const keeper = svcProcess({ journal, clock: frozen.clock, link, pid: 1 })
  const other = svcProcess({ journal, clock, link, pid: 2 })
  const reserve = (process: typeof other, waitMs = 0) =>
    process.reservations.create({
      ...{ deviceId: 'd1', phone: 'device:d1', forMs: LEASED_MS, waitMs, sessionId: null },
    })
  const pass = async (ms: number) => {
    for (let spent = 0; spent < ms; spent += 100) {
      clock.advance(100)
      await settled()
    }
  }
  /** Lets time pass until it has ended. */
  const within = async <T>(work: Promise<T>, ms = 5_000): Promise<T> => {
    let isOver = false
    void work.finally(() => {
      isOver = true
    })
    for (let spent = 0; spent < ms && !isOver; spent += 100) await pass(100)
    return work
  }
  const made = await reserve(keeper)
  if (!made.ok) throw new Error(made.error.message)
  const { leaseId } = made.lease
  frozen.freeze()
  const endOf = (id: string) => journal.last(`reservation:${id}`)?.to
  const taps = () => link.calls.filter(call => call.includes('HOME')).length
  return { ...{ clock, journal, keeper, other, reserve, pass, within, leaseId, taps, endOf }, wake: frozen.wake }
}

describe('after its end, a reservation of a frozen process', () => {
  test('is worth nothing to its caller', async () => {
    const { other, pass, within, leaseId, taps } = await frozenWorld()
    await pass(2_800)
    expect(codeOf(await other.execute({ ...pressHome(), leaseId }))).toBe('ok')
    await pass(300)
    const refused = await within(other.execute({ ...pressHome(), leaseId }))
    expect(refused.result).toMatchObject({
      error: { code: 'LEASE_NOT_FOUND', details: { leaseId, ended: { why: 'expired' } } },
    })
    expect(taps()).toBe(1)
  })

  test('is not listed, and is over for those who would change it', async () => {
    const { other, pass, leaseId } = await frozenWorld()
    expect(other.reservations.list()).toHaveLength(1)
    await pass(3_100)
    expect(other.reservations.list()).toEqual([])
    for (const answer of [await other.reservations.end(leaseId), await other.reservations.extend(leaseId, 9_000)])
      expect(answer).toMatchObject({
        error: { code: 'LEASE_NOT_FOUND', details: { ended: { why: 'expired', at: expect.any(Number) } } },
      })
  })

  test('keeps no execution from the phone, and not before its end', async () => {
    const { other, pass, within, leaseId, endOf } = await frozenWorld()
    await pass(2_900)
    expect(codeOf(await other.execute(pressHome()))).toBe(DEVICE_CONFLICT)
    await pass(1_100)
    expect(codeOf(await within(other.execute(pressHome())))).toBe('ok')
    expect(endOf(leaseId)).toBe('expired')
  })

  test('of a newer svc keeps the phone: only a newer one can tell whether it is over', async () => {
    const { journal, clock, other, pass, within, leaseId, taps } = await frozenWorld()
    const last = journal.last(`reservation:${leaseId}`)
    if (!last) throw new Error('the reservation is not on record')
    const { seq: _, digest: __, ...written } = last
    const event = { type: 'reservation.prolonged', at: clock.now() }
    await journal.append({ ...written, n: last.n + 1, version: last.version + 1, event })
    await pass(5_000)
    expect(codeOf(await within(other.execute(pressHome())))).toBe(DEVICE_CONFLICT)
    expect(taps()).toBe(0)
  })

  test('keeps no waiting request from the phone', async () => {
    const { other, within, pass } = await frozenWorld()
    await pass(1_000)
    expect(codeOf(await within(other.execute({ ...pressHome(), waitMs: 10_000 }), 7_000))).toBe('ok')
  })

  test.each([0, 10_000])(
    'is replaced by one that waits %i ms, which its process cannot end when it wakes',
    async waitMs => {
      const { keeper, other, reserve, pass, within, wake, leaseId, endOf, journal } = await frozenWorld()
      const before = journal.leases.read('reserved:device:d1')?.fence ?? 0
      if (waitMs === 0) await pass(4_000)
      const next = await within(reserve(other, waitMs), 7_000)
      if (!next.ok) throw new Error(next.error.message)
      expect(journal.leases.read('reserved:device:d1')?.fence).toBe(before + 1)
      wake()
      await pass(200)
      expect(other.reservations.list().map(lease => lease.leaseId)).toEqual([next.lease.leaseId])
      expect(endOf(leaseId)).toBe('expired')
      expect(codeOf(await keeper.execute({ ...pressHome(), leaseId }))).toBe('LEASE_NOT_FOUND')
      expect(codeOf(await keeper.execute(pressHome()))).toBe(DEVICE_CONFLICT)
      expect(codeOf(await keeper.execute({ ...pressHome(), leaseId: next.lease.leaseId }))).toBe('ok')
    },
  )

  test('is ended by its process when that wakes first', async () => {
    const { other, pass, wake, leaseId, endOf } = await frozenWorld()
    await pass(4_000)
    wake()
    await pass(100)
    expect(endOf(leaseId)).toBe('expired')
    expect(codeOf(await other.execute(pressHome()))).toBe('ok')
  })
})

test('a clock that was set back frees no phone early', async () => {
  const { clock, other, pass, within } = await frozenWorld()
  clock.set(-60_000)
  await pass(4_000)
  expect(codeOf(await within(other.execute(pressHome())))).toBe(DEVICE_CONFLICT)
  await pass(60_000)
  expect(codeOf(await within(other.execute(pressHome())))).toBe('ok')
})

test.each(['keeper', 'other'] as const)(
  'one that the %s process ends after the clock was set forward leaves nothing in the process that keeps it',
  async name => {
    const { clock, wake, within, leaseId, endOf, pass, ...world } = await frozenWorld()
    wake()
    clock.set(60_000)
    const next = await within(world.reserve(world[name]))
    if (!next.ok) throw new Error(next.error.message)
    await pass(100)
    expect(endOf(leaseId)).toBe('expired')
    expect([...world.keeper.host.inFlight(), ...world.other.host.inFlight()]).toEqual([
      `reservation:${next.lease.leaseId}`,
    ])
  },
)
