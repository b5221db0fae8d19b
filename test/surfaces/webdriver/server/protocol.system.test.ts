/** The form of the protocol over real HTTP: paths, methods, bodies, and what is answered to clients of JSON Wire. */
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rawCall } from '../../../support/http/http-client.ts'
import { until } from '../../../support/until.ts'
import {
  askWire,
  startWebDriverLab,
  type TestSession,
  type WebDriverLab,
} from '../../../support/webdriver/webdriver-lab.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

let lab: WebDriverLab
let session: TestSession
beforeAll(async () => {
  lab = await startWebDriverLab({ webDriver: 'beside' })
  session = await lab.session()
})
afterAll(() => lab.close())

describe('answers', () => {
  test('have the form and the headers of W3C, below both base paths', async () => {
    for (const base of ['', '/wd/hub']) {
      const status = await lab.ask('GET', `${base}/status`)
      expect(status).toMatchObject({ status: 200, value: { ready: true, build: { version: expect.any(String) } } })
      expect(status.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(status.headers.get('cache-control')).toBe('no-cache')
      expect((await lab.ask('GET', `${base}${session.path}/timeouts`)).value).toMatchObject({ implicit: 0 })
    }
  })

  test('a command that does nothing to the phone names no execution, and one that acts does', async () => {
    expect((await session.get('/timeouts')).headers.get('svc-execution-id')).toBeNull()
    expect((await session.post('/back')).headers.get('svc-execution-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  test.each([
    ['GET', '/session/x/nope', 404, 'unknown command'],
    ['GET', '/wd/hub/nope', 404, 'unknown command'],
    ['PUT', '/session', 405, 'unknown method'],
    ['GET', '/session', 405, 'unknown method'],
    ['PATCH', '/session/x/element', 405, 'unknown method'],
    ['GET', '/session/x', 404, 'invalid session id'],
    ['DELETE', '/session/x', 404, 'invalid session id'],
    ['POST', '/session/x/back', 404, 'invalid session id'],
  ] as const)('%s %s: %i %s', async (method, path, status, error) => {
    const answer = await lab.ask(method, path, method === 'POST' ? {} : undefined)
    expect(answer).toMatchObject({ status, value: { error, message: expect.any(String), stacktrace: '' } })
  })

  test('beside the API, whose routes and errors stay as they are', async () => {
    expect((await fetch(`${lab.url}/ping`)).status).toBe(200)
    expect(await (await fetch(`${lab.url}/nope`)).json()).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } })
  })
})

describe('bodies', () => {
  test.each(['[]', '3', '"x"', 'null', '{', '{"a":1}}'])('%s is an invalid argument', async body => {
    expect(await lab.ask('POST', `${session.path}/timeouts`, body)).toMatchObject({
      status: 400,
      value: { error: 'invalid argument' },
    })
  })

  test('a missing one counts as an empty object', async () => {
    expect((await askWire(lab.url, 'POST', `${session.path}/timeouts`)).status).toBe(200)
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', undefined])(
    'of the type %s are refused, whatever the command does with them',
    async type => {
      for (const path of ['/session', `${session.path}/timeouts`, `${session.path}/back`]) {
        const answer = await fetch(`${lab.url}${path}`, {
          method: 'POST',
          body: Buffer.from('{"script":7}'),
          headers: type === undefined ? {} : { 'content-type': type },
        })
        expect(answer.status).toBe(400)
        const { value } = (await answer.json()) as { value: object }
        expect(value).toEqual({
          error: 'invalid argument',
          message: expect.stringContaining('application/json'),
          stacktrace: '',
        })
      }
    },
  )

  test('JSON Wire is refused by name', async () => {
    const created = await lab.ask('POST', '/session', { desiredCapabilities: { platformName: 'Android' } })
    expect(created).toMatchObject({ status: 400, value: { error: 'invalid argument' } })
    expect(created.value.message).toContain('desiredCapabilities')
    const element = await session.find('class name', 'android.widget.TextView')
    const typed = await session.post(`/element/${element}/value`, { value: ['a', 'b'] })
    expect(typed).toMatchObject({ status: 400, value: { error: 'invalid argument' } })
    expect(typed.value.message).toContain('JSON Wire')
  })

  test('of a megabyte are read here, and by no route of the API', async () => {
    const text = 'x'.repeat(1_048_576)
    expect((await lab.ask('POST', `${session.path}/timeouts`, { text })).status).toBe(200)
    const api = await fetch(`${lab.url}/execute`, {
      method: 'POST',
      body: JSON.stringify({ text }),
      headers: { 'content-type': 'application/json' },
    })
    expect(api.status).toBe(413)
  })

  test('that announce more than 64 MiB are refused before they are read', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const sent = request(
        `${lab.url}${session.path}/timeouts`,
        { method: 'POST', headers: { ...JSON_TYPE, 'content-length': String(65 * 1_048_576) } },
        incoming => {
          let text = ''
          incoming.setEncoding('utf8').on('data', part => {
            text += part
          })
          incoming.on('end', () => {
            sent.destroy()
            resolve(text)
          })
        },
      )
      sent.on('error', reject)
      sent.write('{')
    })
    expect(JSON.parse(answer)).toMatchObject({ value: { error: 'invalid argument' } })
    expect(answer).toContain('67108864')
  })
})

