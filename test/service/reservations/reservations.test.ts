/** Reservations over several processes of one home: who may begin something on the phone, and who gets it next. */

import { hostname, userInfo } from 'node:os'
import { describe, expect, test, vi } from 'vitest'
import { memoryJournal } from '../../../src/runtime/journal/memory.ts'
import type { Executed } from '../../../src/service/executions/order.ts'
import type { LeaseAnswer } from '../../../src/service/reservations/reservations.ts'
import { shellOk } from '../../support/device/fake-link.ts'
import { phone, pressHome, svcProcess } from '../../support/executions/executor-bench.ts'
import { DEVICE_CONFLICT } from '../../support/failure-codes.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { settled } from '../../support/settled.ts'

/** Processes before one phone, whose deeds end when they are told to. */
const world = () => {
  const clock = manualClock()
  const alive = new Set([1, 2, 3])
  const journal = memoryJournal({ alive: ({ pid }) => alive.has(pid), clock })
  const finishers: (() => void)[] = []
  let isPrompt = true
  const link = phone(clock, command => {
    if (!command.includes('HOME')) return undefined
    return isPrompt ? shellOk() : new Promise(resolve => finishers.push(() => resolve(shellOk())))
  })
  const mayLive = ({ pid }: { pid: number }) => alive.has(pid)
  const processOf = (pid: number) => svcProcess({ journal, clock, link, pid, mayLive })
  const pass = async (ms: number) => {
    for (let spent = 0; spent < ms; spent += 100) {
      clock.advance(100)
      await settled()
    }
  }
  const slow = () => {
    isPrompt = false
  }
  return {
    clock,
    journal,
    alive,
    finishers,
    processOf,
    pass,
    slow,
    taps: () => link.calls.filter(c => c.includes('HOME')).length,
  }
}

type Process = ReturnType<ReturnType<typeof world>['processOf']>

const reserve = (process: Process, more: { forMs?: number; waitMs?: number; leave?: AbortSignal } = {}) =>
  process.reservations.create({
    deviceId: 'd1',
    phone: 'device:d1',
    forMs: 60_000,
    waitMs: 0,
    sessionId: null,
    ...more,
  })

const leaseIn = (answer: LeaseAnswer) => {
  if (!answer.ok) throw new Error(answer.error.message)
  return answer.lease
}
const errorIn = (answer: LeaseAnswer | Executed) => {
  const result = 'result' in answer ? answer.result : answer
  if (result.ok) throw new Error('it was not refused')
  return result.error
}
const codeOf = ({ result }: Executed) => (result.ok ? 'ok' : result.error.code)

/** Lets time pass until it has ended. */
const within = async <T>(work: Promise<T>, pass: (ms: number) => Promise<void>, ms = 5_000): Promise<T> => {
  let isOver = false
  void work.finally(() => {
    isOver = true
  })
  for (let spent = 0; spent < ms && !isOver; spent += 100) await pass(100)
  return work
}

