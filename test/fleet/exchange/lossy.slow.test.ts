/** Requests over messages that get lost, come twice and overtake each other. */
import { describe, expect, test } from 'vitest'
import { toAskerIn, toHostIn } from '../../../src/fleet/exchange/messages.ts'
import type { Exchanged } from '../../../src/fleet/exchange/request.ts'
import { wait } from '../../support/until.ts'
import { CALM, createBus, randomOf } from './bus.ts'
import { alive, bytesOf, hostOn, ok, requestOf, said } from './hosts.ts'
import { clock } from './server.ts'

const MIB = 1_024 * 1_024

const twoHosts = (bus = createBus(randomOf(1))) => {
  const [near, far] = [bus.wire(), bus.wire()]
  return { bus, near, far, a: hostOn(near, 'a'), b: hostOn(far, 'b') }
}

/** Loses the first so many messages of a kind. */
const losing = (kinds: Record<string, number>) => (_: string, payload: Uint8Array) => {
  const kind = (toHostIn(payload) ?? toAskerIn(payload))?.head.kind ?? ''
  const left = kinds[kind] ?? 0
  kinds[kind] = left - 1
  return left <= 0
}

describe.concurrent('a message that is lost', () => {
  test.each(['ask', 'taken', 'answer', 'done'])('twice (%s) costs time, and nothing else', async kind => {
    const { bus, a, b } = twoHosts()
    bus.onPublish = losing({ [kind]: 2 })
    let handled = 0
    b.serve('i1', async () => ok(String(++handled)))
    expect(said(await a.ask('b', requestOf(), alive))).toBe('1')
    expect(handled).toBe(1)
  })

  test('of a long answer is asked for again', async () => {
    const { bus, a, b } = twoHosts()
    bus.onPublish = losing({ part: 3, fetch: 2, answer: 1 })
    const body = bytesOf(5 * MIB + 3)
    b.serve('i1', async () => ok(body))
    const exchanged = await a.ask('b', requestOf(), alive)
    expect(exchanged.kind === 'done' && body.equals(exchanged.answer.body)).toBe(true)
  })
})

test.concurrent('an ask whose confirmations are all lost is lost, and its request was handled once', async () => {
  const { bus, a, b } = twoHosts()
  bus.onPublish = losing({ taken: 99, answer: 99 })
  let handled = 0
  b.serve('i1', async () => ok(String(++handled)))
  expect(await a.ask('b', requestOf({ withinMs: 1_500 }), alive)).toEqual({ kind: 'unknown', accepted: false })
  expect(handled).toBe(1)
})

test.concurrent('the same id asked for again later gets the answer of the first time', async () => {
  const { bus, a, b } = twoHosts()
  bus.onPublish = losing({ taken: 99, answer: 99 })
  let handled = 0
  b.serve('i1', async () => ok(String(++handled)))
  const request = requestOf({ withinMs: 700 })
  expect((await a.ask('b', request, alive)).kind).toBe('unknown')
  bus.onPublish = () => true
  expect(said(await a.ask('b', request, alive))).toBe('1')
  expect(handled).toBe(1)
})

test.concurrent('a link that comes back in the middle of a long answer goes on with it', async () => {
  const { near, a, b } = twoHosts(createBus(randomOf(1), { ...CALM, upToMs: 20 }))
  const body = bytesOf(8 * MIB)
  b.serve('i1', async () => ok(body))
  const asked = a.ask('b', requestOf(), alive)
  await wait(40)
  near.cut()
  await wait(500)
  near.heal()
  const exchanged = await asked
  expect(exchanged.kind === 'done' && body.equals(exchanged.answer.body)).toBe(true)
})

test.concurrent('without a link nothing is sent, and so the request is absent', async () => {
  const { near, a, b } = twoHosts()
  let handled = 0
  b.serve('i1', async () => ok(String(++handled)))
  near.cut()
  expect(await a.ask('b', requestOf(), alive)).toEqual({ kind: 'not sent', reason: 'absent' })
  near.heal()
  await wait(50)
  expect(handled).toBe(0)
})

test.concurrent('whatever is lost: nothing is handled twice, no ask outlives its time, and none says what is not true', {
  timeout: 120_000,
}, async () => {
  const within = 6_000
  const rounds = [1, 2, 3, 4, 5, 6].map(async seed => {
    const random = randomOf(seed)
    const bus = createBus(random, { lost: 0.1 * (seed - 1), twice: 0.2, upToMs: 60 })
    const { near, far, a, b } = twoHosts(bus)
    const handled = new Map<string, number>()
    const bodies = new Map<string, Buffer>()
    const handle = async ({ id }: { id: string }) => {
      handled.set(id, (handled.get(id) ?? 0) + 1)
      await wait(random() * 800)
      const body = bytesOf(random() < 0.3 ? Math.floor(random() * 2 * MIB) : 20, seed)
      bodies.set(id, body)
      return ok(body)
    }
    const served = b.serve('i1', handle)
    let isOver = false
    const cuts = async () => {
      while (!isOver) {
        await wait(300 + random() * 1_500)
        const [wire, silent] = [random() < 0.5 ? near : far, random() < 0.5]
        wire.cut(silent)
        await wait(random() * 900)
        wire.heal()
      }
    }
    const cutting = cuts()
    const results = new Map<string, Exchanged>()
    const asks = Array.from({ length: 40 }, async () => {
      await wait(random() * 3_000)
      const request = requestOf({ withinMs: within })
      const left = new AbortController()
      if (random() < 0.1) clock.at(clock.now() + random() * 1_000, () => left.abort())
      const begun = clock.elapsed()
      results.set(request.id, await a.ask('b', request, { ...alive, signal: left.signal }))
      expect(clock.elapsed() - begun).toBeLessThan(within + 5_000)
    })
    await Promise.all(asks)
    isOver = true
    await cutting
    await wait(1_000)
    for (const [id, exchanged] of results) {
      const times = handled.get(id) ?? 0
      expect(times).toBeLessThanOrEqual(1)
      if (exchanged.kind === 'not sent') expect(times).toBe(0)
      if (exchanged.kind === 'unknown' && exchanged.accepted) expect(times).toBe(1)
      if (exchanged.kind !== 'done') continue
      expect(times).toBe(1)
      expect(bodies.get(id)?.equals(exchanged.answer.body)).toBe(true)
    }
    expect([...results.values()].some(({ kind }) => kind === 'done')).toBe(true)
    expect(a.malformed() + b.malformed()).toBe(0)
    await served.close()
    return results
  })
  const kinds = (await Promise.all(rounds)).flatMap(results => [...results.values()].map(({ kind }) => kind))
  expect(kinds).toHaveLength(240)
  // The weather was bad enough to matter.
  expect(kinds).toContain('unknown')
})