test('bodies of many clients at once are bounded, and there is room again when they leave', async () => {
  const part = Buffer.alloc(60 * 1_048_576, ' ')
  const send = () => {
    const sent = request(`${lab.url}${session.path}/timeouts`, {
      method: 'POST',
      headers: { ...JSON_TYPE, 'content-length': String(part.length + 2) },
    })
    sent.on('error', () => {})
    return sent
  }
  const holders = [1, 2, 3, 4].map(send)
  await Promise.all(holders.map(each => new Promise(resolve => each.write(part, resolve))))
  await until(
    async () => (await lab.ask('POST', `${session.path}/timeouts`, ' '.repeat(30 * 1_048_576))).status === 500,
    'the server to be full',
  )
  expect((await lab.ask('POST', `${session.path}/timeouts`, {})).status).toBe(200)
  const full = await lab.ask('POST', `${session.path}/timeouts`, ' '.repeat(30 * 1_048_576))
  expect(full.value).toMatchObject({ error: 'unknown error', message: expect.stringContaining('busy') })
  for (const each of holders) each.destroy()
  await until(
    async () => (await lab.ask('POST', `${session.path}/timeouts`, ' '.repeat(30 * 1_048_576))).status === 200,
    'room',
  )
})

test('pages of other origins create no session', async () => {
  const answer = await fetch(`${lab.url}/session`, {
    method: 'POST',
    body: '{"capabilities":{}}',
    headers: { origin: 'http://evil.example', 'content-type': 'text/plain' },
  })
  expect(answer.status).toBe(403)
})

test.each([{ implicit: -1 }, { implicit: 0.5 }, { implicit: '5' }, { pageLoad: null }, { implicit: 600_001 }])(
  'the timeouts %j are refused, and nothing of them counts',
  async timeouts => {
    const before = (await session.get('/timeouts')).value
    expect(await session.post('/timeouts', { script: 7, ...timeouts })).toMatchObject({ status: 400 })
    expect((await session.get('/timeouts')).value).toEqual(before)
  },
)

describe('what no route sees has the form of W3C on its paths', () => {
  const head = (line: string, ...headers: string[]) => [line, 'Connection: close', ...headers, '', ''].join('\r\n')
  const host = 'Host: localhost'
  const portOf = () => Number(new URL(lab.url).port)
  const wireCall = async (text: string) => {
    const answer = await rawCall(portOf(), text)
    const at = answer.indexOf('\r\n\r\n')
    return { status: Number(answer.split(' ')[1]), json: JSON.parse(answer.slice(at + 4)) }
  }

  test.each([
    ['another host', head('GET /status HTTP/1.1', 'Host: evil.example'), 403, 'unknown error'],
    ['broken encoding', head('GET /session/%zz/source HTTP/1.1', host), 400, 'invalid argument'],
    [
      'headers that are too large',
      head('GET /status HTTP/1.1', host, `X: ${'x'.repeat(20_000)}`),
      413,
      'invalid argument',
    ],
    ['a rare method', head('PROPFIND /session HTTP/1.1', host), 405, 'unknown method'],
    ['an unknown method', head('NOPE /session HTTP/1.1', host), 400, 'invalid argument'],
    ['an unknown path', head('GET http://localhost/session/x/nope HTTP/1.1', host), 404, 'unknown command'],
  ] as const)('%s', async (_, text, status, error) => {
    const answer = await wireCall(text)
    expect(answer).toMatchObject({ status, json: { value: { error, message: expect.any(String), stacktrace: '' } } })
  })

  test('an absolute target is its path', async () => {
    const answer = await wireCall(head(`GET http://localhost${session.path}/timeouts HTTP/1.1`, host))
    expect(answer).toMatchObject({ status: 200, json: { value: { pageLoad: 300_000 } } })
  })

  test('the API keeps its own', async () => {
    const answer = await wireCall(head('GET /devices HTTP/1.1', 'Host: evil.example'))
    expect(answer.json).toMatchObject({ ok: false, error: { code: 'FORBIDDEN_HOST' } })
  })
})
