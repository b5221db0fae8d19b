/** Requests between two hosts through a real nats-server. */
import { describe, expect, test } from 'vitest'
import { createExchange } from '../../../src/fleet/exchange/exchange.ts'
import { HANDLED_PER_PEER_MAX } from '../../../src/fleet/exchange/limits.ts'
import type { FleetRequest, Progress } from '../../../src/fleet/exchange/request.ts'
import type { Handle } from '../../../src/fleet/exchange/serve.ts'
import { needs } from '../../support/needs.ts'
import { until, wait } from '../../support/until.ts'
import { alive, bytesOf, decode, encode, ok, requestOf, said } from './hosts.ts'
import { clock, type NatsServer, names, natsServers } from './server.ts'

const MIB = 1_024 * 1_024

describe.skipIf(!needs('nats-server')).concurrent('two hosts', () => {
  const start = natsServers()
  const exchangeOf = async (server: NatsServer, self: string) =>
    createExchange({ connection: await server.connect(self), names, self, clock })

  const pair = async (handle: Handle, more?: readonly string[]) => {
    const server = await start(more)
    const [a, b] = [await exchangeOf(server, 'a'), await exchangeOf(server, 'b')]
    const served = b.serve('i1', handle)
    return { server, a, b, served, ask: (given?: Partial<FleetRequest>) => a.ask('b', requestOf(given), alive) }
  }

  test('the answer comes back as it was given, and the request went there as it was asked', async () => {
    const { ask } = await pair(async ({ from, method, path, headers, body }) => ({
      status: 418,
      headers: { 'svc-execution-id': 'e1' },
      body: encode(JSON.stringify({ from, method, path, headers, body: decode(body) })),
    }))
    const exchanged = await ask({ body: encode('{"a":"ü"}') })
    expect(exchanged).toMatchObject({
      kind: 'done',
      answer: { status: 418, headers: { 'svc-execution-id': 'e1' } },
    })
    expect(JSON.parse(said(exchanged))).toEqual({
      from: 'a',
      method: 'POST',
      path: '/execute?x=1',
      headers: { 'content-type': 'application/json' },
      body: '{"a":"ü"}',
    })
  })

  test('where nobody listens the request is absent, soon', async () => {
    const a = await exchangeOf(await start(), 'a')
    const begun = clock.elapsed()
    expect(await a.ask('b', requestOf(), alive)).toEqual({ kind: 'not sent', reason: 'absent' })
    expect(clock.elapsed() - begun).toBeLessThan(8_000)
  })

  test('a host that begins to listen within a second is found', async () => {
    const server = await start()
    const [a, b] = [await exchangeOf(server, 'a'), await exchangeOf(server, 'b')]
    const asked = a.ask('b', requestOf(), alive)
    await wait(300)
    b.serve('i1', async () => ok())
    expect(said(await asked)).toBe('done')
  })

  test('another process of the host takes nothing', async () => {
    let handled = 0
    const { ask } = await pair(async () => ok(String(handled++)))
    expect(await ask({ instance: 'i0' })).toEqual({ kind: 'not sent', reason: 'other instance', instance: 'i1' })
    expect(handled).toBe(0)
  })

  test('an answer of 20 MB arrives whole, and is not kept once it has', async () => {
    const body = bytesOf(20 * MIB + 17)
    const { ask } = await pair(async () => ok(body))
    const before = process.memoryUsage().arrayBuffers
    let most = 0
    for (let round = 0; round < 6; round++) {
      const exchanged = await ask({ withinMs: 30_000 })
      expect(exchanged.kind === 'done' && body.equals(exchanged.answer.body)).toBe(true)
      most = Math.max(most, process.memoryUsage().arrayBuffers - before)
    }
    // All that arrived is 120 MB; each goes through sockets in the same process, and waits for its collection.
    expect(most / MIB).toBeLessThan(300)
  })

  test('servers that take small messages only carry long answers, and refuse long requests', async () => {
    const body = bytesOf(700_001)
    const config = `${process.cwd()}/test/fleet/exchange/small.conf`
    const { ask } = await pair(async () => ok(body), ['-c', config])
    const exchanged = await ask()
    expect(exchanged.kind === 'done' && body.equals(exchanged.answer.body)).toBe(true)
    expect(await ask({ body: new Uint8Array(70_000) })).toMatchObject({ kind: 'done', answer: { status: 413 } })
  })

  test('what is known of an execution is told before its answer', async () => {
    const told: Progress[] = []
    const { a } = await pair(async (_, { progress }) => {
      progress({ executionId: 'e1', dispatched: false })
      await wait(50)
      progress({ executionId: 'e1', dispatched: true })
      await wait(50)
      return ok()
    })
    await a.ask('b', requestOf(), { ...alive, onProgress: progress => void told.push(progress) })
    expect(told).toEqual([
      { executionId: 'e1', dispatched: false },
      { executionId: 'e1', dispatched: true },
    ])
  })

  test('a handler that throws is answered as an internal error', async () => {
    const { ask } = await pair(async () => {
      throw new Error('no disk')
    })
    const exchanged = await ask()
    expect(exchanged).toMatchObject({ kind: 'done', answer: { status: 500 } })
    expect(JSON.parse(said(exchanged))).toMatchObject({ ok: false, error: { code: 'INTERNAL_ERROR' } })
    expect(said(exchanged)).toContain('no disk')
  })

  test('more at once than a host handles for one peer is answered with 503, and not handled later', async () => {
    const handled = new Set<string>()
    let go = () => {}
    const gate = new Promise<void>(resolve => {
      go = resolve
    })
    const { ask } = await pair(async ({ id }) => {
      handled.add(id)
      await gate
      return ok()
    })
    const asks = Array.from({ length: HANDLED_PER_PEER_MAX + 20 }, () => ask({ withinMs: 30_000 }))
    const busy = await Promise.race(asks)
    expect(busy).toMatchObject({ kind: 'done', answer: { status: 503 } })
    go()
    const kinds = (await Promise.all(asks)).map(exchanged => exchanged.kind === 'done' && exchanged.answer.status)
    expect(kinds.filter(status => status === 503)).toHaveLength(20)
    expect(kinds.filter(status => status === 200)).toHaveLength(HANDLED_PER_PEER_MAX)
    expect(handled.size).toBe(HANDLED_PER_PEER_MAX)
  })

  describe('cancelling', () => {
    test('reaches the handler, whose answer still counts', async () => {
      const left = new AbortController()
      let isReached = false
      const { a } = await pair((_, { signal }) => {
        isReached = true
        return new Promise(resolve => signal.addEventListener('abort', () => resolve(ok('given up')), { once: true }))
      })
      const asked = a.ask('b', requestOf(), { ...alive, signal: left.signal })
      await until(() => isReached, 'the handler to have it')
      left.abort()
      expect(said(await asked)).toBe('given up')
    })

    test('does not wait long for a handler that goes on', async () => {
      const left = new AbortController()
      let isReached = false
      const { a } = await pair(async () => {
        isReached = true
        await wait(6_000)
        return ok()
      })
      const begun = clock.elapsed()
      const asked = a.ask('b', requestOf({ withinMs: 60_000 }), { ...alive, signal: left.signal })
      await until(() => isReached, 'the handler to have it')
      left.abort()
      expect(await asked).toEqual({ kind: 'unknown', accepted: true })
      expect(clock.elapsed() - begun).toBeLessThan(20_000)
    })

    test('before it is asked sends nothing', async () => {
      let handled = 0
      const { a } = await pair(async () => ok(String(handled++)))
      const signal = AbortSignal.abort()
      expect(await a.ask('b', requestOf(), { ...alive, signal })).toEqual({ kind: 'not sent', reason: 'absent' })
      await wait(100)
      expect(handled).toBe(0)
    })
  })

  test('a host that leaves finishes what it has taken, and takes no more', async () => {
    let handled = 0
    const { ask, served } = await pair(async () => {
      handled++
      await wait(500)
      return ok()
    })
    const asked = ask()
    await until(() => handled === 1, 'the request to arrive')
    const closed = served.close()
    expect(await ask()).toEqual({ kind: 'not sent', reason: 'absent' })
    expect(said(await asked)).toBe('done')
    await closed
    // Until the server knows that nobody listens any more: what it still hands over is lost, and nobody has taken it.
    await wait(500)
    expect(await ask()).toEqual({ kind: 'not sent', reason: 'absent' })
    expect(handled).toBe(1)
  })

  test('closing the asking side ends its asks with what is known', async () => {
    const { a, ask } = await pair(async () => {
      await wait(3_000)
      return ok()
    })
    const asked = ask()
    await wait(300)
    a.close()
    expect(await asked).toEqual({ kind: 'unknown', accepted: true })
    expect(await ask()).toEqual({ kind: 'not sent', reason: 'absent' })
  })

  test.each([
    ['path', { path: '/a b' }],
    ['path', { path: '/a\r\nX: y' }],
    ['headers', { headers: { x: 'a\r\nY: z' } }],
    ['method', { method: 'TRACE' }],
    ['id', { id: '' }],
    ['withinMs', { withinMs: Number.POSITIVE_INFINITY }],
  ])('a request with an unfit %s is not sent', async (key, given) => {
    let handled = 0
    const { ask } = await pair(async () => ok(String(handled++)))
    const exchanged = await ask(given)
    expect(exchanged).toMatchObject({ kind: 'done', answer: { status: 400 } })
    expect(said(exchanged)).toContain(`cannot be sent to another host: ${key}: `)
    expect(handled).toBe(0)
  })
})
