/** GET /inspect-ws as inspectors of xstate see it: through the receiver of their own package. */
import { readFileSync } from 'node:fs'
import { createWebSocketReceiver, type StatelyInspectionEvent } from '@statelyai/inspect'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { CATALOGUE } from '../../../../machines/catalogue.ts'
import { INSPECT_CLIENTS_MAX } from '../../../../src/contracts/limits/limits.ts'
import type { Journal } from '../../../../src/runtime/journal/journal.ts'
import { INSPECT_VERSION } from '../../../../src/surfaces/http/inspect-ws/messages.ts'
import { creationOf, cycleOf, recordDevice } from '../../../support/executions/device-history.ts'
import { call, codeOf } from '../../../support/http/http-client.ts'
import { type FakeServer, listen, type ServedApp, startFake } from '../../../support/http/http-server.ts'
import { until } from '../../../support/until.ts'

let fake: FakeServer
let served: ServedApp
const sockets: WebSocket[] = []
beforeEach(async () => {
  fake = await startFake()
  served = await listen({ ...fake.deps, inspectWs: true }, { inspected: fake.deps.journal() })
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate()
  for (const { server } of [fake, served]) await server.close({ graceMs: 0 })
})

const address = () => `${served.url.replace('http', 'ws')}/inspect-ws`

type Seen = StatelyInspectionEvent & { definition?: string; snapshot?: { value: unknown; context: unknown } }

const receive = (): Seen[] => {
  const seen: Seen[] = []
  createWebSocketReceiver({ server: address() }).subscribe(event => void seen.push(event as Seen))
  return seen
}

const connect = (headers: Record<string, string> = {}, url = address()): WebSocket => {
  const socket = new WebSocket(url, { headers })
  socket.on('error', () => {})
  sockets.push(socket)
  return socket
}

