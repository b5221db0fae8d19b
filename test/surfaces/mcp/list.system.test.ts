/** What a client learns before it calls anything: tools that tell the truth in few words, schemas, resources, instructions. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROLES } from '../../../src/contracts/device/role.ts'
import { TOOL_ARGUMENTS } from '../../../src/contracts/doors/mcp.ts'
import { listedSchema } from '../../../src/surfaces/mcp/schemas.ts'
import { page } from '../../build/docs/documents.ts'
import { type FakeServer, startFake } from '../../support/http/http-server.ts'
import { connectHttp, ERAS, type McpCaller } from '../../support/mcp-client.ts'

let served: FakeServer
let caller: McpCaller
beforeAll(async () => {
  served = await startFake()
  caller = await connectHttp(served.url, 'legacy')
})
afterAll(async () => {
  await caller.close()
  await served.server.close({ graceMs: 1_000 })
})

const NAMES = [
  'devices',
  'device',
  'snapshot',
  'screenshot',
  'execute',
  'apps',
  'files',
  'logs',
  'open',
  'click',
  'type',
  'press',
  'swipe',
  'gesture',
  'dialog',
  'scroll',
  'scroll_until',
  'read',
  'wait',
  'app',
  'settings',
  'skills_search',
  'skills_get',
  'skills_run',
  'run_flow',
  'lease',
  'receipt',
  'receipts',
  'emulators',
  'emulator_provision',
]

/** Tokens of JSON have 4.2 characters on average here (o200k). */
const CHARS_PER_TOKEN = 4
const LIST_TOKENS_MAX = 5_000

describe.each(ERAS)('a %s client', era => {
  test('is told every tool, in one order, within its share of the context', async () => {
    const own = await connectHttp(served.url, era)
    const { tools } = await own.client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(NAMES)
    expect(JSON.stringify(tools).length / CHARS_PER_TOKEN).toBeLessThan(LIST_TOKENS_MAX)
    expect(page('mcp')).toContain(`The list of tools takes under ${LIST_TOKENS_MAX.toLocaleString('en-US')} tokens`)
    expect((await own.client.listTools()).tools).toEqual(tools)
    await own.close()
  })
})

test('every argument of every tool says what it is, and role names its values', async () => {
  const { tools } = await caller.client.listTools()
  const listed = tools.flatMap(({ name, inputSchema: { properties = {} } }) =>
    Object.entries(properties as Record<string, { description?: string }>).map(([argument, { description }]) => ({
      name: `${name}.${argument}`,
      description,
    })),
  )
  expect(listed.filter(({ description = '' }) => description.length < 2)).toEqual([])
  const roles = listed.filter(({ name }) => name.endsWith('.role'))
  expect(roles.length).toBeGreaterThan(5)
  for (const { description = '' } of roles) {
    expect(description.split(', ')).toEqual(expect.arrayContaining(['button', 'textfield', 'switch', 'checkbox']))
    expect(description.split(', ').filter(role => !Object.hasOwn(ROLES, role))).toEqual([])
  }
})

test('every schema is valid JSON Schema, refuses unknown arguments, and each tool has one', async () => {
  const { tools } = await caller.client.listTools()
  expect(Object.keys(TOOL_ARGUMENTS)).toEqual(NAMES)
  for (const { name, inputSchema, outputSchema } of tools) {
    const validate = new Ajv2020({ strict: true, strictRequired: false }).compile(inputSchema as object)
    expect(validate({ nonsense: 1 }), name).toBe(false)
    expect(inputSchema.additionalProperties).toBe(false)
    if (outputSchema) new Ajv2020({ strict: true, strictRequired: false }).compile(outputSchema as object)
  }
})

test('a check that JSON Schema cannot say leaves the rest of its schema listed', () => {
  const checked = v.pipe(
    v.object({ a: v.string() }),
    v.check(() => true),
    v.rawTransform(({ dataset }) => dataset.value),
  )
  const document = listedSchema(checked)['~standard'].jsonSchema.input({ target: 'draft-2020-12' })
  expect(document).toMatchObject({ type: 'object', properties: { a: { type: 'string' } } })
})

