/** Requests of scripts, against a server of this test. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { RESPONSES_CHARS_MAX } from '../../../../src/service/flows/script/evaluation-effects.ts'
import { outcomeOf, place, startScripts } from './start-scripts.ts'

const readAll = async (request: IncomingMessage) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const misdirected: string[] = []

const answers: Record<string, (request: IncomingMessage, response: ServerResponse) => unknown> = {
  '/echo': async (request, response) => {
    response.setHeader('Content-Type', 'application/json')
    response.setHeader('Set-Cookie', ['a=1', 'b=2'])
    const { method, headers } = request
    response.end(JSON.stringify({ method, headers, body: await readAll(request) }))
  },
  '/missing': (_, response) => response.writeHead(404).end('not here'),
  '/moved': (_, response) => response.writeHead(302, { location: '/echo' }).end(),
  '/circle': (_, response) => response.writeHead(302, { location: '/circle' }).end(),
  '/misdirected': async (request, response) => {
    misdirected.push(await readAll(request))
    response.writeHead(421).end('elsewhere')
  },
  '/latin': (_, response) => {
    response.setHeader('Content-Type', 'text/plain; charset=iso-8859-1')
    response.end(Buffer.from('\xe9', 'latin1'))
  },
  '/zipped': (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('zipped')),
  '/large': (_, response) => response.end('x'.repeat(9 * 1_024 * 1_024)),
  '/too-large': (_, response) => response.end('x'.repeat(11 * 1_024 * 1_024)),
  '/hanging': () => {},
  '/halfway': (_, response) => response.writeHead(200).write('half'),
  '/cut': (_, response) => response.writeHead(200, { 'content-length': 10 }).write('half', () => response.destroy()),
}

const server = createServer((request, response) => {
  const answer = answers[new URL(request.url ?? '/', 'http://host').pathname]
  if (answer) void answer(request, response)
  else response.writeHead(500).end()
})
let URL_OF_SERVER = ''
beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  URL_OF_SERVER = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const at = (env: Record<string, string> = {}) => place({ env: { BASE: URL_OF_SERVER, ...env } })
const run = async (source: string, env?: Record<string, string>) => startScripts().evaluate(source, at(env))
const valueFrom = async (source: string): Promise<unknown> => {
  const answer = await run(source)
  return answer.ok ? answer.value : answer.problem
}

describe('what is sent', () => {
  const sent = (call: string) => valueFrom(`json(${call}.body)`)

  test.each([
    ['http.get(BASE + "/echo", { headers: { "X-Token": 5 } })', { method: 'GET', headers: { 'x-token': '5' } }],
    ['http.post(BASE + "/echo", { body: JSON.stringify({ a: 1 }) })', { method: 'POST', body: '{"a":1}' }],
    ['http.put(BASE + "/echo", { body: "text" })', { method: 'PUT', body: 'text' }],
    ['http.delete(BASE + "/echo")', { method: 'DELETE', body: '' }],
    ['http.request(BASE + "/echo", { method: "patch", body: "p" })', { method: 'PATCH', body: 'p' }],
    ['http.request(BASE + "/echo")', { method: 'GET' }],
    ['http.get(BASE + "/moved")', { method: 'GET' }],
    [
      'http.get(BASE.replace("//", "//us%20er:pass@") + "/echo")',
      { headers: { authorization: `Basic ${Buffer.from('us er:pass').toString('base64')}` } },
    ],
  ])('%s', async (call, request) => {
    expect(await sent(call)).toMatchObject(request)
  })

  test('a form, with a file that is found from the folder of the script', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-scripts-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'data.csv'), 'a;b')
    const source = `http.post(BASE + '/echo', { multipartForm: { kind: 'import', data: { filePath: 'data.csv', mediaType: 'text/csv' } } }).body`
    const answer = await startScripts().evaluate(source, { ...at(), file: join(folder, 'upload.js') })
    const { body, headers } = JSON.parse(outcomeOf(answer))
    expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    expect(body).toMatch(/name="kind"\r\n\r\nimport\r\n/)
    expect(body).toMatch(/name="data"; filename="data.csv"\r\nContent-Type: text\/csv\r\n\r\na;b\r\n/)
  })

  test('files that a script may not have, or that are none', async () => {
    const send = (file: string) => `http.post(BASE + '/echo', { multipartForm: { a: { filePath: '${file}' } } })`
    expect(outcomeOf(await run(send('/')))).toMatch(/the file \/ of the form cannot be read: it is not a file\.$/)
    expect(outcomeOf(await run(send('none.txt')))).toMatch(/cannot be read: ENOENT/)
    const openFile = async (file: string): Promise<never> => {
      throw new Error(`${file} is not below a root`)
    }
    const answer = await startScripts({ openFile }).evaluate(send('../a.txt'), at())
    expect(outcomeOf(answer)).toMatch(/cannot be read: \/a\.txt is not below a root\.$/)
  })
})

describe('what comes back', () => {
  test.each([
    ['http.get(BASE + "/missing")', { ok: false, status: 404, body: 'not here' }],
    ['http.get(BASE + "/latin").body', '\xe9'],
    ['http.get(BASE + "/zipped").body', 'zipped'],
    ['http.get(BASE + "/large").body.length', 9 * 1_024 * 1_024],
    [
      'const { ok, status, headers } = http.get(BASE + "/echo"); [ok, status, headers["content-type"], headers["set-cookie"]]',
      [true, 200, 'application/json', 'a=1,b=2'],
    ],
  ])('%s', async (source, value) => {
    const found = await valueFrom(source)
    if (typeof value === 'object' && !Array.isArray(value)) expect(found).toMatchObject(value)
    else expect(found).toEqual(value)
  })
})

describe('what goes wrong is an error that the script can catch', () => {
  test.each([
    [
      'http.get(BASE + "/hanging?token=secret", { timeout: 100 })',
      /GET http:\/\/127\.0\.0\.1:\d+\/hanging: no response within 100 ms\./,
    ],
    ['http.get(BASE + "/halfway", { timeout: 100 })', /no response within 100 ms/],
    ['http.get(BASE + "/cut")', /failed: /],
    ['http.get(BASE + "/too-large")', /the response has more than 10485760 bytes/],
    ['http.get(BASE + "/circle")', /failed: .*the same request again/],
    ['http.get("http://127.0.0.1:1/")', /failed: /],
    ['http.get("file:///etc/passwd")', /needs an address that begins with http/],
    ['http.get(undefined)', /needs an address/],
    ['http.get(BASE + "/echo", { body: "b" })', /failed: .*body/],
    ['http.post(BASE, { body: { a: 1 } })', /body must be a string. Write JSON\.stringify/],
    ['http.post(BASE, { headers: { "a b": 1 } })', /failed: /],
    ['http.post(BASE, { multipartForm: 5 })', /multipartForm must be an object/],
    ['http.get(BASE, { timeout: "soon" })', /timeout must be a number of milliseconds/],
  ])('%s', async (call, problem) => {
    expect(outcomeOf(await run(call))).toMatch(problem)
    const caught = await run(`try { ${call} } catch (error) { error instanceof Error }`)
    expect(outcomeOf(caught)).toBe('true')
  })

  test('a timeout of the environment holds for all requests', async () => {
    const answer = await run('http.get(BASE + "/hanging")', { MAESTRO_JS_HTTP_TIMEOUT: ' 150 ' })
    expect(outcomeOf(answer)).toMatch(/no response within 150 ms/)
  })

  test('without one, the request ends before its script has to', async () => {
    const { evaluate } = startScripts({ timeoutMs: 3_000 })
    expect(await evaluate('http.get(BASE + "/hanging")', at())).toMatchObject({ kind: 'threw' })
    expect(outcomeOf(await evaluate('"still here"', at()))).toBe('still here')
  })
})

describe('all responses that the scripts of an attempt get', () => {
  const fetchLarge = () => `http.get('${URL_OF_SERVER}/large').body.length`

  test('have a bound, beyond which nothing is sent', async () => {
    const scripts = startScripts()
    const intents: unknown[] = []
    const large = await scripts.evaluate(fetchLarge(), place({ onRequest: async intent => void intents.push(intent) }))
    const [response] = large.effects.flatMap(effect => (effect.kind === 'http' ? [effect.response] : []))
    if (!response || 'problem' in response) throw new Error('no response')
    const fitting = Math.ceil(RESPONSES_CHARS_MAX / response.body.length)
    for (let made = 1; made < fitting; made += 1)
      expect(outcomeOf(await scripts.evaluate(fetchLarge(), place()))).toBe(String(response.body.length))
    const onRequest = async (intent: unknown) => void intents.push(intent)
    const refused = await scripts.evaluate(fetchLarge(), place({ onRequest }))
    expect(refused).toMatchObject({ ok: false, kind: 'threw' })
    expect(outcomeOf(refused)).toContain(
      `The scripts of this flow have made 10000 requests or received ${RESPONSES_CHARS_MAX} characters in all, and a flow may have no more.`,
    )
    expect(intents).toHaveLength(1)
    expect(outcomeOf(await scripts.evaluate('1 + 1', place())), 'later scripts run').toBe('2')
  })

  test('count also where they are repeated from the record', async () => {
    const large = await startScripts().evaluate(fetchLarge(), place())
    const scripts = startScripts()
    const { body } = large.effects.flatMap(effect =>
      effect.kind === 'http' && 'body' in effect.response ? [effect.response] : [],
    )[0] ?? { body: '' }
    for (let made = 0; made * body.length < RESPONSES_CHARS_MAX; made += 1)
      expect(outcomeOf(await scripts.evaluate(fetchLarge(), place({ recorded: large.effects })))).toBe(
        String(body.length),
      )
    expect(outcomeOf(await scripts.evaluate(fetchLarge(), place()))).toContain('a flow may have no more')
  })
})

describe('a header content-length', () => {
  const post = (length: string) =>
    `http.post('${URL_OF_SERVER}/echo', { body: 'äb', headers: { 'Content-Length': '${length}' } }).status`

  test.each(['1', '2', '4', '100', '-1', '1e3', 'three'])(
    'of %s for a body of three bytes is refused at once',
    async length => {
      const intents: unknown[] = []
      const onRequest = async (intent: unknown) => void intents.push(intent)
      const began = performance.now()
      expect(outcomeOf(await startScripts().evaluate(post(length), place({ onRequest })))).toBe(
        `Error: POST ${URL_OF_SERVER}/echo was not sent: its header content-length is ${length}, and its body has 3 bytes. Leave the header out: it is set.`,
      )
      expect(performance.now() - began).toBeLessThan(20_000)
      expect(intents).toEqual([])
    },
  )

  test('of the right length is sent', async () => {
    expect(outcomeOf(await startScripts().evaluate(post('3'), place()))).toBe('200')
  })
})

test('a request that the server answers with 421 is sent once', async () => {
  expect(outcomeOf(await run('http.post(BASE + "/misdirected", { body: "pay" })'))).toMatch(
    /the same request again, and svc sends a request once/,
  )
  expect(misdirected).toEqual(['pay'])
})

test('a server that is down is named with its port', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  const answer = await startScripts().evaluate(`http.get('http://127.0.0.1:${port}/a')`, place())
  expect(outcomeOf(answer)).toContain(`the connection was refused: nothing listens at 127.0.0.1, port ${port}`)
})
