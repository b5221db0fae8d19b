/** Many clients at once: no call lands on another's phone, sessions are bounded, and the server ends in time with them open. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMcpHttp } from '../../../src/surfaces/mcp/http.ts'
import { fakeExecutions, refusedWith } from '../../support/executions/fake-executions.ts'
import { DEVICE_CONFLICT } from '../../support/failure-codes.ts'
import { call } from '../../support/http/http-client.ts'
import { type HttpLab, mcpDeps, startHttpLab } from '../../support/http/http-server.ts'
import { connectHttp, ERAS } from '../../support/mcp-client.ts'
import { until } from '../../support/until.ts'

const DEVICES = 10
const CLIENTS = 25

describe('25 clients on 10 phones', () => {
  let served: HttpLab
  beforeAll(async () => {
    served = await startHttpLab({ count: DEVICES })
  })
  afterAll(() => served.close())

  const rows = ['Display', 'Apps', 'Storage', 'Battery', 'Location', 'NFC', 'Backup', 'Languages', 'Gestures', 'Modes']

  test('each is answered for the device that it named', { timeout: 180_000 }, async () => {
    const callers = await Promise.all(
      Array.from({ length: CLIENTS }, (_, index) => connectHttp(served.url, index % 2 === 0 ? 'legacy' : 'modern')),
    )
    const serialOf = (index: number) => served.serials[index % DEVICES] ?? ''
    // The first of each device opens a screen of its own there; the others only look.
    await Promise.all(
      callers.slice(0, DEVICES).map(async (caller, index) => {
        const device = serialOf(index)
        await caller.call('open', { target: 'com.android.settings', device })
        await caller.call('scroll_until', { text: rows[index], device })
        const clicked = await caller.call('click', { text: rows[index], device })
        expect(clicked).toMatchObject({ isError: false, structured: { deviceId: device } })
      }),
    )
    const looked = await Promise.all(
      callers.map(async (caller, index) => {
        for (let tries = 0; tries < 200; tries += 1) {
          const seen = await caller.call('snapshot', { device: serialOf(index) })
          if (seen.structured.code !== DEVICE_CONFLICT) return seen
          await new Promise(resolve => setTimeout(resolve, 50))
        }
        throw new Error('the device was busy all the time')
      }),
    )
    for (const [index, seen] of looked.entries()) {
      expect(seen).toMatchObject({ isError: false, structured: { deviceId: serialOf(index) } })
      expect(seen.text).toContain(JSON.stringify(rows[index % DEVICES]))
      expect(seen.text).toContain('"Navigate up"')
    }
    await Promise.all(callers.map(caller => caller.close()))
  })

  test('a server with open sessions and streams ends in time', async () => {
    const own = await served.restart()
    const callers = await Promise.all(ERAS.map(era => connectHttp(own.url, era)))
    const begun = performance.now()
    await own.server.close({ graceMs: 5_000 })
    expect(performance.now() - begun).toBeLessThan(4_500)
    await Promise.all(callers.map(caller => caller.close().catch(() => {})))
  })
})

describe('sessions', () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  }
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const post = (body: object, more: Record<string, string> = {}) => ({
    request: new Request('http://127.0.0.1/mcp', { method: 'POST', headers: { ...headers, ...more } }),
    body,
  })

  const begin = async (mcp: ReturnType<typeof createMcpHttp>) => {
    const { request, body } = post(initialize)
    const response = await mcp.fetch(request, body)
    await response.text()
    return { status: response.status, id: response.headers.get('mcp-session-id') ?? '' }
  }
  const ping = async (mcp: ReturnType<typeof createMcpHttp>, id: string) => {
    const { request, body } = post({ jsonrpc: '2.0', id: 2, method: 'ping' }, { 'mcp-session-id': id })
    const response = await mcp.fetch(request, body)
    await response.text()
    return response.status
  }

  test('are bounded: the one that is idle longest makes room', async () => {
    const mcp = createMcpHttp(mcpDeps())
    const first = await begin(mcp)
    const second = await begin(mcp)
    expect(await ping(mcp, first.id)).toBe(200)
    for (let count = 2; count < 256; count += 1) await begin(mcp)
    expect(mcp.sessions()).toBe(256)
    expect((await begin(mcp)).status).toBe(200)
    expect(mcp.sessions()).toBe(256)
    expect(await ping(mcp, second.id)).toBe(404)
    expect(await ping(mcp, first.id)).toBe(200)
  })

  test('a session that is unknown, or ended, is not found', async () => {
    const mcp = createMcpHttp(mcpDeps())
    expect(await ping(mcp, 'nobody')).toBe(404)
    const { id } = await begin(mcp)
    const gone = new Request('http://127.0.0.1/mcp', { method: 'DELETE', headers: { 'mcp-session-id': id } })
    expect((await mcp.fetch(gone, undefined)).status).toBe(200)
    expect(await ping(mcp, id)).toBe(404)
    expect(mcp.sessions()).toBe(0)
  })

  test('a request without one that begins none is refused, and nothing is kept', async () => {
    const mcp = createMcpHttp(mcpDeps())
    const { request, body } = post({ jsonrpc: '2.0', id: 2, method: 'tools/list' })
    const refused = await mcp.fetch(request, body)
    expect(refused.status).toBe(400)
    const message = expect.stringContaining('Server not initialized: send initialize first')
    expect(await refused.json()).toMatchObject({ error: { code: -32_000, message } })
    expect(mcp.sessions()).toBe(0)
  })

  test.each(['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'])(
    'a batch of revision %s is refused whole, as over stdio',
    async version => {
      const executions = fakeExecutions()
      const mcp = createMcpHttp(mcpDeps({ executions: () => executions }))
      const { id } = await begin(mcp)
      const press = { name: 'press', arguments: { key: 'home' } }
      const batch = [
        { jsonrpc: '2.0', id: 3, method: 'tools/call', params: press },
        { jsonrpc: '2.0', id: 4, method: 'ping' },
      ]
      const { request } = post(batch, { 'mcp-session-id': id, 'mcp-protocol-version': version })
      const response = await mcp.fetch(request, batch)
      expect(response.status).toBe(400)
      const message = expect.stringContaining('batches are not supported')
      expect(await response.json()).toEqual({ jsonrpc: '2.0', id: null, error: { code: -32_600, message } })
      expect(executions.requests).toEqual([])
    },
  )

  test('a second request under an id that is in work is refused by that id, and the first one is answered', async () => {
    const executions = fakeExecutions()
    let answer = () => {}
    executions.answer = () =>
      new Promise(resolve => {
        answer = () => resolve(refusedWith('NODE_NOT_FOUND', { executionId: 'e1', deviceId: 'd1' }))
      })
    const mcp = createMcpHttp(mcpDeps({ executions: () => executions }))
    const { id } = await begin(mcp)
    const press = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'press', arguments: { key: 'home' } } }
    const ask = (body: object) => {
      const { request } = post(body, { 'mcp-session-id': id })
      return mcp.fetch(request, body)
    }
    const first = await ask(press)
    await until(() => executions.requests.length === 1, 'the first one to be in work')
    const second = await ask({ jsonrpc: '2.0', id: 7, method: 'ping' })
    expect(second.status).toBe(400)
    const message = expect.stringContaining('the id 7')
    expect(await second.json()).toEqual({ jsonrpc: '2.0', id: 7, error: { code: -32_600, message } })
    answer()
    expect(await first.text()).toContain('NODE_NOT_FOUND')
    expect(await (await ask({ jsonrpc: '2.0', id: 7, method: 'ping' })).text()).toContain('"result":{}')
  })

  test('a request that the protocol refuses leaves its id free', async () => {
    const mcp = createMcpHttp(mcpDeps())
    const { id } = await begin(mcp)
    const body = { jsonrpc: '2.0', id: 7, method: 'ping' }
    const unacceptable = post(body, { 'mcp-session-id': id, accept: 'text/html' })
    expect((await mcp.fetch(unacceptable.request, body)).status).toBe(406)
    const { request } = post(body, { 'mcp-session-id': id })
    expect((await mcp.fetch(request, body)).status).toBe(200)
  })
})

describe('over HTTP', () => {
  let served: HttpLab
  beforeAll(async () => {
    served = await startHttpLab()
  })
  afterAll(() => served.close())
  const json = { accept: 'application/json, text/event-stream' }
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

  test.each<[string, Record<string, string>, string]>([
    ['a name that points here', { host: 'example.com' }, 'FORBIDDEN_HOST'],
    ['a name with our port', { host: 'rebound.example:3000' }, 'FORBIDDEN_HOST'],
    ['a page of another origin', { origin: 'https://example.com' }, 'FORBIDDEN_ORIGIN'],
    ['a page of another local port', { origin: 'http://127.0.0.1:1' }, 'FORBIDDEN_ORIGIN'],
    ['a sandboxed page', { origin: 'null' }, 'FORBIDDEN_ORIGIN'],
  ])('%s is refused before the protocol is read', async (_, headers, code) => {
    for (const method of ['POST', 'GET', 'DELETE']) {
      const body = method === 'POST' ? { body: list } : {}
      const answer = await call(`${served.url}/mcp`, { method, headers: { ...json, ...headers }, ...body })
      expect(answer).toMatchObject({ status: 403, json: { ok: false, error: { code } } })
    }
  })

  test('bad bodies are told apart', async () => {
    const post = (body: unknown, headers: Record<string, string> = {}) =>
      call(`${served.url}/mcp`, { method: 'POST', headers: { ...json, ...headers }, body })
    expect(await post('{')).toMatchObject({ status: 400, json: { error: { code: -32_700 } } })
    expect(await post(Buffer.from([0x22, 0xff, 0x22]))).toMatchObject({ status: 400 })
    expect((await post('{}', { 'Content-Type': 'text/plain' })).status).toBe(415)
    expect((await post({ ...list, params: { x: 'x'.repeat(110_000) } })).status).toBe(413)
    expect((await call(`${served.url}/mcp`, { method: 'PUT', body: list })).status).toBe(405)
  })
})
