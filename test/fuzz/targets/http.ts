/** The real server over raw sockets, on TCP and on the Unix socket of a daemon: heads, bodies, MCP and WebDriver. */
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type NetConnectOpts } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { failure } from '../../../src/contracts/failures.ts'
import { createReader } from '../../../src/daemon/client/response.ts'
import { createPrecondition } from '../../../src/daemon/run/requests.ts'
import { createApp } from '../../../src/http/app.ts'
import type { HttpDeps } from '../../../src/http/deps.ts'
import { startSocketServer } from '../../../src/http/server.ts'
import { fakeExecutions } from '../../support/fake-executions.ts'
import { fakeDeps, listen } from '../../support/http-server.ts'
import { mutateBytes, oneOf } from '../mutate/bytes.ts'
import { mutateJson } from '../mutate/json.ts'
import { mutateText } from '../mutate/text.ts'
import { expectThat, type Mutate, type OpenTarget, type Target, WrongReading } from '../target.ts'

const request = (line: string, headers: readonly string[] = [], body = ''): string =>
  [
    `${line} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...headers,
    ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
    '',
    body,
  ].join('\r\n')

const EXECUTION = JSON.stringify({
  commandId: 'c',
  taskId: 't',
  source: 'fuzz',
  expectedFormat: 'android-ui-automator',
  timeoutMs: 1_000,
  actions: [{ id: 's', type: 'click', params: { matcher: { textEquals: 'Save' } } }],
})
const MCP = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
const MCP_HEADERS = ['Accept: application/json, text/event-stream', 'MCP-Protocol-Version: 2025-06-18']

const SEEDS = [
  request('GET /health'),
  request('GET /executions?limit=5&deviceId=d1'),
  request('GET /events', ['Last-Event-ID: 5']),
  request('GET /devices/d1/logs?follow=false'),
  request('POST /execute?deviceId=d1', ['Idempotency-Key: k', 'Svc-Lease: l'], EXECUTION),
  request('POST /snapshot', [], '{"deviceId":"d1"}'),
  request('POST /skills/a.b/run', [], '{"args":["x"],"timeoutMs":5}'),
  request('GET /skills?query=a'),
  request('PUT /devices/d1/settings', [], '{"orientation":"landscape"}'),
  request('POST /mcp', MCP_HEADERS, MCP),
  request('GET /openapi.json', ['If-None-Match: "x"', 'Accept-Encoding: gzip']),
  request('GET /docs/http', ['Range: bytes=0-10']),
  request('OPTIONS /execute', ['Origin: https://example.com', 'Access-Control-Request-Method: POST']),
  request('GET /inspect-ws', [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ]),
  `POST /execute HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n5\r\n{"a":\r\n2\r\n1}\r\n0\r\n\r\n`,
  `${request('GET /health')}${request('GET /version')}`,
]

const WORDS = [
  ...[
    'GET ',
    'POST ',
    'PUT ',
    'DELETE ',
    'HEAD ',
    'PATCH ',
    'CONNECT ',
    'TRACE ',
    'HTTP/1.1',
    'HTTP/1.0',
    'HTTP/2.0',
    '\r\n',
    '\r\n\r\n',
  ],
  ...[
    '/execute',
    '/health',
    '/executions',
    '/devices',
    '/events',
    '/skills',
    '/mcp',
    '/docs',
    '/emulators',
    '/recordings',
    '/test-runs',
  ],
  ...[
    '/fleet',
    '/leases',
    '/policy',
    '/actors',
    '/openapi.json',
    '/session',
    '/screens',
    '/parcels',
    '/flows',
    '/logs',
  ],
  ...[
    'Host: ',
    'Content-Length: ',
    'Transfer-Encoding: chunked',
    'Content-Encoding: gzip',
    'Content-Type: ',
    'Expect: 100-continue',
  ],
  ...[
    'Idempotency-Key: ',
    'Svc-Lease: ',
    'Last-Event-ID: ',
    'Range: bytes=',
    'Origin: null',
    'Connection: close',
    'Upgrade: websocket',
  ],
  ...[
    '?limit=',
    '&',
    '=',
    '%ff',
    '%00',
    '%2e%2e/',
    '//',
    '..',
    '?',
    '#',
    'charset=utf-16',
    '0',
    '-1',
    '5',
    '1e9',
    '[]',
    '{}',
  ],
] as unknown as readonly [string, ...string[]]

const HEAD_END = Buffer.from('\r\n\r\n')

/** The body is changed as JSON, and its length made right again. */
const mutateBody: Mutate = (input, tools) => {
  const at = input.indexOf(HEAD_END)
  if (at < 0 || at + HEAD_END.length >= input.length) return mutateHead(input, tools)
  const body = mutateJson(input.subarray(at + HEAD_END.length), tools)
  const head = input.toString('latin1', 0, at).replace(/content-length: *\d+/i, `Content-Length: ${body.length}`)
  return Buffer.concat([Buffer.from(head, 'latin1'), HEAD_END, body])
}

const mutateHead = mutateText(WORDS)
const mutateRequest = oneOf(mutateHead, mutateHead, mutateBody, mutateBody, mutateBytes)

const ANSWER_MS = 4_000

/** All that comes until the server ends the connection. */
const talk = (to: NetConnectOpts, input: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const socket = connect(to)
    const parts: Buffer[] = []
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new WrongReading(`the connection is still open after ${ANSWER_MS} ms`))
    }, ANSWER_MS)
    socket.on('data', part => void parts.push(part))
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(Buffer.concat(parts))
    })
    socket.end(input)
  })

interface Answer {
  status: number
  type: string
  body: string
}

/** The answers one after the other, as far as they have a length. */
const answersIn = (said: Buffer): Answer[] => {
  const reader = createReader()
  if (said.length === 0) return []
  reader.feed(said)
  reader.end()
  const answer = reader.answer()
  if (!answer) return []
  return [{ status: answer.status, type: answer.headers['content-type'] ?? '', body: answer.body.toString() }]
}

/** Our own stand-ins refuse what a test has no use for. */
const OF_STAND_IN = / was to be /

const judge = ({ status, type, body }: Answer, notes: readonly string[]): void => {
  const isOurs = notes.some(note => OF_STAND_IN.test(note))
  if (status === 500 && !isOurs) throw new WrongReading(`an internal error: ${body.slice(0, 300)}\n${notes.join('\n')}`)
  // A daemon that is not meant tells who it is.
  if (status === 412) return
  if (status < 400 || !type.startsWith('application/json') || body === '') return
  const { error, value, ok, code, message } = JSON.parse(body)
  const told = error ?? value ?? { code, message }
  expectThat(
    ok !== true && (typeof told.code === 'string' || typeof told.error === 'string' || told.code < 0),
    `no failure: ${body.slice(0, 300)}`,
  )
  expectThat(typeof told.message === 'string' && told.message !== '', `no message: ${body.slice(0, 300)}`)
}

const refusing = (name: string) =>
  new Proxy({}, { get: () => async () => ({ ok: false, error: failure('DEVICE_NOT_FOUND', `No ${name} here.`) }) })

const depsWith = (notes: string[]): HttpDeps =>
  fakeDeps(fakeExecutions(), {
    emulators: refusing('emulator') as HttpDeps['emulators'],
    note: text => void notes.push(text),
  })

const readBy = (to: NetConnectOpts, notes: string[]): OpenTarget['read'] => {
  let count = 0
  return async input => {
    notes.length = 0
    const said = await talk(to, input)
    const answers = answersIn(said)
    for (const answer of answers) judge(answer, notes)
    count += 1
    if (count % 64 === 0)
      expectThat((await talk(to, Buffer.from(request('GET /health')))).includes('200 OK'), 'no answer to others')
    return answers.some(({ status }) => status < 400) ? 'accepted' : 'refused'
  }
}

const LIMITS = { headers: 2_000, request: 3_000 }

export const http: Target = {
  name: 'http',
  seeds: SEEDS,
  mutate: mutateRequest,
  async open() {
    const notes: string[] = []
    const deps = depsWith(notes)
    const { server, port } = await listen(deps, {
      clientLimits: LIMITS,
      inspected: deps.journal,
      note: text => void notes.push(text),
    })
    return { read: readBy({ port, host: '127.0.0.1' }, notes), close: () => server.close({ graceMs: 500 }) }
  },
}

const DAEMON_HEADERS = ['svc-expect-instance: i1', 'svc-answer-within: 1000', 'svc-caller: cli', 'Expect: 100-continue']

export const daemonSocket: Target = {
  name: 'daemon-socket',
  seeds: [
    request('POST /execute', DAEMON_HEADERS, EXECUTION),
    request('POST /execute', ['svc-expect-build: other'], EXECUTION),
    request('GET /version', ['svc-expect-instance: i2']),
    request(
      'POST /skills/a/run',
      ['svc-skill-run: r', 'svc-execution-id: e', 'svc-operator-unnamed: 1'],
      '{"args":[]}',
    ),
    request(
      'POST /execute',
      ['svc-secrets: x', 'svc-confirmed: a,%62', 'svc-fleet-from: h', 'svc-fleet-epoch: 3'],
      EXECUTION,
    ),
  ],
  mutate: oneOf(
    mutateText([...DAEMON_HEADERS.map(each => `${each}\r\n`), ...WORDS] as [string, ...string[]]),
    mutateBody,
    mutateBytes,
  ),
  async open() {
    const folder = mkdtempSync(join(tmpdir(), 'svc-fuzz-daemon-'))
    const notes: string[] = []
    const deps = { ...depsWith(notes), isPrivate: true }
    const version = { version: '1.0.0', buildIdentity: { entryPath: '/x', mtimeMs: 1, size: 1 } }
    let ids = 0
    const onRequest = createPrecondition({
      instanceId: 'i1',
      version,
      isEnding: () => false,
      newExecutionId: () => `e${ids++}`,
    })
    const note = (text: string) => void notes.push(text)
    const path = join(folder, 'socket')
    const started = await startSocketServer({
      app: createApp(deps),
      path,
      clock: deps.clock,
      note,
      onRequest,
      clientLimits: LIMITS,
    })
    if (!started.ok) throw new Error(started.error.message)
    return {
      read: readBy({ path }, notes),
      async close() {
        await started.server.close({ graceMs: 500 })
        rmSync(folder, { recursive: true, force: true })
      },
    }
  },
}
