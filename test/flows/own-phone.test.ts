import { expect, test } from 'vitest'
import { withOwnPhone } from '../../src/flows/own-phone.ts'
import { systemClock } from '../../src/runtime/clock.ts'

const clock = systemClock()
const never = new AbortController().signal

/** Another process has the phone for so many looks. */
const deps = (heldFor = 0) => {
  const notes: string[] = []
  let held = heldFor
  const whileOwned = async (_key: string, _note: unknown, work: () => Promise<void>) => {
    if (held-- > 0) return false
    await work()
    return true
  }
  return {
    notes,
    clock,
    phonesInUse: new Set<string>(),
    note: (text: string) => void notes.push(text),
    host: { whileOwned },
  }
}

const asked = (deviceId = 'd1', isWanted = () => true) => ({
  ...{ deviceId, isWanted, signal: never },
  isReserved: async () => deviceId === 'reserved',
})

test('one attempt after the other has the phone, and other phones are not waited for', async () => {
  const own = deps() as never
  const order: string[] = []
  const work = (name: string, ms: number) => async () => {
    order.push(`${name} begins`)
    await new Promise(resolve => clock.at(clock.now() + ms, () => resolve(undefined)))
    order.push(`${name} ends`)
    return name
  }
  const done = await Promise.all([
    withOwnPhone(own, asked(), work('first', 50)),
    withOwnPhone(own, asked(), work('second', 1)),
    withOwnPhone(own, asked('d2'), work('elsewhere', 1)),
  ])
  expect(done).toEqual(['first', 'second', 'elsewhere'])
  expect(order.indexOf('first ends')).toBeLessThan(order.indexOf('second begins'))
  expect(order.indexOf('elsewhere begins')).toBeLessThan(order.indexOf('first ends'))
})

test('a phone that another process has is waited for, and said once', async () => {
  const own = deps(2)
  expect(await withOwnPhone(own as never, asked(), async () => 'done')).toBe('done')
  expect(own.notes).toEqual(['d1 runs a flow of another run: waiting for its end'])
})

test('an attempt that nobody wants any more is not begun', async () => {
  const own = deps(1_000)
  let looks = 0
  expect(
    await withOwnPhone(
      own as never,
      asked('d1', () => ++looks < 2),
      async () => 'done',
    ),
  ).toBeUndefined()
})

test('the phone is free again after work that failed', async () => {
  const own = deps() as never
  await expect(withOwnPhone(own, asked(), () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await withOwnPhone(own, asked(), async () => 'done')).toBe('done')
})

test('a phone that another caller has reserved is passed over', async () => {
  expect(await withOwnPhone(deps() as never, asked('reserved'), async () => 'done')).toBe('reserved')
})
