/** A client over HTTP that loses a stream comes back to it: what it missed is kept, within bounds, for its session alone. */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StreamableHTTPClientTransport as FirstHttpTransport } from 'mcp-sdk-1/client/streamableHttp.js'
import type { Transport as FirstTransport } from 'mcp-sdk-1/shared/transport.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMcpHttp } from '../../../src/surfaces/mcp/http.ts'
import { createReplayStore } from '../../../src/surfaces/mcp/replay.ts'
import { fakeExecutions, refusedWith } from '../../support/executions/fake-executions.ts'
import { type FakeServer, mcpDeps, startFake } from '../../support/http/http-server.ts'
import { answerOf, connectFirst, newClient } from '../../support/mcp-client.ts'

const PRIMING = /^id: (\S+)\nretry: \d+\ndata: \n\n/

describe('the official client', () => {
  let served: FakeServer
  let cuts = 0
  beforeAll(async () => {
    served = await startFake()
    served.executions.answer = async () => {
      await new Promise(resolve => setTimeout(resolve, 300))
      return refusedWith('NODE_NOT_FOUND', { executionId: 'e1', deviceId: 'd1' })
    }
  })
  afterAll(() => served.server.close({ graceMs: 1_000 }))

  /** The network takes the stream of each call away after its first piece. */
  const cutting = async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const response = await fetch(url, init)
    if (!String(init?.body).includes('tools/call') || !response.body) return response
    const reader = response.body.getReader()
    const { value } = await reader.read()
    await reader.cancel()
    cuts += 1
    return new Response(value as Uint8Array<ArrayBuffer>, response)
  }
  const click = { name: 'click', arguments: { text: 'a' } }
  const failed = { isError: true, structured: { code: 'NODE_NOT_FOUND', executionId: 'e1' } }

  test('of the SDK 1.x gets the answer of a call whose stream was lost', async () => {
    const url = new URL('/mcp', served.url)
    const client = await connectFirst(new FirstHttpTransport(url, { fetch: cutting }) as FirstTransport)
    expect(answerOf(await client.callTool(click))).toMatchObject(failed)
    expect(cuts).toBe(1)
    await client.close()
  })

  test('of the SDK 2.x gets it as well', async () => {
    const client = newClient('legacy')
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', served.url), { fetch: cutting }))
    expect(answerOf(await client.callTool(click))).toMatchObject(failed)
    expect(cuts).toBe(2)
    await client.close()
  })
})

describe('streams of a session', () => {
  const accept = 'application/json, text/event-stream'
  const begin = async (mcp: ReturnType<typeof createMcpHttp>, version = '2025-11-25') => {
    const clientInfo = { name: 't', version: '1' }
    const params = { protocolVersion: version, capabilities: {}, clientInfo }
    const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params }
    const headers = { 'content-type': 'application/json', accept, 'mcp-protocol-version': version }
    const url = 'http://127.0.0.1/mcp'
    const response = await mcp.fetch(new Request(url, { method: 'POST', headers }), body)
    await response.text()
    const own = { ...headers, 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' }
    return {
      post: (message: object) => mcp.fetch(new Request(url, { method: 'POST', headers: own }), message),
      get: (more: Record<string, string> = {}) =>
        mcp.fetch(new Request(url, { headers: { ...own, ...more } }), undefined),
    }
  }
  const ping = { jsonrpc: '2.0', id: 2, method: 'ping' }
  const firstOf = async ({ body }: Response): Promise<string> => {
    const reader = body?.getReader()
    const { value } = (await reader?.read()) ?? {}
    await reader?.cancel()
    return new TextDecoder().decode(value as Uint8Array)
  }

  test('begin with an event that says where to come back to', async () => {
    const { post, get } = await begin(createMcpHttp(mcpDeps()))
    expect(await (await post(ping)).text()).toMatch(PRIMING)
    expect(await firstOf(await get())).toMatch(PRIMING)
  })

  test('do not for a client of an older revision, which would take it for a message', async () => {
    const { post } = await begin(createMcpHttp(mcpDeps()), '2025-06-18')
    expect(await (await post(ping)).text()).toMatch(/^event: message\n/)
  })

  test('are resumed by their own session, and a foreign or unknown id is refused', async () => {
    const mcp = createMcpHttp(mcpDeps())
    const [own, other] = [await begin(mcp), await begin(mcp)]
    const [, id = ''] = PRIMING.exec(await (await own.post(ping)).text()) ?? []
    const resumed = await own.get({ 'last-event-id': id })
    expect(await resumed.text()).toContain('"result":{}')
    expect((await other.get({ 'last-event-id': id })).status).toBe(400)
    expect((await own.get({ 'last-event-id': 'nonsense_1' })).status).toBe(400)
  })

  test('end when their call is cancelled, without an answer, and nobody waits there again', async () => {
    const executions = fakeExecutions()
    executions.answer = () => new Promise(() => {})
    const { post, get } = await begin(createMcpHttp(mcpDeps({ executions: () => executions })))
    const params = { name: 'press', arguments: { key: 'home' }, _meta: { progressToken: 7 } }
    const { body } = await post({ jsonrpc: '2.0', id: 3, method: 'tools/call', params })
    const other = await post({ ...ping, id: 4 })
    const cancelled = { method: 'notifications/cancelled', params: { requestId: 3 } }
    expect((await post({ jsonrpc: '2.0', ...cancelled })).status).toBe(202)
    const text = await new Response(body).text()
    const [, id = ''] = PRIMING.exec(text) ?? []
    expect(text).not.toMatch(/"id":3/)
    expect((await get({ 'last-event-id': id })).status).toBe(400)
    expect(await other.text()).toContain('"result":{}')
    // The id is free again for a call whose answer comes.
    expect(await (await post({ ...ping, id: 3 })).text()).toContain('"result":{}')
  }, 10_000)

  test('keep no more than the bounds allow, and nothing of a session that ended', async () => {
    const store = createReplayStore()
    const [first, second] = [store.forSession(), store.forSession()]
    const message = { jsonrpc: '2.0' as const, method: 'x', params: { text: 'x'.repeat(10_000) } }
    const old = await first.storeEvent('a', message)
    for (let count = 0; count < 1_000; count += 1) await second.storeEvent('a', message)
    expect(store.size().bytes).toBeLessThanOrEqual(8 * 1_024 * 1_024)
    expect(await first.getStreamIdForEventId(old)).toBeUndefined()
    second.forget()
    for (let count = 0; count < 5_000; count += 1) await first.storeEvent('a', { jsonrpc: '2.0', method: 'x' })
    expect(store.size().events).toBe(4_096)
    first.forget()
    expect(store.size()).toEqual({ events: 0, bytes: 0 })
  })
})
