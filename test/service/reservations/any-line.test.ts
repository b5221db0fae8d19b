/** Who waits for any phone: served in the order in which they came, also where somebody asks just when a phone becomes free. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createAnyLine } from '../../../src/service/reservations/any-line.ts'
import { startLab } from '../../support/executions/lab.ts'
import { manualClock } from '../../support/manual-clock.ts'

const bench = () => {
  const clock = manualClock()
  let stop: () => Promise<unknown> = async () => {}
  const host = {
    onStop(listener: () => Promise<unknown>) {
      stop = listener
      return () => {}
    },
  }
  const line = createAnyLine({ clock, host })
  let free = 0
  const order: string[] = []
  const ask = (name: string, waitMs: number, leave = new AbortController().signal) =>
    line.wait({
      waitMs,
      leave,
      async take() {
        await Promise.resolve()
        if (free === 0) return 'refused' as string
        free -= 1
        order.push(name)
        return 'taken'
      },
      isFinal: answer => answer === 'taken',
      interrupted: () => 'interrupted',
    })
  const later = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 100) {
      clock.advance(100)
      await new Promise(resolve => setImmediate(resolve))
    }
  }
  const frees = (count: number) => {
    free += count
  }
  return { ask, order, later, line, frees, stop: () => stop() }
}

test('the first that came is served first, whichever looks first', async () => {
  const { ask, order, later, frees } = bench()
  const names = ['a', 'b', 'c', 'd']
  const waiting = names.map(name => ask(name, 60_000))
  await later(700)
  frees(1)
  // It comes when the phone is free already, and before any of those that wait has looked again.
  const newcomer = ask('e', 0)
  expect(await newcomer).toBe('refused')
  expect(order).toEqual(['a'])
  frees(3)
  await later(2_000)
  expect(await Promise.all(waiting)).toEqual(Array(4).fill('taken'))
  expect(order).toEqual(names)
})

test('no phone is taken for one who is refused, whatever comes together', async () => {
  const { ask, order, later, frees } = bench()
  const random = fc.sample(fc.integer({ min: 0, max: 5 }), { numRuns: 3_000, seed: 7 }).values()
  const next = () => random.next().value ?? 0
  const answers: [string, Promise<string>][] = []
  for (let round = 0; round < 300; round++) {
    for (let count = next(); count > 0; count--) {
      const name = `${round}-${count}`
      answers.push([name, ask(name, next() * 100)])
    }
    if (next() === 0) frees(1)
    await later(next() * 100)
  }
  await later(1_000)
  const taken: string[] = []
  for (const [name, answer] of answers) if ((await answer) === 'taken') taken.push(name)
  expect(taken.length).toBeGreaterThan(20)
  expect([...order].sort()).toEqual(taken.sort())
})

test('the first is served at once when a phone is given back, and told when the process ends', async () => {
  const { ask, later, frees, line, stop } = bench()
  const [first, second] = [ask('a', 60_000), ask('b', 60_000)]
  await later(100)
  frees(1)
  line.lookNow()
  await later(0)
  expect(await first).toBe('taken')
  await stop()
  expect(await second).toBe('interrupted')
})

test('one whose time is over, or whose caller has left, makes room for the next', async () => {
  const { ask, order, later, frees } = bench()
  const left = new AbortController()
  const [first, second, third] = [ask('a', 300), ask('b', 60_000, left.signal), ask('c', 60_000)]
  await later(400)
  expect(await first).toBe('refused')
  left.abort()
  expect(await second).toBe('refused')
  frees(1)
  await later(1_000)
  expect([await third, order]).toEqual(['taken', ['c']])
})

test('is full with as many as may wait for one phone', async () => {
  const { ask, line, later } = bench()
  const waiting = Array.from({ length: 50 }, (_, index) => ask(String(index), 200))
  expect(line.isFull()).toBe(true)
  await later(1_000)
  await Promise.all(waiting)
  expect(line.isFull()).toBe(false)
})

test('callers of the service that wait for any phone have it one after the other', async () => {
  const lab = await startLab({ count: 1 })
  try {
    const service = await lab.services.service()
    const call = { context: { caller: 'http' as const } }
    const order: string[] = []
    const have = async (name: string) => {
      const made = await service['leases.create']({ device: 'any', forMs: 60_000, waitMs: 30_000 }, call)
      if (!made.ok) throw new Error(made.error.message)
      order.push(name)
      await service['leases.end']({ leaseId: made.value.lease.leaseId }, call)
    }
    const names = ['a', 'b', 'c', 'd', 'e']
    await Promise.all(names.map(have))
    expect(order).toEqual(names)
  } finally {
    await lab.close()
  }
})