describe('a phone that is reserved', () => {
  test('takes requests of the lease, and refuses all others with its holder', async () => {
    const { processOf, taps } = world()
    const [holder, stranger] = [processOf(1), processOf(2)]
    const { leaseId, expiresAt } = leaseIn(await reserve(holder))
    expect(codeOf(await stranger.execute({ ...pressHome(), leaseId }))).toBe('ok')
    expect(codeOf(await holder.execute({ ...pressHome(), leaseId }))).toBe('ok')
    for (const process of [holder, stranger]) {
      const error = errorIn(await process.execute(pressHome()))
      expect(error).toMatchObject({
        code: DEVICE_CONFLICT,
        details: { deviceId: 'd1', holder: { pid: 1, leaseId, expiresAt } },
      })
      expect(error.message).toBe(
        `Device d1 is reserved by lease ${leaseId} of ${userInfo().username} on ${hostname()} until ${new Date(expiresAt).toISOString()}.`,
      )
    }
    expect(taps()).toBe(2)
  })

  test('is free at the end of its time, and the lease is worth nothing then', async () => {
    const { processOf, pass, taps } = world()
    const holder = processOf(1)
    const { leaseId } = leaseIn(await reserve(holder, { forMs: 5_000 }))
    await pass(5_100)
    const error = errorIn(await holder.execute({ ...pressHome(), leaseId }))
    expect(error).toMatchObject({ code: 'LEASE_NOT_FOUND', details: { leaseId, ended: { why: 'expired' } } })
    expect(taps()).toBe(0)
    expect(codeOf(await holder.execute(pressHome()))).toBe('ok')
  })

  test('lets an execution end that runs when the time is over, and begins none after it', async () => {
    const { processOf, pass, slow, finishers } = world()
    slow()
    const holder = processOf(1)
    const { leaseId } = leaseIn(await reserve(holder, { forMs: 2_000 }))
    const running = holder.execute({ ...pressHome(), leaseId })
    await pass(2_500)
    expect(codeOf(await holder.execute({ ...pressHome(), leaseId }))).toBe(DEVICE_CONFLICT)
    finishers.shift()?.()
    expect(codeOf(await running)).toBe('ok')
    expect(codeOf(await holder.execute({ ...pressHome(), leaseId }))).toBe('LEASE_NOT_FOUND')
  })

  test('is free at once when the process that keeps it has died', async () => {
    const { processOf, alive, journal } = world()
    const { leaseId } = leaseIn(await reserve(processOf(1)))
    const heir = processOf(2)
    expect(errorIn(await reserve(heir)).code).toBe(DEVICE_CONFLICT)
    const fence = journal.leases.read('reserved:device:d1')?.fence ?? 0
    alive.delete(1)
    expect(heir.reservations.check(leaseId)).toMatchObject({
      ok: false,
      error: { code: 'LEASE_NOT_FOUND', details: { ended: { why: 'interrupted' } } },
    })
    const next = leaseIn(await reserve(heir))
    expect(journal.leases.read('reserved:device:d1')?.fence).toBe(fence + 1)
    await heir.host.recover()
    expect(heir.reservations.list().map(({ leaseId: id }) => id)).toEqual([next.leaseId])
    expect(journal.last(`reservation:${leaseId}`)?.to).toBe('interrupted')
  })

  test('is freed by its process when that is told to end', async () => {
    const { processOf, journal } = world()
    const holder = processOf(1)
    const { leaseId } = leaseIn(await reserve(holder))
    await holder.host.stop({ graceMs: 60_000 })
    expect(journal.last(`reservation:${leaseId}`)?.to).toBe('interrupted')
    expect(codeOf(await processOf(2).execute(pressHome()))).toBe('ok')
  })

  test('is extended and given back by whichever process is asked', async () => {
    const { clock, processOf, pass } = world()
    const [holder, other] = [processOf(1), processOf(2)]
    const { leaseId } = leaseIn(await reserve(holder, { forMs: 5_000 }))
    await pass(3_000)
    for (const process of [holder, other]) {
      const prolonged = leaseIn(await within(process.reservations.extend(leaseId, 5_000), pass))
      expect(prolonged.expiresAt - clock.now()).toBeLessThanOrEqual(5_000)
      await pass(4_000)
      expect(process.reservations.check(leaseId).ok).toBe(true)
    }
    leaseIn(await within(other.reservations.end(leaseId), pass))
    expect(errorIn(await other.reservations.end(leaseId))).toMatchObject({
      code: 'LEASE_NOT_FOUND',
      details: { ended: { why: 'released' } },
    })
    expect(codeOf(await other.execute(pressHome()))).toBe('ok')
  })
})

test('a lease that nobody has, or of another phone, refuses and sends nothing', async () => {
  const { processOf, taps } = world()
  const process = processOf(1)
  const none = '01a0c450-6c00-72b0-91e0-586a373dc163'
  expect(errorIn(await process.execute({ ...pressHome(), leaseId: none })).code).toBe('LEASE_NOT_FOUND')
  const other = await process.reservations.create({
    ...{ deviceId: 'd2', phone: 'device:d2', forMs: 60_000, waitMs: 0, sessionId: null },
  })
  expect(errorIn(await process.execute({ ...pressHome(), leaseId: leaseIn(other).leaseId }))).toMatchObject({
    code: 'LEASE_OF_OTHER_DEVICE',
    details: { deviceId: 'd1', leasedDeviceId: 'd2' },
  })
  expect(taps()).toBe(0)
})

