/** Bytes on a socket that are not a request, not yet a request, or a strange one: JSON or a closed connection, never a hang. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, codeOf, openWire, rawCall } from '../../support/http/http-client.ts'
import { type FakeServer, startFake } from '../../support/http/http-server.ts'
import { until, wait } from '../../support/until.ts'

let fake: FakeServer
beforeAll(async () => {
  fake = await startFake({}, { clientLimits: { headers: 700, request: 1_000, linger: 300, take: 1_500 } })
})
afterAll(() => fake.server.close({ graceMs: 1_000 }))

const REQUEST_END = 'Host: localhost\r\nConnection: close\r\n\r\n'
const get = (target: string) => `GET ${target} HTTP/1.1\r\n${REQUEST_END}`

interface Parts {
  status: number
  json: { ok?: boolean; error?: { code?: string } }
}

const partsOf = (text: string): Parts => {
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1])
  return { status, json: JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) }
}

describe('garbage', () => {
  test.each([
    ['no HTTP at all', '\0\x01\x02\xff\xfe garbage\r\n\r\n'],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a method nobody knows', `BREW /ping HTTP/1.1\r\n${REQUEST_END}`],
    ['a strange version', 'GET /ping HTTP/9.9\r\n\r\n'],
    ['a header without a colon', 'GET /ping HTTP/1.1\r\nHost localhost\r\n\r\n'],
    ['a header with NUL', 'GET /ping HTTP/1.1\r\nHost: local\0host\r\n\r\n'],
    ['a negative length', 'POST /snapshot HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n'],
    ['a length of words', 'POST /snapshot HTTP/1.1\r\nHost: localhost\r\nContent-Length: ten\r\n\r\n'],
    ['two lengths', 'POST /snapshot HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} '],
    [
      'a length and chunks',
      'POST /snapshot HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a space in the target', `GET /pi ng HTTP/1.1\r\n${REQUEST_END}`],
  ])('%s is answered with 400 in JSON', async (_, bytes) => {
    const { status, json } = partsOf(await rawCall(fake.port, bytes))
    expect([status, json.ok, json.error?.code]).toEqual([400, false, 'INVALID_BODY'])
  })

  test('a bad chunk after good headers', async () => {
    const head = `POST /snapshot HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n${REQUEST_END}`
    expect(partsOf(await rawCall(fake.port, `${head}zz\r\n{}\r\n`)).status).toBe(400)
  })

  test('headers over 16 KiB', async () => {
    const text = await rawCall(fake.port, `GET /ping HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n${REQUEST_END}`)
    expect(partsOf(text)).toMatchObject({ status: 413, json: { error: { code: 'PAYLOAD_TOO_LARGE' } } })
  })

  test('CONNECT: this is not a proxy', async () => {
    const text = await rawCall(fake.port, `CONNECT example.com:443 HTTP/1.1\r\n${REQUEST_END}`)
    expect(partsOf(text)).toMatchObject({ status: 405, json: { error: { code: 'METHOD_NOT_ALLOWED' } } })
  })

  test('random bytes of many kinds leave the server as it was', async () => {
    let seed = 7
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed / 2_147_483_648
    }
    const starts = ['', 'GET /', 'POST /execute HTTP/1.1\r\n', `POST /snapshot HTTP/1.1\r\n${REQUEST_END}`]
    for (let round = 0; round < 40; round++) {
      const noise = Buffer.from(Array.from({ length: 200 }, () => Math.floor(random() * 256)))
      const start = Buffer.from(starts[round % starts.length] ?? '')
      const wire = openWire(fake.port)
      wire.socket.end(Buffer.concat([start, noise]))
      await wire.closed
      expect(wire.received()).not.toMatch(/^HTTP\/1\.1 5/)
    }
    expect((await call(`${fake.url}/ping`)).text).toBe('{"ok":true}')
    expect(fake.notes).toEqual([])
  })
})

test('garbage behind a request that is being answered does not become its answer', async () => {
  let finish = () => {}
  const gate = new Promise<void>(resolve => {
    finish = resolve
  })
  const { answer } = fake.executions
  fake.executions.answer = async request => {
    await gate
    return answer(request)
  }
  const before = fake.executions.requests.length
  const wire = openWire(fake.port)
  wire.socket.write(
    'POST /snapshot HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{} rest\0of it\r\n\r\n',
  )
  await until(() => fake.executions.requests.length > before, 'the execution')
  await wait(50)
  expect(wire.received()).toBe('')
  finish()
  await wire.closed
  expect(partsOf(wire.received())).toMatchObject({ status: 200, json: { ok: true } })
  fake.executions.answer = answer
})

describe('strange but valid', () => {
  test.each([
    ['an absolute target', 'http://localhost/ping', 200],
    ['a fragment', '/ping#x', 200],
    ['dots', '/a/../ping', 200],
    ['a double slash', '//ping', 404],
    ['a slash at the end', '/ping/', 404],
    ['capitals', '/PING', 404],
    ['a backslash', '/ping\\x', 400],
  ])('%s', async (_, target, status) => {
    const answer = partsOf(await rawCall(fake.port, get(target)))
    expect(answer.status).toBe(status)
  })

  test('OPTIONS *', async () => {
    const { status, json } = partsOf(await rawCall(fake.port, `OPTIONS * HTTP/1.1\r\n${REQUEST_END}`))
    expect([status, json.error?.code]).toEqual([400, 'INVALID_QUERY'])
  })

  test('a GET with a body, and several requests at once', async () => {
    const body = 'GET /ping HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello'
    const text = await rawCall(fake.port, body + body + get('/ping'))
    expect(text.match(/\{"ok":true\}/g)).toHaveLength(3)
  })

  test('an upgrade is not done: the request is answered, and the connection ended', async () => {
    const upgrade = 'GET /ping HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
    expect(await rawCall(fake.port, upgrade + get('/ping'))).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*\{"ok":true\}$/)
  })

  test('an expectation nobody knows', async () => {
    const text = await rawCall(fake.port, `GET /ping HTTP/1.1\r\nExpect: tea\r\n${REQUEST_END}`)
    expect(partsOf(text)).toEqual({ status: 200, json: { ok: true } })
  })

  test('a stream asked for behind a request that takes long, by a caller who leaves', async () => {
    const { answer } = fake.executions
    fake.executions.answer = () => new Promise(() => {})
    const before = fake.executions.requests.length
    const wire = openWire(fake.port)
    const head = 'Host: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'
    wire.socket.write(`POST /snapshot HTTP/1.1\r\n${head}GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    await until(() => fake.executions.requests.length > before, 'the execution')
    wire.socket.destroy()
    fake.executions.answer = answer
    await wait(50)
    expect((await call(`${fake.url}/snapshot`, { body: {} })).status).toBe(200)
  })

  test('HTTP/1.0 with a host, and older ones without', async () => {
    expect(await rawCall(fake.port, 'GET /ping HTTP/1.0\r\nHost: localhost\r\n\r\n')).toContain('{"ok":true}')
    expect(await rawCall(fake.port, 'GET /ping\r\n\r\n')).toContain('FORBIDDEN_HOST')
    expect(await rawCall(fake.port, 'GET /ping HTTP/1.1\r\nConnection: close\r\n\r\n')).toContain('FORBIDDEN_HOST')
  })

  test.each([
    '/%',
    '/%ff',
    '/executions/%ff',
    '/executions/%c3%28',
    '/executions?deviceId=%',
    '/executions?%ff=1',
    '/%zz',
  ])('percent signs that begin nothing: %s', async target => {
    const { status, json } = partsOf(await rawCall(fake.port, get(target)))
    expect([status, json.error?.code]).toEqual([400, 'INVALID_QUERY'])
  })

  test.each(['/executions/%00', '/executions/%2e%2e', '/executions/a%2Fb', '/executions/%F0%9F%98%80', '/actors/%25'])(
    'what can be decoded is looked for: %s',
    async target => {
      expect(partsOf(await rawCall(fake.port, get(target))).status).toBe(404)
    },
  )
})

describe('callers who take their time', () => {
  test('half a header: the connection is ended', async () => {
    const wire = openWire(fake.port)
    wire.socket.write('GET /ping HTTP/1.1\r\nHost: loc')
    await wire.closed
    expect(partsOf(wire.received())).toMatchObject({ status: 400, json: { error: { code: 'INVALID_BODY' } } })
  })

  test('half a body: the connection is ended', async () => {
    const wire = openWire(fake.port)
    const head =
      'POST /snapshot HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n'
    wire.socket.write(`${head}{"a":`)
    await wire.closed
    expect(partsOf(wire.received()).json.error?.code).toBe('INVALID_BODY')
  })

  test('a body that comes drop by drop within the time is taken', async () => {
    const wire = openWire(fake.port)
    wire.socket.write(
      'POST /snapshot HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 17\r\n\r\n',
    )
    for (const drop of '{"deviceId": "d"}') {
      wire.socket.write(drop)
      await wait(20)
    }
    await until(() => wire.received().includes('"ok":true'), 'the answer')
    wire.socket.destroy()
  })

  test('a body that nobody reads and that never ends', async () => {
    const wire = openWire(fake.port)
    wire.socket.write('POST /nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\nabc')
    await wire.closed
    expect(wire.received()).toContain('NOT_FOUND')
  })

  test('a caller who never takes its answer', async () => {
    const big = 'x'.repeat(8_000_000)
    fake.executions.answer = request => ({
      deviceId: 'd1',
      result: {
        ok: true,
        deviceId: 'd1',
        terminalSource: 'svc_result',
        envelope: {
          commandId: request.execution.commandId,
          taskId: 't',
          status: 'success',
          stepResults: [{ id: 'snap', actionType: 'snapshot', success: true, data: { text: big } }],
          error: null,
        },
      },
    })
    const wire = openWire(fake.port)
    wire.socket.pause()
    wire.socket.write(
      'POST /snapshot HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
    )
    // The server gives up; what it had sent by then is here, and then the connection is over.
    await wait(6_000)
    wire.socket.resume()
    await wire.closed
    expect(wire.received().length).toBeLessThan(big.length)
  })

  test('a caller who leaves before its answer', async () => {
    let finish = () => {}
    const gate = new Promise<void>(resolve => {
      finish = resolve
    })
    let ended = false
    fake.executions.answer = async () => {
      await gate
      ended = true
      return { deviceId: 'd1', result: { ok: false, error: { code: 'NO_DEVICES', message: 'none' } } }
    }
    const wire = openWire(fake.port)
    wire.socket.write(
      'POST /snapshot HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
    )
    const before = fake.executions.requests.length
    await until(() => fake.executions.requests.length > before, 'the execution')
    wire.socket.destroy()
    await wire.closed
    expect(fake.executions.requests.at(-1)?.cancel).toBeUndefined()
    finish()
    await until(() => ended, 'the execution to go on to its end')
    expect(codeOf(await call(`${fake.url}/nothing`))).toBe('NOT_FOUND')
  })
})
