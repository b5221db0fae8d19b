import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, codeOf } from '../../../support/http/http-client.ts'
import { type FakeServer, startFake } from '../../../support/http/http-server.ts'

let fake: FakeServer
beforeAll(async () => {
  fake = await startFake()
})
afterAll(() => fake.server.close({ graceMs: 1_000 }))

const ask = (method: string, path: string) => call(`${fake.url}${path}`, { method })

test.each([
  '/',
  '/nothing',
  '/ping/x',
  '/executions/a/b',
  '/actors/a/b',
  '/actors/a/history/b',
  '/index.html',
  '/favicon.ico',
])('no route %s', async path => {
  for (const method of ['GET', 'POST', 'DELETE', 'PUT', 'OPTIONS']) {
    const answer = await ask(method, path)
    expect([method, answer.status, codeOf(answer)]).toEqual([method, 404, 'NOT_FOUND'])
    expect(answer.headers['content-type']).toBe('application/json')
  }
})

describe.each([
  ['/ping', 'GET, HEAD, OPTIONS'],
  ['/version', 'GET, HEAD, OPTIONS'],
  ['/health', 'GET, HEAD, OPTIONS'],
  ['/devices', 'GET, HEAD, OPTIONS'],
  ['/events', 'GET, HEAD, OPTIONS'],
  ['/execute', 'OPTIONS, POST'],
  ['/snapshot', 'OPTIONS, POST'],
  ['/screenshot', 'OPTIONS, POST'],
  ['/executions', 'GET, HEAD, OPTIONS'],
  ['/executions/abc', 'DELETE, GET, HEAD, OPTIONS'],
  ['/skills', 'GET, HEAD, OPTIONS'],
  ['/skills/abc', 'GET, HEAD, OPTIONS'],
  ['/skills/abc/run', 'OPTIONS, POST'],
  ['/actors', 'GET, HEAD, OPTIONS'],
  ['/actors/events', 'GET, HEAD, OPTIONS'],
  ['/actors/abc', 'GET, HEAD, OPTIONS'],
  ['/actors/abc/history', 'GET, HEAD, OPTIONS'],
  ['/openapi.json', 'GET, HEAD, OPTIONS'],
  ['/docs', 'GET, HEAD, OPTIONS'],
  ['/docs/policy', 'GET, HEAD, OPTIONS'],
  ['/docs/api', 'GET, HEAD, OPTIONS'],
  ['/mcp', 'DELETE, GET, OPTIONS, POST'],
])('%s', (path, allow) => {
  const allowed = allow.split(', ')

  test('refuses other methods and names its own', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'PURGE', 'TRACE', 'QUERY']) {
      if (allowed.includes(method)) continue
      const answer = await ask(method, path)
      expect([method, answer.status, codeOf(answer)]).toEqual([method, 405, 'METHOD_NOT_ALLOWED'])
      expect(answer.headers.allow).toBe(allow)
    }
  })

  test('tells OPTIONS', async () => {
    const { status, headers, text } = await ask('OPTIONS', path)
    expect([status, headers.allow, text]).toEqual([204, allow, ''])
  })

  test('answers HEAD with headers alone, and it ends', async () => {
    const { status, text } = await ask('HEAD', path)
    expect(text).toBe('')
    expect(status).toBe(allowed.includes('HEAD') ? (path.includes('abc') ? 404 : 200) : 405)
  })
})
