import { describe, expect, test } from 'vitest'
import { failure } from '../../../src/contracts/failures/failures.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { withOwnPhone } from '../../../src/service/flows/claim-phone.ts'
import type { PhonePool, Phones } from '../../../src/service/flows/phones.ts'
import { DEVICE_CONFLICT } from '../../support/failure-codes.ts'

const clock = systemClock()
const never = new AbortController().signal

type Reserve = PhonePool['reserve']

const conflict = (holder: object) => ({
  ok: false as const,
  error: failure(DEVICE_CONFLICT, 'busy', { details: { holder } }),
})
const OTHER_FLOW = conflict({ leaseId: 'l1', expiresAt: 9, flowRunId: 'r.1.1' })
const SOMEBODY = conflict({ leaseId: 'l2', expiresAt: 9 })
const IN_LINE = conflict({ leaseId: 'l3' })

/** The phone answers requests to reserve it in this order; then it is free. */
const deps = (answers: Awaited<ReturnType<Reserve>>[] = [], heldFor = 0) => {
  const notes: string[] = []
  const waits: number[] = []
  const left = [...answers]
  let held = heldFor
  let released = 0
  const under = { name: 'under the reservation' } as unknown as Phones
  const reserve: Reserve = async ({ waitMs }) => {
    waits.push(waitMs)
    return (
      left.shift() ?? {
        ok: true,
        phones: under,
        extend: async () => {},
        release: async () => {
          released += 1
          return true
        },
      }
    )
  }
  const whileOwned = async (_key: string, _note: unknown, work: () => Promise<void>) => {
    if (held-- > 0) return false
    await work()
    return true
  }
  const list = async () => [
    { deviceId: 'd1', serial: 'd1', phone: 'P', state: 'free' as const },
    { deviceId: 'd1-wifi', serial: 'd1-wifi', phone: 'P', state: 'free' as const },
  ]
  return {
    ...{ notes, waits, under, clock, phonesInUse: new Set<string>(), host: { whileOwned } },
    phones: { reserve, list },
    note: (text: string) => void notes.push(text),
    released: () => released,
  }
}

const wanted = (more: { deviceId?: string; leaseId?: string; signal?: AbortSignal } = {}) => ({
  ...{ deviceId: 'd1', flowRunId: 'r.1.1', leaseId: undefined, signal: never },
  ...more,
})

const done = async () => 'done'

describe('an attempt reserves its phone', () => {
  test('and gives it back, whether its work ends or fails', async () => {
    const own = deps()
    const seen: Phones[] = []
    const work = async (phones: Phones) => void seen.push(phones)
    await withOwnPhone(own as never, wanted(), work)
    await expect(withOwnPhone(own as never, wanted(), () => Promise.reject(new Error('broken')))).rejects.toThrow()
    expect(seen).toEqual([own.under])
    expect(own.released()).toBe(2)
  })

  test('behind another flow, an execution, and those who came before; it is said once', async () => {
    const own = deps([OTHER_FLOW, conflict({ executionId: 'e' }), IN_LINE])
    expect(await withOwnPhone(own as never, wanted(), done)).toBe('done')
    expect(own.notes).toEqual(['d1 runs another flow: waiting for the end of that'])
    expect(own.waits).toEqual([0, 5_000, 5_000, 5_000])
  })

  test('and passes over one that another caller has reserved', async () => {
    const own = deps([OTHER_FLOW, SOMEBODY])
    expect(await withOwnPhone(own as never, wanted(), done)).toBe('reserved')
    expect(own.notes.at(-1)).toBe('busy: its flow waits for another phone')
  })

  test('and begins without asking anything of one that is gone', async () => {
    const error = failure('DEVICE_OFFLINE', 'it is offline')
    const work = (phones: Phones) => phones.perform({} as never)
    const answer = await withOwnPhone(deps([{ ok: false, error }]) as never, wanted(), work)
    expect(answer).toEqual({ kind: 'unperformed', error })
  })

  test('unless nobody wants it any more', async () => {
    const cancel = new AbortController()
    const own = deps(Array(9).fill(OTHER_FLOW))
    setTimeout(() => cancel.abort(), 20)
    expect(await withOwnPhone(own as never, wanted({ signal: cancel.signal }), done)).toBeUndefined()
  })
})

describe('in the reservation of the caller', () => {
  test('an attempt waits until its phone has told which it is', async () => {
    const own = deps()
    const listings = [
      { deviceId: 'd1-wifi', serial: 'd1-wifi', phone: 'd1-wifi', state: 'unidentified' as const },
      { deviceId: 'd1-wifi', serial: 'd1-wifi', phone: 'P', state: 'free' as const },
    ]
    const list = async () => [listings.length > 1 ? listings.shift() : listings[0]]
    own.phonesInUse.add('P')
    const work = async () => own.phonesInUse.size
    const waiting = withOwnPhone(
      { ...own, phones: { ...own.phones, list } } as never,
      wanted({ leaseId: 'mine', deviceId: 'd1-wifi' }),
      work,
    )
    await expect
      .poll(() => own.notes, { timeout: 10_000 })
      .toEqual(['d1-wifi runs another flow: waiting for the end of that'])
    own.phonesInUse.delete('P')
    expect(await waiting).toBe(1)
  })

  test('one attempt after the other has the phone, by whichever serial', async () => {
    const own = deps() as never
    const order: string[] = []
    const work = (name: string, ms: number) => async () => {
      order.push(`${name} begins`)
      await new Promise(resolve => clock.at(clock.now() + ms, () => resolve(undefined)))
      order.push(`${name} ends`)
      return name
    }
    const ended = await Promise.all([
      withOwnPhone(own, wanted({ leaseId: 'mine' }), work('first', 50)),
      withOwnPhone(own, wanted({ leaseId: 'mine', deviceId: 'd1-wifi' }), work('second', 1)),
      withOwnPhone(own, wanted({ leaseId: 'mine', deviceId: 'd2' }), work('elsewhere', 1)),
    ])
    expect(ended).toEqual(['first', 'second', 'elsewhere'])
    expect(order.indexOf('first ends')).toBeLessThan(order.indexOf('second begins'))
    expect(order.indexOf('elsewhere begins')).toBeLessThan(order.indexOf('first ends'))
  })

  test('a phone that another process has is waited for, and said once', async () => {
    const own = deps([], 2)
    expect(await withOwnPhone(own as never, wanted({ leaseId: 'mine' }), done)).toBe('done')
    expect(own.notes).toEqual(['d1 runs another flow: waiting for the end of that'])
  })
})
