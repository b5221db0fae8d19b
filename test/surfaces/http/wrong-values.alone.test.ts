/** Each field of each body with each kind of wrong value, over a real socket: a 4xx with a code, never a 500. */
import { Agent, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mutations } from '../../contracts/mutations.ts'
import { around, FULL_ACTIONS } from '../../service/executions/payloads.ts'
import { type FakeServer, startFake } from '../../support/http/http-server.ts'
import { kindOf, type Path, pathsIn, valueAt } from '../../support/json-paths.ts'
import { heldMegabytes } from '../../support/memory.ts'
import { propertyCases } from '../../support/property-runs.ts'

let fake: FakeServer
/** Kept open, as a client that makes many mistakes would. */
const agent = new Agent({ keepAlive: true, maxSockets: 2 })
beforeAll(async () => {
  fake = await startFake()
})
afterAll(async () => {
  agent.destroy()
  await fake.server.close({ graceMs: 1_000 })
})

interface Reply {
  status: number
  type: string | undefined
  body: { ok?: boolean; error?: { code?: unknown; message?: unknown } }
}

const post = (path: string, json: string): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(json) }
    const sent = request(`${fake.url}${path}`, { method: 'POST', agent, headers }, received => {
      let text = ''
      received.setEncoding('utf8').on('data', chunk => {
        text += chunk
      })
      received.on('end', () =>
        resolve({
          status: received.statusCode ?? 0,
          type: received.headers['content-type'],
          body: JSON.parse(text),
        }),
      )
    })
    sent.on('error', reject)
    sent.end(json)
  })

const HUGE = '1e400'
/** JSON text, for some of it no JavaScript value can stand for. */
const WRONG: readonly { name: string; kind: string; json: string; alsoForItsKind?: boolean }[] = [
  { name: 'null', kind: 'null', json: 'null' },
  { name: 'a boolean', kind: 'boolean', json: 'true' },
  { name: 'a number', kind: 'number', json: '7' },
  { name: 'a text', kind: 'string', json: '"bogus"' },
  { name: 'a list', kind: 'array', json: '[1]' },
  { name: 'an object', kind: 'object', json: '{"bogus":1}' },
  { name: 'a huge number', kind: 'number', json: HUGE, alsoForItsKind: true },
  { name: 'a very negative number', kind: 'number', json: '-1e308', alsoForItsKind: true },
  { name: 'a text with NUL', kind: 'string', json: '"a\\u0000b"', alsoForItsKind: true },
  { name: 'a lone high surrogate', kind: 'string', json: '"a\\ud800"', alsoForItsKind: true },
  { name: 'a lone low surrogate', kind: 'string', json: '"\\udc00b"', alsoForItsKind: true },
]

const MARK = '\u2603'

/** The payload as JSON, with that text in that place. */
const withJson = (root: unknown, path: Path, json: string): string => {
  const copy = { root: JSON.parse(JSON.stringify(root)) }
  const full = ['root', ...path]
  const last = full.at(-1) ?? 'root'
  Object.assign(valueAt(copy, full.slice(0, -1)) as object, { [last]: MARK })
  return JSON.stringify(copy.root).replace(JSON.stringify(MARK), () => json)
}

const variantsOf = (root: unknown) =>
  pathsIn(root)
    .filter(path => path.length > 0)
    .flatMap(path =>
      WRONG.filter(({ kind, alsoForItsKind }) => alsoForItsKind || kind !== kindOf(valueAt(root, path))).map(wrong => ({
        what: `${path.join('.')}: ${wrong.name}`,
        json: withJson(root, path, wrong.json),
      })),
    )

const bodies = {
  '/snapshot': { deviceId: 'd1', operatorPackage: 'com.example' },
  '/screenshot': { deviceId: 'd1', operatorPackage: 'com.example', path: '/tmp/a.png' },
  '/execute': { execution: around(FULL_ACTIONS[0]), deviceId: 'd1', operatorPackage: 'com.example' },
}

/** Texts are what these fields hold: only what no text may hold is wrong. Validation is asked for the fields of each action. */
const tried = Object.entries(bodies).map(([path, body]) => ({ name: path, path, variants: variantsOf(body) }))

describe.each(tried)('$name', ({ path, variants }) => {
  test('every wrong value is refused with a code', async () => {
    const answers = await Promise.all(
      propertyCases(variants).map(async ({ what, json }) => ({ what, ...(await post(path, json)) })),
    )
    const isRefusal = ({ status, type, body: { ok, error } }: Reply) =>
      status === 400 &&
      type === 'application/json' &&
      ok === false &&
      /^[A-Z][A-Z_]+$/.test(String(error?.code)) &&
      error?.message !== ''
    expect(answers.filter(answer => !isRefusal(answer))).toEqual([])
  })
})

test('whatever is damaged in a payload, the answer is 200 or 4xx', async () => {
  const answers = await Promise.all(
    propertyCases(mutations(bodies['/execute'])).map(async ({ what, value }) => {
      const { status } = await post('/execute', JSON.stringify(value) ?? 'null')
      return { what, status }
    }),
  )
  expect(answers.filter(({ status }) => status !== 200 && (status < 400 || status > 499))).toEqual([])
})

test('the fields have the codes of the contract', async () => {
  const codeFor = async (path: string, body: unknown) => (await post(path, JSON.stringify(body))).body.error?.code
  for (const path of Object.keys(bodies)) {
    const execution = path === '/execute' ? { execution: {} } : {}
    expect(await codeFor(path, { ...execution, deviceId: 1 })).toBe('INVALID_DEVICE_ID')
    expect(await codeFor(path, { ...execution, operatorPackage: '' })).toBe('INVALID_OPERATOR_PACKAGE')
    expect(await codeFor(path, { ...execution, operatorPackage: ' ' })).toBe('INVALID_OPERATOR_PACKAGE')
  }
  expect(await codeFor('/execute', {})).toBe('MISSING_EXECUTION')
  expect(await codeFor('/execute', { execution: null })).toBe('MISSING_EXECUTION')
  expect(await codeFor('/execute', { execution: 'x' })).toBe('EXECUTION_VALIDATION_FAILED')
  expect(await codeFor('/screenshot', { path: '  ' })).toBe('INVALID_PATH')
  expect(await codeFor('/screenshot', { path: 5 })).toBe('INVALID_PATH')
})

test('no execution was run for any of them, and nothing was noted', async () => {
  fake.executions.requests = []
  for (const { path, variants } of tried) await post(path, variants[0]?.json ?? '')
  expect(fake.executions.requests).toEqual([])
  expect(fake.notes).toEqual([])
})

test('memory stays flat', async () => {
  const variants = propertyCases(tried.flatMap(({ path, variants }) => variants.map(({ json }) => ({ path, json }))))
  const round = async () => {
    for (const { path, json } of variants) await post(path, json)
    return heldMegabytes()
  }
  // The tests above have sent each of them before: all is warm.
  const before = await round()
  const after = await round()
  expect(after - before).toBeLessThan(5)
})
