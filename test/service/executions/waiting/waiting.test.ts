/** Waiting for a phone: first come first served over all processes of a home, and nothing acts for those that left. */

import { describe, expect, test } from 'vitest'
import { CATALOGUE } from '../../../../machines/catalogue.ts'
import { queueOf } from '../../../../machines/device/device-queue.ts'
import { WAITING_MAX } from '../../../../src/contracts/limits/limits.ts'
import { foldActor } from '../../../../src/runtime/fold.ts'
import { memoryJournal } from '../../../../src/runtime/journal/memory.ts'
import type { Executed } from '../../../../src/service/executions/order.ts'
import { shellOk } from '../../../support/device/fake-link.ts'
import { phone, pressHome, svcProcess } from '../../../support/executions/executor-bench.ts'
import { DEVICE_CONFLICT } from '../../../support/failure-codes.ts'
import { manualClock } from '../../../support/manual-clock.ts'
import { settled } from '../../../support/settled.ts'

/** Processes before one phone, whose deeds end when they are told to. */
const world = () => {
  const clock = manualClock()
  const alive = new Set([1, 2, 3, 4])
  const journal = memoryJournal({ alive: ({ pid }) => alive.has(pid), clock })
  const finishers: (() => void)[] = []
  const link = phone(clock, command =>
    command.includes('HOME') ? new Promise(resolve => finishers.push(() => resolve(shellOk()))) : undefined,
  )
  const mayLive = ({ pid }: { pid: number }) => alive.has(pid)
  const processOf = (pid: number) => svcProcess({ journal, clock, link, pid, mayLive })
  const states = (): string[] =>
    journal
      .receipts({ limit: 100 })
      .map(({ state }) => state)
      .reverse()
  const pass = async (ms: number) => {
    for (let spent = 0; spent < ms; spent += 100) {
      clock.advance(100)
      await settled()
    }
  }
  const order = () =>
    journal
      .records({ actor: 'device:d1' })
      .flatMap(({ event, to }) => (event.type === 'execution.requested' && to !== 'idle' ? [event.executionId] : []))
  const queue = () => queueOf(foldActor(CATALOGUE.device, journal, 'device:d1').snapshot).map(one => one.executionId)
  return { clock, journal, alive, finishers, processOf, states, pass, order, queue }
}

const codeOf = ({ result }: Executed) => (result.ok ? 'ok' : result.error.code)