test('what only looks says so, and what may destroy does not deny it', async () => {
  const { tools } = await caller.client.listTools()
  const hinted = (hint: 'readOnlyHint' | 'destructiveHint' | 'idempotentHint') =>
    tools.filter(({ annotations }) => annotations?.[hint] === true).map(({ name }) => name)
  expect(hinted('readOnlyHint')).toEqual([
    'devices',
    'device',
    'snapshot',
    'screenshot',
    'apps',
    'logs',
    'read',
    'wait',
    'skills_search',
    'skills_get',
    'receipt',
    'receipts',
    'emulators',
  ])
  expect(hinted('destructiveHint')).toEqual([
    'execute',
    'files',
    'open',
    'click',
    'type',
    'press',
    'swipe',
    'gesture',
    'dialog',
    'app',
    'settings',
    'skills_run',
    'run_flow',
  ])
  expect(hinted('idempotentHint')).toEqual(['emulator_provision'])
  expect(tools.every(({ annotations }) => typeof annotations?.readOnlyHint === 'boolean')).toBe(true)
})

test('each tool that reaches a device takes one', async () => {
  const { tools } = await caller.client.listTools()
  const without = tools.filter(({ inputSchema }) => !('device' in (inputSchema.properties ?? {})))
  expect(without.map(({ name }) => name)).toEqual([
    'devices',
    'skills_search',
    'skills_get',
    'receipt',
    'emulators',
    'emulator_provision',
  ])
})

test('no tool takes a path of the host: that of files is one of the device', async () => {
  const { tools } = await caller.client.listTools()
  const withPath = tools.filter(({ inputSchema }) => 'path' in (inputSchema.properties ?? {}))
  expect(withPath.map(({ name }) => name)).toEqual(['files'])
})

test('statecharts, the schema of executions and the devices are resources', async () => {
  const { resources } = await caller.client.listResources()
  const uris = resources.map(({ uri }) => uri)
  expect(uris).toEqual(
    expect.arrayContaining([
      'svc://schemas/execution',
      'svc://devices/d1/screen',
      'svc://devices/d1/screenshot',
      'svc://statecharts/device',
      'svc://statecharts/skill-run',
    ]),
  )
  const chart = await caller.client.readResource({ uri: 'svc://statecharts/device' })
  expect(chart.contents[0]).toMatchObject({ mimeType: 'text/vnd.mermaid', text: expect.stringContaining('dispatched') })
  const schema = await caller.client.readResource({ uri: 'svc://schemas/execution' })
  expect(JSON.parse((schema.contents[0] as { text: string }).text)).toMatchObject({ type: 'object' })
  const { resourceTemplates } = await caller.client.listResourceTemplates()
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain('svc://executions/{executionId}')
})

test.each(['svc://statecharts/nothing', 'svc://executions/nothing', 'svc://nothing', 'file:///etc/passwd'])(
  '%s is not found',
  async uri => {
    await expect(caller.client.readResource({ uri })).rejects.toMatchObject({ code: -32_602 })
  },
)