/** The status a handshake was refused with, or `open`. */
const outcomeOf = (socket: WebSocket): Promise<number | 'open'> =>
  new Promise((resolve, reject) => {
    socket.once('open', () => resolve('open'))
    socket.once('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
    socket.once('error', reject)
  })

const closeCode = (socket: WebSocket): Promise<number> => new Promise(resolve => socket.once('close', resolve))

const append = async (journal: Journal, serial: string, index: number) => {
  for (const record of cycleOf(serial, index, 5_000)) await journal.append(record)
}

describe('the receiver of @statelyai/inspect', () => {
  test('learns of every actor with its chart and its present state', async () => {
    await recordDevice(fake.deps.journal(), 'a', 2)
    await recordDevice(fake.deps.journal(), 'b', 0)
    const [requested] = cycleOf('b', 0, 5_000)
    if (requested) await fake.deps.journal().append(requested)
    const seen = receive()
    await until(() => seen.length === 2, 'two actors')
    const actors = Object.fromEntries(seen.map(event => [event.sessionId, event]))
    expect(actors['device:a']).toMatchObject({
      type: '@xstate.actor',
      name: 'device:a',
      rootId: 'device:a',
      _version: expect.any(String),
      createdAt: expect.stringMatching(/^\d+$/),
      snapshot: { status: 'active', value: 'idle' },
    })
    expect(actors['device:b']).toMatchObject({
      snapshot: { value: { running: 'accepted' }, context: { serial: 'b' } },
    })
    const { id, states } = JSON.parse(actors['device:a']?.definition ?? '{}')
    expect(id).toBe(CATALOGUE.device.logic.config.id)
    expect(Object.keys(states)).toEqual(Object.keys(CATALOGUE.device.logic.states))
  })

  test('is told of each record as an event and the state it led to', async () => {
    const journal = fake.deps.journal()
    await recordDevice(journal, 'a', 0)
    const seen = receive()
    await until(() => seen.length === 1, 'the actor')
    await append(journal, 'a', 0)
    await until(() => seen.length === 7, 'three records')
    expect(seen.slice(1).map(event => ('event' in event ? [event.type, event.event.type] : []))).toEqual(
      ['execution.requested', 'execution.dispatched', 'execution.settled'].flatMap(type => [
        ['@xstate.event', type],
        ['@xstate.snapshot', type],
      ]),
    )
    const values = seen.flatMap(({ type, snapshot }) => (type === '@xstate.snapshot' ? [snapshot?.value] : []))
    expect(values).toEqual([{ running: 'accepted' }, { running: 'dispatched' }, 'idle'])
  })

  test('is introduced to an actor that is created while it is connected', async () => {
    const seen = receive()
    await outcomeOf(connect())
    await fake.deps.journal().append(creationOf('new', 1_000))
    await until(() => seen.length === 3, 'the new actor')
    expect(seen.map(({ type, sessionId }) => [type, sessionId])).toEqual([
      ['@xstate.actor', 'device:new'],
      ['@xstate.event', 'device:new'],
      ['@xstate.snapshot', 'device:new'],
    ])
  })

  test('hears every record once while the list of actors is still on its way', async () => {
    const journal = fake.deps.journal()
    for (let index = 0; index < 40; index++) await recordDevice(journal, `d${index}`, 1)
    const seen = receive()
    await until(() => seen.length > 0, 'the first actor')
    for (let index = 0; index < 40; index++) await append(journal, `d${index}`, 1)
    await until(() => seen.filter(({ type }) => type === '@xstate.actor').length === 40, 'all actors')
    const last = (serial: string) => seen.filter(({ sessionId }) => sessionId === `device:${serial}`)
    await until(
      () => Array.from({ length: 40 }, (_, index) => last(`d${index}`)).every(({ length }) => length > 0),
      'all actors',
    )
    await append(journal, 'd0', 2)
    await until(() => last('d0').filter(({ type }) => type === '@xstate.event').length >= 3, 'the last execution')
    for (let index = 0; index < 40; index++) {
      const told = last(`d${index}`)
      expect(told.filter(({ type }) => type === '@xstate.actor').length).toBe(1)
      expect(told[0]?.type).toBe('@xstate.actor')
      const times = told.flatMap(({ type, createdAt }) => (type === '@xstate.snapshot' ? [Number(createdAt)] : []))
      expect(times).toEqual([...times].sort((a, b) => a - b))
      expect(told.at(-1)?.snapshot?.value ?? 'idle').toBe('idle')
    }
  })

  test('reads messages of the version that is named in them', () => {
    const path = new URL('../../../../node_modules/@statelyai/inspect/package.json', import.meta.url)
    expect(INSPECT_VERSION).toBe((JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version)
  })
})

describe('the guard', () => {
  test('lets in programs and pages of the server itself', async () => {
    expect(await outcomeOf(connect())).toBe('open')
    expect(await outcomeOf(connect({ Origin: served.url }))).toBe('open')
  })

  test('refuses pages of other origins and other names of this machine', async () => {
    expect(await outcomeOf(connect({ Origin: 'http://evil.example' }))).toBe(403)
    expect(await outcomeOf(connect({ Origin: 'null' }))).toBe(403)
    expect(await outcomeOf(connect({ Host: 'evil.example' }))).toBe(403)
  })

  test('lets in an origin that was allowed', async () => {
    const allowing = await listen(
      { ...fake.deps, inspectWs: true },
      { inspected: fake.deps.journal(), allowOrigins: ['http://localhost:8080'] },
    )
    const url = `${allowing.url.replace('http', 'ws')}/inspect-ws`
    expect(await outcomeOf(connect({ Origin: 'http://localhost:8080' }, url))).toBe('open')
    await allowing.server.close({ graceMs: 0 })
  })

  test('without the flag there is no such route, and with it the route wants a WebSocket', async () => {
    const plain = await call(`${fake.url}/inspect-ws`)
    expect([plain.status, codeOf(plain)]).toEqual([404, 'NOT_FOUND'])
    expect(await outcomeOf(connect({}, `${fake.url.replace('http', 'ws')}/inspect-ws`))).toBe(404)
    const asked = await call(`${served.url}/inspect-ws`)
    expect([asked.status, codeOf(asked)]).toEqual([426, 'WEBSOCKET_REQUIRED'])
  })

  test('a handshake that is not valid is refused in JSON', async () => {
    const headers = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' }
    const answer = await call(`${served.url}/inspect-ws`, { headers })
    expect([answer.status, codeOf(answer)]).toEqual([426, 'WEBSOCKET_REQUIRED'])
  })
})

describe('other protocols', () => {
  const upgrade = {
    Connection: 'Upgrade, HTTP2-Settings',
    Upgrade: 'h2c',
    'HTTP2-Settings': 'AAMAAABkAAQCAAAAAAIAAAAA',
  }

  test('a client that offers HTTP/2 is answered as without it, its body included', async () => {
    const ping = await call(`${served.url}/ping`, { headers: upgrade })
    expect(ping.status).toBe(200)
    const snapshot = await call(`${served.url}/snapshot`, { headers: upgrade, body: { deviceId: 'd1' } })
    expect(snapshot.json).toMatchObject({ ok: true, deviceId: 'd1' })
    const wrong = await call(`${served.url}/ping`, { headers: { ...upgrade, Host: 'evil.example' } })
    expect(codeOf(wrong)).toBe('FORBIDDEN_HOST')
  })
})

describe('clients', () => {
  test('more than the maximum are told to come back later', async () => {
    for (let index = 0; index < INSPECT_CLIENTS_MAX; index++) expect(await outcomeOf(connect())).toBe('open')
    expect(await closeCode(connect())).toBe(1_013)
    const [first] = sockets
    if (!first) throw new Error('no inspector is connected')
    first.close()
    await closeCode(first)
    await fake.deps.journal().append(creationOf('a', 1_000))
    const next = connect()
    const told = await new Promise(resolve => next.once('message', data => resolve(JSON.parse(`${data}`))))
    expect(told).toMatchObject({ type: '@xstate.actor', sessionId: 'device:a' })
  })

  test('one that does not read is disconnected, and others go on', async () => {
    const journal = fake.deps.journal()
    await journal.append(creationOf('a', 1_000))
    const stalled = connect()
    const seen = receive()
    await outcomeOf(stalled)
    await until(() => seen.length > 0, 'the first actor')
    stalled.pause()
    const note = 'x'.repeat(200_000)
    const [requested] = cycleOf('a', 0, 5_000)
    if (!requested) throw new Error('a cycle has three records')
    await journal.append(requested)
    // An event that moves nothing, large enough to fill what the sockets of the system hold.
    for (let n = 2; n < 80; n++) {
      const place = { ...requested, n, from: requested.to }
      await journal.append({ ...place, event: { type: 'execution.noted', note, at: 5_000 + n } })
      await until(() => seen.filter(({ type }) => type === '@xstate.event').length === n, 'the reader')
    }
    stalled.resume()
    expect(await closeCode(stalled)).toBe(1_006)
    expect(seen.at(-1)).toMatchObject({ sessionId: 'device:a' })
  })

  test('are told when the server ends, which does not wait for them', async () => {
    const socket = connect()
    await outcomeOf(socket)
    const closed = closeCode(socket)
    await served.server.close({ graceMs: 5_000 })
    expect(await closed).toBe(1_001)
  })
})

test('callers from other machines need the token', async () => {
  const { createGuard } = await import('../../../../src/surfaces/http/guard.ts')
  const guard = createGuard({ host: '0.0.0.0', port: 3_000, allowOrigins: [], token: 'the-token-of-this-server' })
  const caller = {
    method: 'GET',
    target: '/inspect-ws',
    hosts: 1,
    remoteAddress: '192.0.2.1',
    localAddress: '192.0.2.2',
  }
  const headers = { host: '192.0.2.2:3000', upgrade: 'websocket' }
  expect(guard({ ...caller, headers })).toMatchObject({ kind: 'refused', error: { code: 'UNAUTHORIZED' } })
  const authorization = 'Bearer the-token-of-this-server'
  expect(guard({ ...caller, headers: { ...headers, authorization } }).kind).toBe('pass')
})
