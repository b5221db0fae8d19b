/** Requests between two hosts through a real nats-server. */
import { describe, expect, test } from 'vitest'
import { createExchange, type Exchange } from '../../../src/fleet/exchange/exchange.ts'
import type { FleetRequest } from '../../../src/fleet/exchange/request.ts'
import { needs } from '../../support/needs.ts'
import { clock, type NatsServer, names, natsServers } from './server.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

let requests = 0
const requestOf = (given: Partial<FleetRequest> = {}): FleetRequest => ({
  id: `r${requests++}`,
  instance: 'i1',
  method: 'POST',
  path: '/execute?x=1',
  headers: { 'content-type': 'application/json' },
  body: encode('{}'),
  withinMs: 10_000,
  ...given,
})
const alive = { isAlive: () => true }

describe.skipIf(!needs('nats-server'))('two hosts', () => {
  const start = natsServers()

  const exchangeOf = async (server: NatsServer, self: string): Promise<Exchange> =>
    createExchange({ connection: await server.connect(self), names, self, clock })

  test('the answer comes back as it was given, and the request went there as it was asked', async () => {
    const server = await start()
    const [a, b] = [await exchangeOf(server, 'a'), await exchangeOf(server, 'b')]
    b.serve('i1', async ({ from, method, path, headers, body }) => ({
      status: 418,
      headers: { 'svc-execution-id': 'e1' },
      body: encode(JSON.stringify({ from, method, path, headers, body: decode(body) })),
    }))
    const exchanged = await a.ask('b', requestOf({ body: encode('{"a":"ü"}') }), alive)
    expect(exchanged).toMatchObject({
      kind: 'answered',
      answer: { status: 418, headers: { 'svc-execution-id': 'e1' } },
    })
    const { answer } = exchanged as { answer: { body: Uint8Array } }
    expect(JSON.parse(decode(answer.body))).toEqual({
      from: 'a',
      method: 'POST',
      path: '/execute?x=1',
      headers: { 'content-type': 'application/json' },
      body: '{"a":"ü"}',
    })
  })

  test('where nobody listens the request is absent, soon', async () => {
    const server = await start()
    const a = await exchangeOf(server, 'a')
    const begun = clock.elapsed()
    expect(await a.ask('b', requestOf(), alive)).toEqual({ kind: 'absent' })
    expect(clock.elapsed() - begun).toBeLessThan(8_000)
  })

  test('another process of the host takes nothing', async () => {
    const server = await start()
    const [a, b] = [await exchangeOf(server, 'a'), await exchangeOf(server, 'b')]
    let handled = 0
    b.serve('i2', async () => ({ status: 200, headers: {}, body: encode(String(handled++)) }))
    expect(await a.ask('b', requestOf(), alive)).toEqual({ kind: 'other-instance', instance: 'i2' })
    expect(handled).toBe(0)
  })

  test('an answer of 20 MB arrives whole', async () => {
    const server = await start()
    const [a, b] = [await exchangeOf(server, 'a'), await exchangeOf(server, 'b')]
    const body = Buffer.alloc(20 * 1_024 * 1_024 + 17)
    for (let at = 0; at < body.length; at += 997) body[at] = at % 251
    b.serve('i1', async () => ({ status: 200, headers: {}, body }))
    const exchanged = await a.ask('b', requestOf(), alive)
    expect(exchanged.kind === 'answered' && body.equals(exchanged.answer.body)).toBe(true)
  })
})