describe('a request to reserve', () => {
  test('is refused by an execution in flight, and with a wait lets that end while nothing new begins', async () => {
    const { processOf, slow, finishers, pass } = world()
    slow()
    const [one, two] = [processOf(1), processOf(2)]
    const running = one.execute(pressHome())
    await settled()
    expect(errorIn(await reserve(two))).toMatchObject({
      code: DEVICE_CONFLICT,
      details: { holder: { pid: 1, executionId: expect.any(String) } },
    })
    const reserving = reserve(two, { waitMs: 10_000 })
    await pass(500)
    const later = one.execute({ ...pressHome(), waitMs: 60_000 })
    finishers.shift()?.()
    expect(codeOf(await running)).toBe('ok')
    const { leaseId } = leaseIn(await within(reserving, pass))
    await pass(2_000)
    expect(finishers).toHaveLength(0)
    leaseIn(await two.reservations.end(leaseId))
    await pass(1_500)
    finishers.shift()?.()
    expect(codeOf(await later)).toBe('ok')
  })

  test('is refused in the name of the lease that it stands behind, also while that executes', async () => {
    const { processOf, slow, finishers } = world()
    const [one, two] = [processOf(1), processOf(2)]
    const { leaseId } = leaseIn(await reserve(one))
    slow()
    const running = one.execute({ ...pressHome(), leaseId })
    await settled()
    expect(finishers).toHaveLength(1)
    expect(await reserve(two)).toMatchObject({ ok: false, error: { details: { holder: { leaseId } } } })
    finishers[0]?.()
    await running
  })

  test('that waits too long is refused, and the phone is as it was', async () => {
    const { processOf, slow, finishers, pass } = world()
    slow()
    const [one, two] = [processOf(1), processOf(2)]
    const running = one.execute(pressHome(60_000))
    await settled()
    expect(errorIn(await within(reserve(two, { waitMs: 2_000 }), pass)).code).toBe(DEVICE_CONFLICT)
    finishers.shift()?.()
    await running
    const next = one.execute(pressHome())
    await pass(100)
    finishers.shift()?.()
    expect(codeOf(await next)).toBe('ok')
  })

  test('waits for the end of another reservation, in the order in which they came, whichever process they are of', async () => {
    const { processOf, pass } = world()
    const processes = [processOf(1), processOf(2), processOf(3)] as const
    const [first] = processes
    const held = leaseIn(await reserve(first))
    const order: number[] = []
    const use = async (index: number) => {
      const process = processes[index] as Process
      const lease = leaseIn(await reserve(process, { waitMs: 60_000 }))
      order.push(index)
      await pass(300)
      leaseIn(await process.reservations.end(lease.leaseId))
    }
    const waiting: Promise<void>[] = []
    for (const index of [2, 0, 1]) {
      waiting.push(use(index))
      await pass(200)
    }
    leaseIn(await first.reservations.end(held.leaseId))
    await within(Promise.all(waiting), pass, 20_000)
    expect(order).toEqual([2, 0, 1])
  })

  test('of a process that died, or of a caller that left, keeps nobody waiting', async () => {
    const { processOf, pass, alive, journal } = world()
    const [one, two, three] = [processOf(1), processOf(2), processOf(3)]
    const held = leaseIn(await reserve(one))
    const leaving = new AbortController()
    void reserve(two, { waitMs: 60_000 }).catch(() => {})
    await pass(200)
    const left = reserve(one, { waitMs: 60_000, leave: leaving.signal })
    await pass(200)
    const patient = reserve(three, { waitMs: 60_000 })
    await pass(200)
    alive.delete(2)
    leaving.abort()
    expect(errorIn(await within(left, pass)).code).toBe('EXECUTION_CANCELLED')
    leaseIn(await one.reservations.end(held.leaseId))
    leaseIn(await within(patient, pass))
    expect(journal.actors({ machine: 'reservation', tag: 'waiting-to-reserve' })).toHaveLength(0)
  })
})