describe('a request that may wait', () => {
  test('runs when the phone is free, in its own process and in others, in the order in which they came', async () => {
    const { processOf, finishers, pass, states, order, queue } = world()
    const [one, two, three] = [processOf(1), processOf(2), processOf(3)]
    const first = one.execute(pressHome())
    await settled()
    const waiting = [two, one, three].map(async process => {
      const executed = process.execute({ ...pressHome(), waitMs: 60_000 })
      return executed
    })
    await settled()
    await pass(200)
    expect(states()).toEqual(['dispatched', 'waiting', 'waiting', 'waiting'])
    const places = queue()
    for (let turn = 0; turn < 4; turn += 1) {
      finishers.shift()?.()
      await settled()
      await pass(300)
    }
    expect((await Promise.all([first, ...waiting])).map(codeOf)).toEqual(['ok', 'ok', 'ok', 'ok'])
    expect(order().slice(1)).toEqual(places)
    expect(queue()).toEqual([])
    expect(states()).toEqual(['settled', 'settled', 'settled', 'settled'])
  })

  test('is accepted at once by a phone that is free', async () => {
    const { processOf, finishers, pass, journal } = world()
    const executed = processOf(1).execute({ ...pressHome(), waitMs: 60_000 })
    await pass(100)
    finishers.shift()?.()
    await pass(100)
    expect(codeOf(await executed)).toBe('ok')
    expect(journal.records({ actor: 'device:d1' }).map(({ event }) => event.type)).not.toContain('execution.queued')
  })

  test('is told how long it waited, and behind whom, when its time is over', async () => {
    const { processOf, finishers, pass, journal, queue } = world()
    const first = processOf(1).execute(pressHome())
    await settled()
    const waiting = processOf(2).execute({ ...pressHome(), waitMs: 1_000 })
    await pass(1_500)
    const executed = await waiting
    expect(executed.executionId, 'it was never accepted').toBeUndefined()
    expect(executed.result).toMatchObject({
      error: { code: DEVICE_CONFLICT, details: { waitedMs: 1_000, holder: { commandId: 'c1' } } },
    })
    expect(journal.receipts()[0]).toMatchObject({ state: 'settled', accepted: false, waitedMs: 1_000 })
    expect(queue()).toEqual([])
    finishers.shift()?.()
    await pass(100)
    expect(codeOf(await first)).toBe('ok')
  })

  test.each(['cancel', 'leave'] as const)('leaves the queue by the signal %s, and nothing acts', async name => {
    const { processOf, finishers, pass, journal, queue } = world()
    const first = processOf(1).execute(pressHome())
    await settled()
    const gone = new AbortController()
    const waiting = processOf(2).execute({ ...pressHome(), waitMs: 60_000, [name]: gone.signal })
    await pass(200)
    gone.abort()
    await settled()
    expect(codeOf(await waiting)).toBe('EXECUTION_CANCELLED')
    expect(queue()).toEqual([])
    finishers.shift()?.()
    await pass(2_000)
    expect(codeOf(await first)).toBe('ok')
    expect(finishers).toEqual([])
    expect(journal.receipts()[0]).toMatchObject({ state: 'settled', accepted: false })
  })

  test('is cancelled by its id from another process', async () => {
    const { processOf, pass, journal, states } = world()
    void processOf(1).execute(pressHome())
    await settled()
    const waiting = processOf(2).execute({ ...pressHome(), waitMs: 60_000 })
    await pass(200)
    const executionId = journal.receipts()[0]?.executionId ?? ''
    expect((await processOf(3).executions.cancel(executionId)).kind).toBe('cancelled')
    await settled()
    expect(codeOf(await waiting)).toBe('EXECUTION_CANCELLED')
    expect(states()).toEqual(['dispatched', 'settled'])
  })

  test('leaves with its process: the others go on, and its receipt says that nothing acted', async () => {
    const { processOf, alive, finishers, pass, journal, order } = world()
    const first = processOf(1).execute(pressHome())
    await settled()
    void processOf(2).execute({ ...pressHome(), waitMs: 60_000 })
    await pass(200)
    const ghost = journal.receipts()[0]?.executionId ?? ''
    const [, links] = [alive.delete(2), processOf(3)]
    const waiting = links.execute({ ...pressHome(), waitMs: 60_000 })
    await pass(200)
    expect(await links.executions.receipt(ghost)).toMatchObject({
      state: 'settled',
      accepted: false,
      result: { error: { code: 'EXECUTION_INTERRUPTED', details: { dispatched: false } } },
    })
    finishers.shift()?.()
    await pass(200)
    finishers.shift()?.()
    await pass(200)
    expect([codeOf(await first), codeOf(await waiting)]).toEqual(['ok', 'ok'])
    expect(order()).not.toContain(ghost)
  })

  test('goes on when the owner of the phone dies', async () => {
    const { processOf, alive, finishers, pass } = world()
    void processOf(1).execute(pressHome())
    await settled()
    const waiting = processOf(2).execute({ ...pressHome(), waitMs: 60_000 })
    await pass(200)
    alive.delete(1)
    await pass(2_000)
    for (const finish of finishers.splice(0)) finish()
    await pass(200)
    expect(codeOf(await waiting)).toBe('ok')
  })

  test('is refused at once when too many wait already', async () => {
    const { processOf, pass, queue } = world()
    void processOf(1).execute(pressHome())
    await settled()
    const two = processOf(2)
    for (let index = 0; index < WAITING_MAX; index += 1) void two.execute({ ...pressHome(), waitMs: 60_000 })
    await pass(300)
    expect(queue()).toHaveLength(WAITING_MAX)
    const executed = await processOf(3).execute({ ...pressHome(), waitMs: 60_000 })
    expect(executed.result).toMatchObject({ error: { details: { waiting: WAITING_MAX } } })
  })
})

describe('a request that does not wait', () => {
  test('is refused while others wait, also in the moment when the phone is free', async () => {
    const { processOf, alive, pass, finishers } = world()
    void processOf(1).execute(pressHome())
    await settled()
    void processOf(2).execute({ ...pressHome(), waitMs: 60_000 })
    await pass(200)
    finishers.shift()?.()
    const refused = await processOf(3).execute(pressHome())
    expect(codeOf(refused)).toBe(DEVICE_CONFLICT)
    alive.delete(2)
    await pass(1_000)
  })

  test('takes a phone for which only the dead wait', async () => {
    const { processOf, alive, pass, finishers, queue } = world()
    const first = processOf(1).execute(pressHome())
    await settled()
    void processOf(2).execute({ ...pressHome(), waitMs: 60_000 })
    await pass(200)
    alive.delete(2)
    // Its process cannot act any more; the simulated one is kept from it by the queue alone.
    const three = processOf(3)
    expect(queue()).toHaveLength(1)
    await three.executions.receipts({})
    finishers.shift()?.()
    await pass(100)
    expect(codeOf(await first)).toBe('ok')
  })
})
