/** Ownership first: nothing changes a phone before it is owned, and nothing is sent after the caller was told it failed. */

import { describe, expect, test } from 'vitest'
import { LinkError } from '../../../src/device/link/link.ts'
import { memoryJournal } from '../../../src/runtime/journal/memory.ts'
import { shellOk } from '../../support/device/fake-link.ts'
import { deeds, phone, pressHome, svcProcess } from '../../support/executions/executor-bench.ts'
import { DEVICE_CONFLICT } from '../../support/failure-codes.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { settled } from '../../support/settled.ts'

const setup = () => {
  const clock = manualClock()
  return { clock, journal: memoryJournal({ alive: () => true, clock }) }
}
const WAKE = 'shell input keyevent KEYCODE_WAKEUP; wm dismiss-keyguard'

describe('a phone that is asleep', () => {
  test('is woken by its owner, after the execution is on record', async () => {
    const { clock, journal } = setup()
    const seen: unknown[] = []
    const link = phone(
      clock,
      command => {
        if (command.includes('WAKEUP')) seen.push([journal.leases.list().length, journal.receipts()[0]?.state])
        return undefined
      },
      'Asleep',
    )
    const { result } = await svcProcess({ journal, clock, link }).execute(pressHome())
    expect(result.ok).toBe(true)
    expect(seen).toEqual([[1, 'accepted']])
    expect(deeds(link)).toEqual([WAKE, 'shell input keyevent KEYCODE_HOME'])
  })

  test('is not touched by a process that does not get it', async () => {
    const { clock, journal } = setup()
    let finish = () => {}
    const busy = new Promise<void>(resolve => {
      finish = resolve
    })
    const mine = phone(clock, command => (command.includes('HOME') ? busy.then(() => shellOk()) : undefined))
    const first = svcProcess({ journal, clock, link: mine }).execute(pressHome())
    await settled()
    const theirs = phone(clock, undefined, 'Asleep')
    const refused = await svcProcess({ journal, clock, link: theirs, pid: 2 }).execute(pressHome())
    expect(refused.result).toMatchObject({ ok: false, error: { code: DEVICE_CONFLICT } })
    expect(deeds(theirs)).toEqual([])
    finish()
    expect((await first).result.ok).toBe(true)
    expect(deeds(mine)).toEqual(['shell input keyevent KEYCODE_HOME'])
  })

  test('that stays asleep is a refusal on record, without a dispatch', async () => {
    const { clock, journal } = setup()
    const stubborn = phone(clock, command => shellOk(command.startsWith('dumpsys power') ? 'mWakefulness=Asleep' : ''))
    const running = svcProcess({ journal, clock, link: stubborn }).execute(pressHome())
    for (let turn = 0; turn < 20; turn++) {
      await settled()
      clock.advance(100)
    }
    const { executionId, result } = await running
    expect(result).toMatchObject({
      error: { code: 'DEVICE_NOT_INTERACTIVE', details: { executionId, dispatched: false } },
    })
    const receipt = journal.receipt(executionId ?? '')
    expect(receipt).toMatchObject({ state: 'settled' })
    expect(receipt?.dispatchedAt).toBeUndefined()
    expect(journal.leases.list()).toEqual([])
  })
})

describe('a caller with a bound of its own', () => {
  test('is refused in time when the phone cannot be reached, and nothing is recorded or sent', async () => {
    const { clock, journal } = setup()
    const link = phone(clock)
    const get: () => Promise<never> = () => new Promise(() => {})
    const slow = {
      current: () => undefined,
      probe: async () => undefined,
      // As a slow adb server: the call ends with its own deadline.
      list: ({ deadline }: { deadline: number }) =>
        new Promise<never>((_, reject) => {
          clock.at(deadline, () => reject(new LinkError('LINK_TIMEOUT', 'the listing took too long')))
        }),
      get,
    }
    const answerBy = clock.elapsed() + 6_000
    const running = svcProcess({ journal, clock, link, links: slow }).execute({ ...pressHome(1_000), answerBy })
    for (let turn = 0; turn < 60; turn++) {
      await settled()
      clock.advance(100)
      if (clock.elapsed() >= answerBy - 1_000) break
    }
    await settled()
    expect((await running).result).toMatchObject({ ok: false, error: { code: 'DEVICE_SHELL_UNAVAILABLE' } })
    expect(clock.elapsed()).toBeLessThanOrEqual(answerBy)
    expect([journal.head(), deeds(link)]).toEqual([0, []])
  })

  test('gets no late tap: a screen that takes too long to wake ends the execution before it is sent', async () => {
    const { clock, journal } = setup()
    const slowly = (command: string) =>
      command.startsWith('dumpsys')
        ? new Promise<ReturnType<typeof shellOk>>(resolve => {
            clock.at(clock.now() + 7_000, () => resolve(shellOk('mWakefulness=Awake')))
          })
        : shellOk()
    const link = phone(clock, slowly)
    const answerBy = clock.elapsed() + 6_000
    const running = svcProcess({ journal, clock, link }).execute({ ...pressHome(1_000), answerBy })
    for (let turn = 0; turn < 59; turn++) {
      await settled()
      clock.advance(100)
    }
    const { result } = await running
    expect(result).toMatchObject({ ok: false, error: { details: { dispatched: false } } })
    for (let turn = 0; turn < 100; turn++) {
      await settled()
      clock.advance(100)
    }
    expect(deeds(link)).toEqual([])
  })
})