test('a request of the holder does not wait behind strangers, who get the phone when the reservation ends', async () => {
  const { processOf, slow, finishers, pass } = world()
  const [holder, stranger] = [processOf(1), processOf(2)]
  const { leaseId } = leaseIn(await reserve(holder))
  slow()
  const running = holder.execute({ ...pressHome(), leaseId })
  await settled()
  const strange = stranger.execute({ ...pressHome(), waitMs: 60_000 })
  await pass(300)
  const own = holder.execute({ ...pressHome(), leaseId, waitMs: 60_000 })
  await pass(300)
  finishers.shift()?.()
  expect(codeOf(await running)).toBe('ok')
  await pass(1_200)
  finishers.shift()?.()
  expect(codeOf(await own)).toBe('ok')
  await pass(7_000)
  expect(finishers).toHaveLength(0)
  leaseIn(await holder.reservations.end(leaseId))
  await pass(1_200)
  finishers.shift()?.()
  expect(codeOf(await strange)).toBe('ok')
})

test('a request of the holder that waits when the reservation ends is refused at once', async () => {
  const { processOf, slow, finishers, pass } = world()
  const holder = processOf(1)
  const { leaseId } = leaseIn(await reserve(holder))
  slow()
  const running = holder.execute({ ...pressHome(), leaseId })
  await settled()
  const waiting = holder.execute({ ...pressHome(), leaseId, waitMs: 60_000 })
  await pass(300)
  leaseIn(await holder.reservations.end(leaseId))
  finishers.shift()?.()
  expect(codeOf(await running)).toBe('ok')
  expect(codeOf(await within(waiting, pass))).toBe('LEASE_NOT_FOUND')
})

test('a caller whose wait is over hears which reservation it waited for', async () => {
  const { processOf, pass } = world()
  const [holder, stranger] = [processOf(1), processOf(2)]
  const { leaseId } = leaseIn(await reserve(holder))
  const error = errorIn(await within(stranger.execute({ ...pressHome(), waitMs: 2_000 }), pass))
  expect(error).toMatchObject({ code: DEVICE_CONFLICT, details: { holder: { pid: 1, leaseId } } })
  expect(error.message).toContain(`reserved by lease ${leaseId}`)
})

test('only so many requests wait to reserve a phone, over all processes, and one look serves those of a process', async () => {
  const { processOf, journal, pass } = world()
  const [holder, one, two] = [processOf(1), processOf(2), processOf(3)]
  const { leaseId } = leaseIn(await reserve(holder))
  const answers: LeaseAnswer[] = []
  const ask = async (process: Process) => void answers.push(await reserve(process, { waitMs: 600_000 }))
  const waitIn = (process: Process, count: number) => Array.from({ length: count }, () => ask(process))
  const waiting = [...waitIn(one, 30)]
  await pass(200)
  waiting.push(...waitIn(two, 30))
  await pass(1_000)
  waiting.push(...waitIn(one, 60))
  await pass(1_000)
  expect(answers).toHaveLength(70)
  for (const answer of answers.splice(0))
    expect(errorIn(answer)).toMatchObject({
      code: DEVICE_CONFLICT,
      message: '50 requests wait for device d1 already, which is the most.',
      details: { deviceId: 'd1', waiting: 50, dispatched: false },
    })
  const looks = vi.spyOn(journal, 'withTag')
  await pass(5_000)
  // Every half second, in each of the two processes.
  expect(looks.mock.calls.length).toBeLessThan(30)
  looks.mockRestore()
  leaseIn(await within(holder.reservations.end(leaseId), pass))
  await pass(1_000)
  expect(answers.map(answer => leaseIn(answer).deviceId)).toEqual(['d1'])
  await within(Promise.all([one, two].map(({ host }) => host.stop({ graceMs: 60_000 }))), pass)
  await within(Promise.all(waiting), pass)
  expect(new Set(answers.slice(1).map(answer => errorIn(answer).code))).toEqual(new Set(['EXECUTION_INTERRUPTED']))
})