describe('wrong arguments are a failure with a code, and nothing is run', () => {
  test.each<[string, Record<string, unknown>, string, string]>([
    ['click', { tex: 'OK' }, 'USAGE', 'click: the tool has no argument "tex"; did you mean "text"?'],
    ['click', {}, 'USAGE', 'click: a selector, or x and y, is missing'],
    ['click', { x: 1 }, 'USAGE', 'click: x and y belong together'],
    ['click', { text: 'a', x: 1, y: 2 }, 'USAGE', 'click: a selector and a point cannot be combined'],
    ['click', { x: 1.5, y: 2 }, 'USAGE', 'x'],
    ['click', { text: 'a', ref: '@1.2' }, 'EXECUTION_VALIDATION_FAILED', 'ref'],
    ['click', { ref: '12' }, 'EXECUTION_VALIDATION_FAILED', 'ref'],
    ['type', { text: 'a' }, 'USAGE', 'value'],
    ['type', { value: 'a'.repeat(513), id: 'b' }, 'EXECUTION_VALIDATION_FAILED', '512'],
    ['press', { key: 'KEYCODE_POWER' }, 'USAGE', 'key'],
    [
      'gesture',
      { gesture: 'double_tap', text: 'a', toX: 1, toY: 2 },
      'USAGE',
      'gesture: double_tap has no argument "toX"',
    ],
    ['gesture', { gesture: 'drag', text: 'a', scale: 2 }, 'USAGE', 'gesture: drag has no argument "scale"'],
    ['gesture', { gesture: 'notifications', text: 'a' }, 'USAGE', 'gesture: notifications has no argument "text"'],
    ['files', { action: 'read', path: '/sdcard/a', content: 'b' }, 'USAGE', 'files: read has no argument "content"'],
    ['app', { action: 'clear', app: 'a.b', keepData: true }, 'USAGE', 'app: clear has no argument "keepData"'],
    ['app', { action: 'install', paths: ['/a.apk'], app: 'a.b' }, 'USAGE', 'app: install has no argument "app"'],
    ['app', { action: 'install' }, 'USAGE', 'paths'],
    ['app', { action: 'clear' }, 'USAGE', 'app'],
    ['app', { action: 'clear', app: 'a.b', state: 'deny' }, 'USAGE', 'app: clear has no argument "state"'],
    ['app', { action: 'uninstall', app: 'a.b', paths: ['/a.apk'] }, 'USAGE', 'app: uninstall has no argument "paths"'],
    ['app', { action: 'permission', app: 'a.b', permission: 'camera' }, 'USAGE', 'state'],
    ['open', { target: 'https://example.com', clearState: true }, 'USAGE', 'clearState'],
    ['settings', { action: 'restore', setting: 'wifi' }, 'USAGE', 'settings: restore has no argument "setting"'],
    [
      'lease',
      { action: 'extend', device: 'a', forMs: 1_000, note: 'b' },
      'USAGE',
      'lease: extend has no argument "note"',
    ],
    ['apps', { app: 'a.b', kind: 'user' }, 'USAGE', 'apps: app and kind cannot be combined'],
    ['execute', { execution: 'x' }, 'USAGE', 'execute: execution must be an object, but is "x"'],
    ['execute', { execution: [] }, 'USAGE', 'execute: execution must be an object, but is an empty list'],
    ['scroll', { direction: 'sideways' }, 'USAGE', 'direction'],
    ['wait', {}, 'USAGE', 'wait: a selector, or app, is missing'],
    ['wait', { app: 'a.b', timeoutMs: 60_000 }, 'USAGE', 'wait: timeoutMs must be at most 30000 with app; got 60000'],
    ['wait', { text: 'a', timeoutMs: 0 }, 'USAGE', 'timeoutMs'],
    ['snapshot', { format: 'full', since: 'x' }, 'USAGE', 'cannot be combined'],
    ['execute', { execution: { actions: [] } }, 'EXECUTION_VALIDATION_FAILED', 'actions'],
    [
      'execute',
      { execution: { actions: [{ id: 'a', type: 'take_screenshot', params: { path: '/tmp/x.png' } }] } },
      'EXECUTION_VALIDATION_FAILED',
      'a path cannot be given over MCP',
    ],
    ['receipt', { executionId: 'nope' }, 'EXECUTION_NOT_FOUND', 'No receipt'],
    ['skills_get', { id: 'a.b' }, 'SKILL_NOT_FOUND', 'a.b'],
  ])('%s %j: %s', async (name, args, code, said) => {
    const { isError, structured, text } = await caller.call(name, args)
    expect(isError).toBe(true)
    expect(structured).toMatchObject({ code, message: expect.stringContaining(said) })
    expect(JSON.parse(text)).toEqual(structured)
    expect(served.executions.requests).toEqual([])
  })
})

describe('a refused argument comes with a hint', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['click', { txt: 'Display' }, 'It takes: ref, text, textContains,'],
    ['devices', { device: 'd1' }, 'Leave it out: this request takes no argument.'],
    ['press', { key: 'hmoe' }, 'Did you mean home?'],
    ['press', { key: '' }, 'Keys: back, home,'],
    ['press', { key: 4 }, 'Write it in quotes: "4".'],
    ['click', { text: 5 }, 'Write it in quotes: "5".'],
    ['type', { value: ['a'] }, 'value is text.'],
    ['execute', { execution: 'x' }, 'execution is an object with any keys and values.'],
    ['gesture', { gesture: 'pinch', text: 'Map' }, 'Add scale: above 1 opens, below 1 closes.'],
    ['gesture', { gesture: 'drag', text: 'a', toX: 5 }, 'Add toY: a point has both, in pixels.'],
    ['gesture', { gesture: 'drag', text: 'a' }, 'Add toRef or toText, or toX and toY.'],
    ['gesture', { gesture: 'pinch', scale: 2 }, 'A selector is one or more of text,'],
    ['click', { text: 'a', x: 1, y: 2 }, 'Leave out x and y, or a selector.'],
    ['open', {}, 'Add target: text.'],
    ['gesture', { gesture: 'double_tap', text: 'a', toX: 1, toY: 2 }, 'It takes: gesture, ref, text,'],
  ])('%s %j: %s', async (name, args, hint) => {
    const { structured } = await caller.call(name, args)
    expect(structured).toMatchObject({ code: 'USAGE', hint: expect.stringContaining(hint) })
  })
})

test('null stands for an argument that is left out', async () => {
  expect((await caller.call('receipts', { device: null, limit: null })).isError).toBe(false)
})

test('an unknown tool is a protocol error', async () => {
  await expect(caller.call('tap')).rejects.toMatchObject({ code: -32_602 })
})
