/** Requests as they travel, and changes of their heads and bodies. */
import { ROUTES } from '../../../src/contracts/operations/routes.ts'
import { mutateBytes, oneOf } from '../mutate/bytes.ts'
import { mutateJson } from '../mutate/json.ts'
import { mutateText } from '../mutate/text.ts'
import type { Mutate } from '../target.ts'

export const request = (line: string, headers: readonly string[] = [], body = ''): string =>
  [
    `${line} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...headers,
    ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
    '',
    body,
  ].join('\r\n')

export const EXECUTION = JSON.stringify({
  execution: {
    commandId: 'c',
    taskId: 't',
    source: 'fuzz',
    expectedFormat: 'android-ui-automator',
    timeoutMs: 1_000,
    actions: [{ id: 's', type: 'click', params: { matcher: { textEquals: 'Save' } } }],
  },
  deviceId: 'd1',
})
const MCP = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
})
const MCP_HEADERS = ['Accept: application/json, text/event-stream', 'MCP-Protocol-Version: 2025-06-18']

const VALUES: Readonly<Record<string, string>> = {
  deviceId: 'd1',
  applicationId: 'a.b',
  seq: '1',
  step: 's',
  segment: '0',
}

const BODIES: Readonly<Record<string, string>> = {
  execute: EXECUTION,
  snapshot: '{"deviceId":"d1","format":"compact"}',
  screenshot: '{"deviceId":"d1","ref":"@1.1"}',
  'skills.run': '{"args":["x"],"timeoutMs":5,"deviceId":"d1"}',
  'leases.create': '{"deviceId":"d1","ttlMs":1000,"note":"n"}',
  'forwards.add': '{"host":"tcp:0","device":"tcp:1"}',
  'recording.start': '{"maxMs":1000}',
  'testRuns.start': '{"flows":["a.yaml"],"devices":["d1"]}',
  'emulators.create': '{"name":"a","apiLevel":34}',
}

/** One for each route, however many there come to be. */
const ofRoutes = Object.entries(ROUTES).map(([id, [method, path]]) => {
  const target = path.replace(/:(\w+)/g, (_, name: string) => VALUES[name] ?? '018f0000-0000-7000-8000-000000000001')
  return request(`${method} ${target}`, [], method === 'GET' || method === 'DELETE' ? '' : (BODIES[id] ?? '{}'))
})

export const HTTP_SEEDS = [
  ...ofRoutes,
  request('GET /executions?limit=5&deviceId=d1'),
  request('GET /events?scope=host', ['Last-Event-ID: 5']),
  request('POST /execute', ['Idempotency-Key: k', 'Svc-Lease: 018f0000-0000-7000-8000-000000000003'], EXECUTION),
  request('POST /mcp', MCP_HEADERS, MCP),
  request('GET /openapi.json', ['If-None-Match: "x"', 'Accept-Encoding: gzip']),
  request('GET /docs/http', ['Range: bytes=0-10']),
  request('OPTIONS /execute', ['Origin: http://127.0.0.1', 'Access-Control-Request-Method: POST']),
  request('GET /inspect-ws', [
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ]),
  `POST /execute HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n5\r\n{"a":\r\n2\r\n1}\r\n0\r\n\r\n`,
  `${request('GET /health')}${request('GET /version')}`,
]

export const HTTP_WORDS = [
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
export const mutateBody: Mutate = (input, tools) => {
  const at = input.indexOf(HEAD_END)
  if (at < 0 || at + HEAD_END.length >= input.length) return mutateHead(input, tools)
  const body = mutateJson(input.subarray(at + HEAD_END.length), tools)
  const head = input.toString('latin1', 0, at).replace(/content-length: *\d+/i, `Content-Length: ${body.length}`)
  return Buffer.concat([Buffer.from(head, 'latin1'), HEAD_END, body])
}

const mutateHead = mutateText(HTTP_WORDS)
export const mutateRequest = oneOf(mutateHead, mutateHead, mutateBody, mutateBody, mutateBytes)
