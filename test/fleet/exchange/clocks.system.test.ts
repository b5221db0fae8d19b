/** Hosts whose clocks differ: how much time is left counts, and not what the clocks on their walls say. */
import { expect, onTestFinished, test } from 'vitest'
import { createExchange } from '../../../src/fleet/exchange/exchange.ts'
import { frame, toHostIn } from '../../../src/fleet/exchange/messages.ts'
import { refusalOf } from '../../../src/fleet/refusals.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import { createBus, randomOf } from './bus.ts'
import { alive, hostOn, ok, requestOf, said } from './hosts.ts'
import { clock, names } from './server.ts'

const HOUR_MS = 60 * 60_000

const wrongBy = (ms: number): Clock => ({
  ...clock,
  now: () => clock.now() + ms,
  at: (at, call, options) => clock.at(at - ms, call, options),
})

const pair = (aheadMs: number) => {
  const bus = createBus(randomOf(1))
  const handled: string[] = []
  const asker = hostOn(bus.wire(), 'a')
  const host = createExchange({ connection: {} as never, wire: bus.wire(), names, self: 'b', clock: wrongBy(aheadMs) })
  const served = host.serve('i1', async ({ id }) => {
    handled.push(id)
    return ok()
  })
  onTestFinished(async () => {
    asker.close()
    await served.close()
    host.close()
  })
  return { bus, asker, handled }
}

test.each([
  ['a minute ahead', 60_000],
  ['a day ahead', 24 * HOUR_MS],
  ['a minute behind', -60_000],
  ['a day behind', -24 * HOUR_MS],
])('a host that is %s answers, and handles a request once', async (_name, aheadMs) => {
  const { asker, handled, bus } = pair(aheadMs)
  bus.weather = { lost: 0, twice: 1, upToMs: 5 }
  const request = requestOf()
  expect(said(await asker.ask('b', request, alive))).toBe('done')
  expect(handled).toEqual([request.id])
})

test('a request that its asker has given up is not taken by such a host', async () => {
  const { asker, handled, bus } = pair(HOUR_MS)
  const withheld: (() => void)[] = []
  const sender = bus.wire()
  bus.onPublish = (subject, payload, reply) => {
    const message = toHostIn(payload)
    if (message?.head.kind !== 'ask' || withheld.length > 0) return true
    withheld.push(() => void sender.publish(subject, payload, reply))
    return false
  }
  const leaving = new AbortController()
  const asked = asker.ask('b', requestOf({ withinMs: 200 }), { ...alive, signal: leaving.signal })
  expect((await asked).kind).not.toBe('done')
  bus.onPublish = () => true
  for (const send of withheld) send()
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(handled).toEqual([])
})

test('a host of an earlier version that refuses what is late is said to have another time', async () => {
  const bus = createBus(randomOf(1))
  const asker = hostOn(bus.wire(), 'a')
  onTestFinished(() => asker.close())
  const wire = bus.wire()
  wire.subscribe(names.request('b', '*'), ({ reply = '' }) => {
    wire.publish(reply, frame({ kind: 'refused', why: 'late', instance: 'i1' }))
  })
  const asked = await asker.ask('b', requestOf(), alive)
  expect(asked).toEqual({ kind: 'not sent', reason: 'late' })
  if (asked.kind !== 'not sent') return
  const error = await refusalOf(asked, {
    host: 'b',
    executionId: 'e',
    isDispatched: false,
    mirrored: async () => undefined,
  })
  expect(error).toMatchObject({
    code: 'FLEET_HOST_GONE',
    message: expect.stringContaining('clock'),
    details: { dispatched: false },
  })
})
