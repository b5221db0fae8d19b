/** Section Common conventions: what counts as a body, over a real socket. */
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BODY_BYTES } from '../../../src/contracts/limits/limits.ts'
import { type CallOptions, call, codeOf, openWire } from '../../support/http/http-client.ts'
import { type FakeServer, startFake } from '../../support/http/http-server.ts'
import { until } from '../../support/until.ts'

let fake: FakeServer
beforeAll(async () => {
  fake = await startFake()
})
afterAll(() => fake.server.close({ graceMs: 1_000 }))
beforeEach(() => {
  fake.executions.requests = []
})

const snapshot = (options: CallOptions) => call(`${fake.url}/snapshot`, { method: 'POST', ...options })
const ROUTES = ['/execute', '/snapshot', '/screenshot']

describe.each(ROUTES)('%s', path => {
  const post = (options: CallOptions) => call(`${fake.url}${path}`, { method: 'POST', ...options })

  test.each([
    ['no body', {}],
    ['an empty body', { headers: { 'Content-Type': 'application/json', 'Content-Length': '0' } }],
    ['an empty chunked body', { headers: { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' } }],
    ['a list', { body: [] }],
    ['a list with an object in it', { body: [{}] }],
    ['null', { body: 'null' }],
    ['a number', { body: '1' }],
    ['a text', { body: '"{}"' }],
    ['a boolean', { body: 'true' }],
    ['a form', { body: 'execution=1', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }],
    ['JSON sent as text', { body: '{}', headers: { 'Content-Type': 'text/plain' } }],
    ['JSON in another charset', { body: '{}', headers: { 'Content-Type': 'application/json; charset=latin1' } }],
    ['gzip', { body: gzipSync('{}'), headers: { 'Content-Encoding': 'gzip' } }],
    ['what only says that it is gzip', { body: '{}', headers: { 'Content-Encoding': 'gzip' } }],
  ] as [string, CallOptions][])('%s is INVALID_BODY', async (_, options) => {
    const answer = await post(options)
    expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_BODY'])
    expect(answer.headers['content-type']).toBe('application/json')
  })

  test.each([
    ['nothing but white space', ' \n '],
    ['cut', '{"a":'],
    ['a comment', '{/* */}'],
    ['single quotes', "{'a':1}"],
    ['a comma too many', '{"a":1,}'],
    ['two values', '{}{}'],
    ['a byte order mark', '\ufeff{}'],
    ['NUL', '{"a":"\0"}'],
    ['a control character', '{"a":"\u0001"}'],
    ['not UTF-8', Buffer.from('{"a":"\xe9"}', 'latin1')],
    ['an encoded surrogate', Buffer.from([...Buffer.from('{"a":"'), 0xed, 0xa0, 0x80, ...Buffer.from('"}')])],
    ['UTF-16', Buffer.from('{}', 'utf16le')],
    ['NaN', '{"a":NaN}'],
    ['10,000 lists in each other', `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
    ['10,000 objects in each other', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['lists that never end', '['.repeat(100_000)],
  ])('%s is INVALID_JSON', async (_, body) => {
    const answer = await post({ body })
    expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_JSON'])
  })
})

test('malformed JSON is named with its place', async () => {
  const { json } = await snapshot({ body: '{\n  "deviceId": tru\n}' })
  expect(json).toMatchObject({
    ok: false,
    error: { code: 'INVALID_JSON', message: expect.stringContaining('line 2'), details: { line: 2, position: 16 } },
  })
})

describe('what is taken', () => {
  test.each([
    ['the least', { body: '{}' }],
    ['white space around it', { body: ' \r\n{}\t' }],
    ['a key that is there twice, the last of which counts', { body: '{"deviceId":5,"deviceId":"d1"}' }],
    ['a charset in capitals', { body: '{}', headers: { 'Content-Type': 'application/json; charset="UTF-8"' } }],
    ['identity', { body: '{}', headers: { 'Content-Encoding': 'identity' } }],
    ['chunked', { body: '{}', headers: { 'Transfer-Encoding': 'chunked', 'Content-Type': 'application/json' } }],
    ['a blank deviceId', { body: { deviceId: ' ' } }],
  ] as [string, CallOptions][])('%s', async (_, options) => {
    expect((await snapshot(options)).status).toBe(200)
    expect(Object.prototype).not.toHaveProperty('deviceId')
  })

  test.each([
    ['device', { body: { device: 'd1' } }, 'device', '"deviceId"'],
    ['device_id', { body: { device_id: 'd1' } }, 'device_id', '"deviceId"'],
    ['what is like no field', { body: { note: '\ud800', constructor: 2 } }, 'note', undefined],
    ['__proto__', { body: '{"__proto__":{"deviceId":5},"constructor":{"prototype":{}}}' }, '__proto__', undefined],
  ] as [string, CallOptions, string, string | undefined][])('but not %s', async (_, options, field, meant) => {
    const { status, json } = await snapshot(options)
    const { error } = json as { error: Record<string, unknown> }
    expect([status, error.code]).toEqual([400, 'INVALID_BODY'])
    expect(error.details).toMatchObject({
      field,
      path: '',
      allowed: ['deviceId', 'operatorPackage', 'format', 'since', 'waitMs'],
    })
    expect(error.message).toContain(JSON.stringify(field))
    if (meant === undefined) expect(error.message).not.toContain('did you mean')
    else expect(error.message).toContain(`did you mean ${meant}?`)
    expect(error.hint).toContain('deviceId, operatorPackage')
    expect(Object.prototype).not.toHaveProperty('deviceId')
  })

  test('a blank deviceId is not handed on', async () => {
    await snapshot({ body: { deviceId: ' ' } })
    expect(fake.executions.requests.map(({ deviceId }) => deviceId)).toEqual([undefined])
  })
})

describe('the limit of 102,400 bytes', () => {
  const bodyOf = (bytes: number) => `{"deviceId":"${'x'.repeat(bytes - 15)}"}`

  test('is counted in bytes, not in characters', async () => {
    expect((await snapshot({ body: bodyOf(BODY_BYTES) })).status).toBe(200)
    expect((await snapshot({ body: bodyOf(BODY_BYTES + 1) })).status).toBe(413)
    const wide = `{"deviceId":"${'\u20ac'.repeat(40_000)}"}`
    expect(wide.length).toBeLessThan(BODY_BYTES)
    expect((await snapshot({ body: wide })).status).toBe(413)
  })

  test('holds without a content-length, before anything is parsed', async () => {
    const headers = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }
    const answer = await snapshot({ body: `${bodyOf(BODY_BYTES)} `, headers })
    expect([answer.status, codeOf(answer)]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    expect((await snapshot({ body: bodyOf(BODY_BYTES), headers })).status).toBe(200)
  })

  test('an answer comes whole to a caller who sends 5 MB and asks for the connection to be closed', async () => {
    for (let attempt = 0; attempt < 5; attempt++) {
      const answer = await snapshot({ body: bodyOf(5_000_000), headers: { Connection: 'close' } })
      expect([answer.status, codeOf(answer)]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    }
  })

  test('a caller who announces too much and sends nothing is answered all the same', async () => {
    const wire = openWire(fake.port)
    wire.socket.write(
      'POST /snapshot HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9999999999\r\n\r\n',
    )
    await until(() => wire.received().includes('PAYLOAD_TOO_LARGE'), 'the answer')
    wire.socket.destroy()
  })

  test('the connection goes on after a body that was a little too large', async () => {
    const wire = openWire(fake.port)
    const head = (bytes: number) =>
      `POST /snapshot HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`
    wire.socket.write(head(BODY_BYTES + 1) + bodyOf(BODY_BYTES + 1))
    await until(() => wire.received().includes('PAYLOAD_TOO_LARGE'), 'the refusal')
    wire.socket.write(`${head(2)}{}`)
    await until(() => wire.received().includes('"ok":true'), 'the next answer')
    wire.socket.destroy()
  })
})

test('nothing that was refused has reached an execution', async () => {
  await snapshot({ body: '[]' })
  await snapshot({ body: '{' })
  await call(`${fake.url}/execute`, { body: {} })
  expect(fake.executions.requests).toEqual([])
})
