/** A wall clock that is set, as NTP and people do: no wait becomes longer or shorter by it. */
import { describe, expect, test } from 'vitest'
import type { DeviceEmitted } from '../../machines/device/device-setup.ts'
import { createEventTimes } from '../../src/runtime/clock.ts'
import { memoryJournal } from '../../src/runtime/journal/memory.ts'
import { shellOk } from '../support/device/fake-link.ts'
import { answerFor, deviceHost, heldOperator, request, target } from '../support/executions/device-host.ts'
import { deeds, phone, pressHome, svcProcess } from '../support/executions/executor-bench.ts'
import { manualClock } from '../support/manual-clock.ts'
import { settled } from '../support/settled.ts'

const HOUR_MS = 3_600_000
const TIMEOUT_MS = 30_000
const MOVES: [string, number][] = [
  ['an hour back', -HOUR_MS],
  ['an hour forward', HOUR_MS],
]

const setup = () => {
  const clock = manualClock(10 * HOUR_MS)
  const journal = memoryJournal({ alive: () => true, clock })
  const { held, operator } = heldOperator()
  const host = deviceHost({ journal, clock, operator })
  const start = () =>
    host.ask<DeviceEmitted>(
      target(),
      request('e1', clock, { timeoutMs: TIMEOUT_MS, answerUntil: clock.now() + TIMEOUT_MS + 5_000 }),
      { matches: answerFor('e1'), until: clock.now() + HOUR_MS },
    )
  const later = async (ms: number) => {
    clock.advance(ms)
    await settled()
  }
  return { clock, journal, held, host, start, later }
}

describe.each(MOVES)('a clock that is set %s', (_, by) => {
  test('after a cancel leaves the phone taken for what is left of its time, and no longer', async () => {
    const { clock, journal, held, host, start, later } = setup()
    const asked = start()
    await settled()
    await held[0]?.send({ type: 'execution.dispatched', executionId: 'e1', segment: 0 })
    await later(10_000)
    clock.set(by)
    await host.tell(target(), { type: 'execution.cancelled', executionId: 'e1' })
    expect(await asked).toMatchObject({ kind: 'answered' })
    await later(TIMEOUT_MS - 10_000 - 100)
    expect(journal.leases.list()).toHaveLength(1)
    await later(200)
    expect(journal.leases.list()).toEqual([])
  })

  test('before the dispatch does not change when an execution is given up that cannot be sent', async () => {
    const { clock, journal, start, later } = setup()
    const asked = start()
    await settled()
    clock.set(by)
    await later(9_900)
    expect(journal.receipt('e1')).toMatchObject({ state: 'accepted' })
    await later(200)
    expect(await asked).toMatchObject({ emitted: { result: { error: { code: 'DEVICE_LINK_LOST' } } } })
  })

  test('after the dispatch does not change when an execution without an answer is over', async () => {
    const { clock, journal, held, start, later } = setup()
    void start()
    await settled()
    clock.set(by)
    await held[0]?.send({ type: 'execution.dispatched', executionId: 'e1', segment: 0 })
    await later(TIMEOUT_MS)
    expect(journal.receipt('e1')).toMatchObject({ state: 'dispatched' })
    await later(5_000)
    await later(5_000)
    expect(journal.receipt('e1')).toMatchObject({ result: { error: { code: 'RESULT_ENVELOPE_TIMEOUT' } } })
    expect(journal.leases.list()).toEqual([])
  })

  test('while an execution is prepared does not take from its caller the bound that it named', async () => {
    const clock = manualClock(10 * HOUR_MS)
    const journal = memoryJournal({ alive: () => true, clock })
    let choose = () => {}
    const chosen = new Promise<string>(resolve => {
      choose = () => resolve('svc.shell')
    })
    const link = phone(clock, command => (command.startsWith('dumpsys power') ? undefined : shellOk()))
    const { execute } = svcProcess({
      journal,
      clock,
      link,
      parts: { operatorChoice: { choose: () => chosen, forget: () => {} } },
    })
    const request = { ...pressHome(1_000), operatorPackage: undefined, answerBy: clock.elapsed() + 6_000 }
    const running = execute(request)
    await settled()
    clock.set(by)
    clock.advance(5_500)
    choose()
    await settled()
    clock.advance(1_000)
    // Its caller has been told by then that it failed.
    expect((await running).result).toMatchObject({ ok: false, error: { details: { dispatched: false } } })
    expect(deeds(link)).toEqual([])
  })
})

test('an event of an earlier process counts from now: a wait is rather too long than too short', () => {
  const clock = manualClock(10 * HOUR_MS)
  const before = createEventTimes(clock)
  const at = before.stamp()
  clock.advance(1_000)
  expect(before.spentMs(at)).toBe(1_000)
  expect(createEventTimes(clock).spentMs(at)).toBe(0)
})
