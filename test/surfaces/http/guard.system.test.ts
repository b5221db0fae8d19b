/** Section Local HTTP safety. The rules on their own first, for no test listens on anything but loopback; then on a socket. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Caller,
  createGuard,
  type GuardOptions,
  isLoopbackAddress,
  plainAddress,
  readHost,
  readOrigin,
} from '../../../src/surfaces/http/guard.ts'
import { call, codeOf, rawCall } from '../../support/http/http-client.ts'
import { type FakeServer, startFake } from '../../support/http/http-server.ts'

const TOKEN = 'a-token-of-some-length'

const judge = (caller: Partial<Caller> & { headers?: object }, options: Partial<GuardOptions> = {}) => {
  const guard = createGuard({ host: '127.0.0.1', port: 3_000, allowOrigins: [], token: TOKEN, ...options })
  const { headers = {}, ...rest } = caller
  const verdict = guard({
    method: 'GET',
    target: '/version',
    hosts: 1,
    remoteAddress: '127.0.0.1',
    localAddress: '127.0.0.1',
    ...rest,
    headers: { host: '127.0.0.1:3000', ...headers },
  })
  return verdict.kind === 'refused' ? verdict.error.code : verdict.kind
}

describe('the page of the viewer', () => {
  const elsewhere = { remoteAddress: '192.0.2.1', localAddress: '192.0.2.2', headers: { host: '192.0.2.2:3000' } }

  test.each([
    '/',
    '/?x',
    '/inspector',
    '/inspector?x',
    '/inspector/files/app.js',
    '/docs',
    '/docs/policy',
    '/docs/docs.js',
    '/docs/api',
  ])('%s needs no token: it holds no data', target => {
    expect(judge({ ...elsewhere, target })).toBe('pass')
  })

  test.each([
    '/inspector/actors',
    '/inspector/files/a/b',
    '/inspectors',
    '/docs/x/y',
    '/docs/api/x',
    '/docsx',
    '/actors',
  ])('%s needs the token', target => {
    expect(judge({ ...elsewhere, target })).toBe('UNAUTHORIZED')
  })

  test('a post needs it, and another origin is refused all the same', () => {
    expect(judge({ ...elsewhere, target: '/inspector', method: 'POST' })).toBe('UNAUTHORIZED')
    const headers = { ...elsewhere.headers, origin: 'http://evil.example' }
    expect(judge({ ...elsewhere, target: '/inspector', headers })).toBe('FORBIDDEN_ORIGIN')
  })
})

describe('Host', () => {
  test.each([
    '127.0.0.1:3000',
    '127.0.0.1',
    '127.8.9.10',
    'localhost',
    'LocalHost:3000',
    '[::1]:3000',
    '[::ffff:127.0.0.1]',
    'localhost:8080',
  ])('%s is ours', host => {
    expect(judge({ headers: { host } })).toBe('pass')
  })

  test.each([
    '',
    'example.com',
    'example.com:3000',
    'localhost.example.com',
    '127.0.0.1.example.com',
    'localhost.',
    '10.0.0.1',
    '0.0.0.0',
    '[::]',
    '[::2]',
    '::1',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '127.0.0.1:3000:3000',
    '127.0.0.1:',
    'localhost, example.com',
    'user@localhost',
    'local host',
    '[127.0.0.1]',
    '127.0.0.1:123456',
  ])('%s is not', host => {
    expect(judge({ headers: { host } })).toBe('FORBIDDEN_HOST')
  })

  test('none, or two of them', () => {
    expect(judge({ hosts: 0, headers: { host: undefined } })).toBe('FORBIDDEN_HOST')
    expect(judge({ hosts: 2 })).toBe('FORBIDDEN_HOST')
  })

  test('the name that was bound, and the address that was reached', () => {
    expect(judge({ headers: { host: 'phone-rack:3000' } }, { host: 'Phone-Rack' })).toBe('pass')
    expect(judge({ headers: { host: '192.168.1.5:3000' }, localAddress: '192.168.1.5' }, { host: '0.0.0.0' })).toBe(
      'pass',
    )
    expect(judge({ headers: { host: '192.168.1.6:3000' }, localAddress: '192.168.1.5' }, { host: '0.0.0.0' })).toBe(
      'FORBIDDEN_HOST',
    )
    expect(judge({ headers: { host: '[fe80::1]' }, localAddress: 'fe80::1' }, { host: '::' })).toBe('pass')
    expect(judge({ headers: { host: '192.168.1.5' }, localAddress: '::ffff:192.168.1.5' }, { host: '::' })).toBe('pass')
  })
})

describe('Origin', () => {
  const from = (origin: string, more: object = {}, options: Partial<GuardOptions> = {}) =>
    judge({ headers: { origin, ...more } }, options)

  test('our own, by every name', () => {
    for (const origin of ['http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000']) {
      expect(from(origin)).toBe('pass')
    }
    expect(from('http://localhost', {}, { port: 80 })).toBe('pass')
    // Through a tunnel the port is another one, and both sides say so.
    expect(from('http://localhost:8080', { host: 'localhost:8080' })).toBe('pass')
  })

  test.each([
    'null',
    '',
    'http://example.com',
    'https://127.0.0.1:3000',
    'http://127.0.0.1:3001',
    'http://127.0.0.1',
    'http://localhost:3000.example.com',
    'http://localhost:3000/',
    'file://',
    'chrome-extension://abc',
  ])('%j is not', origin => {
    expect(from(origin)).toBe('FORBIDDEN_ORIGIN')
  })

  test('one that is allowed', () => {
    const options = { allowOrigins: ['https://example.com'] }
    expect(from('https://example.com', {}, options)).toBe('pass')
    expect(from('https://example.com', { 'sec-fetch-site': 'cross-site' }, options)).toBe('pass')
    expect(from('http://example.com', {}, options)).toBe('FORBIDDEN_ORIGIN')
    expect(from('https://example.com', { host: 'evil.com' }, options)).toBe('FORBIDDEN_HOST')
  })
})

test('Sec-Fetch-Site', () => {
  expect(judge({ headers: { 'sec-fetch-site': 'cross-site' } })).toBe('FORBIDDEN_ORIGIN')
  expect(judge({ headers: { 'sec-fetch-site': 'cross-site', origin: 'http://127.0.0.1:3000' } })).toBe(
    'FORBIDDEN_ORIGIN',
  )
  for (const site of ['same-origin', 'same-site', 'none']) {
    expect(judge({ headers: { 'sec-fetch-site': site } })).toBe('pass')
  }
})

describe('the token', () => {
  const stranger = { remoteAddress: '192.168.1.9', localAddress: '192.168.1.5' }
  const asking = (authorization?: string, more: Partial<Caller> = {}) =>
    judge({ ...stranger, headers: { host: '192.168.1.5', authorization }, ...more }, { host: '0.0.0.0' })

  test('is needed from other machines', () => {
    expect(asking(`Bearer ${TOKEN}`)).toBe('pass')
    expect(asking(`bearer  ${TOKEN} `)).toBe('pass')
    for (const authorization of [undefined, '', TOKEN, 'Bearer', 'Bearer ', `Basic ${TOKEN}`, `Bearer ${TOKEN}x`]) {
      expect(asking(authorization)).toBe('UNAUTHORIZED')
    }
  })

  test('is not needed on loopback, however its address is written', () => {
    for (const remoteAddress of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '::FFFF:127.0.0.1']) {
      expect(asking(undefined, { remoteAddress })).toBe('pass')
    }
    expect(asking(undefined, { remoteAddress: '' })).toBe('UNAUTHORIZED')
  })

  test('does not open the door to a web page', () => {
    const headers = { host: '192.168.1.5', origin: 'http://example.com', authorization: `Bearer ${TOKEN}` }
    expect(judge({ ...stranger, headers })).toBe('FORBIDDEN_ORIGIN')
  })

  test('is not asked of a preflight, which cannot carry it', () => {
    const headers = { host: '192.168.1.5', origin: 'https://ok.example', 'access-control-request-method': 'POST' }
    const options = { allowOrigins: ['https://ok.example'] }
    expect(judge({ ...stranger, method: 'OPTIONS', headers }, options)).toBe('preflight')
    expect(judge({ ...stranger, method: 'POST', headers }, options)).toBe('UNAUTHORIZED')
  })
})

test('host names and addresses', () => {
  expect(readHost('[2001:DB8::1]:80')).toEqual({ name: '2001:db8::1', port: '80' })
  expect(readHost('a_b.c-d')).toEqual({ name: 'a_b.c-d', port: '' })
  expect(plainAddress('::ffff:10.0.0.1')).toBe('10.0.0.1')
  expect(plainAddress('::ffff:zz')).toBe('::ffff:zz')
  expect(isLoopbackAddress('128.0.0.1')).toBe(false)
})

test('origins', () => {
  expect(readOrigin('https://Example.com')).toBe('https://example.com')
  expect(readOrigin('http://a:8080/')).toBe('http://a:8080')
  for (const text of ['*', 'null', 'example.com', 'https://a/b', 'file:///', 'https://u:p@a', 'https://a:443x', '']) {
    expect(readOrigin(text)).toBeUndefined()
  }
})

describe('on a socket', () => {
  let fake: FakeServer
  const allowed = 'https://tools.example'
  beforeAll(async () => {
    fake = await startFake({}, { allowOrigins: [allowed, 'http://Other.example:81/'] })
  })
  afterAll(() => fake.server.close({ graceMs: 1_000 }))

  test('a plain form post from a web page moves nothing', async () => {
    const answer = await call(`${fake.url}/snapshot`, {
      body: 'a=b',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'http://evil.example' },
    })
    expect([answer.status, codeOf(answer)]).toEqual([403, 'FORBIDDEN_ORIGIN'])
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    expect(fake.executions.requests).toEqual([])
  })

  test('a name that was made to point here is refused, on every route, streams included', async () => {
    for (const path of ['/ping', '/events', '/nothing']) {
      const answer = await call(`${fake.url}${path}`, { headers: { Host: 'evil.example' } })
      expect([answer.status, codeOf(answer)]).toEqual([403, 'FORBIDDEN_HOST'])
      expect(answer.json).toMatchObject({ error: { hint: expect.any(String) } })
    }
    const twice = await rawCall(
      fake.port,
      'GET /ping HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
    )
    expect(twice).toContain('FORBIDDEN_HOST')
  })

  test('an allowed page gets its headers, on answers and refusals alike', async () => {
    for (const [path, status] of [
      ['/ping', 200],
      ['/nothing', 404],
    ] as const) {
      const answer = await call(`${fake.url}${path}`, { headers: { Origin: allowed } })
      expect(answer.status).toBe(status)
      expect(answer.headers['access-control-allow-origin']).toBe(allowed)
      expect(answer.headers['access-control-expose-headers']).toContain('Svc-Execution-Id, Svc-Skill-Run')
      expect(answer.headers.vary).toBe('Origin')
    }
    const other = await call(`${fake.url}/ping`, { headers: { Origin: 'http://other.example:81' } })
    expect(other.headers['access-control-allow-origin']).toBe('http://other.example:81')
  })

  test('an allowed page may read the stream', async () => {
    const { readEvents } = await import('../../support/http/http-client.ts')
    const reader = await readEvents(`${fake.url}/events`, { Origin: allowed })
    expect(reader.headers['access-control-allow-origin']).toBe(allowed)
    reader.close()
  })

  test('every header of our own that an answer carries can be read by that page', async () => {
    const { headers } = await call(`${fake.url}/snapshot`, { body: {}, headers: { Origin: allowed } })
    const exposed = headers['access-control-expose-headers']?.toLowerCase().split(', ')
    const own = Object.keys(headers).filter(name => name.startsWith('svc-'))
    expect(own).toContain('svc-execution-id')
    // Answers that another host of a fleet gave name it.
    expect(exposed).toEqual(expect.arrayContaining([...own, 'svc-host']))
  })

  test('preflight', async () => {
    const headers = {
      Origin: allowed,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type,idempotency-key',
      'Access-Control-Request-Private-Network': 'true',
    }
    const answer = await call(`${fake.url}/execute`, { method: 'OPTIONS', headers })
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': allowed,
      'access-control-allow-methods': expect.stringContaining('DELETE'),
      'access-control-allow-headers': expect.stringMatching(/Content-Type.*Idempotency-Key/),
      'access-control-allow-private-network': 'true',
    })
    const allowedHeaders = answer.headers['access-control-allow-headers']?.split(', ')
    expect(allowedHeaders).toEqual(
      expect.arrayContaining(['Authorization', 'Content-Type', 'Idempotency-Key', 'Last-Event-ID', 'Svc-Skill-Run']),
    )
    const refused = await call(`${fake.url}/execute`, {
      method: 'OPTIONS',
      headers: { ...headers, Origin: 'https://evil.example' },
    })
    expect([refused.status, codeOf(refused)]).toEqual([403, 'FORBIDDEN_ORIGIN'])
  })
})
