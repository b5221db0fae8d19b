/** A tool that fails: every client reads why, also one that judges each answer by the listed schema. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TOOL_ARGUMENTS, type ToolName } from '../../../src/contracts/doors/mcp.ts'
import { failure } from '../../../src/contracts/failures/failures.ts'
import { LinkError } from '../../../src/device/link/link.ts'
import type { Emulators } from '../../../src/service/emulators/emulators.ts'
import type { Skills } from '../../../src/service/skills/skills.ts'
import { refusedWith } from '../../support/executions/fake-executions.ts'
import { type FakeServer, startFake } from '../../support/http/http-server.ts'
import { answerOf, connectFirstHttp, connectHttp, ERAS, type ToolAnswer } from '../../support/mcp-client.ts'

type Caller = (name: string, args: Record<string, unknown>) => Promise<ToolAnswer>

let served: FakeServer
const callers = new Map<string, Caller>()
const closing: (() => Promise<void>)[] = []
beforeAll(async () => {
  const noSdk = async () => ({ ok: false as const, error: failure('ANDROID_SDK_TOOL_MISSING', 'It is missing.') })
  const noRegistry = { ok: false as const, error: failure('REGISTRY_READ_FAILED', 'It cannot be read.') }
  const skills = {
    load: () => noRegistry,
    run: async () => ({ ok: false, runId: '', skillId: 'a.b', status: 'failed', error: noRegistry.error }),
  } as unknown as Skills
  served = await startFake({
    emulators: () => ({ list: noSdk, running: noSdk, provision: noSdk }) as unknown as Emulators,
    skills: () => skills,
    listDevices: () => Promise.reject(new LinkError('ADB_NOT_FOUND', 'There is no debug bridge.', {})),
  })
  served.executions.answer = () => refusedWith('NODE_NOT_FOUND', { executionId: 'e1', deviceId: 'd1' })
  served.deps.executions().receipts = () => Promise.reject(new Error('The journal fails.'))
  const first = await connectFirstHttp(served.url)
  callers.set('SDK 1.x', async (name, args) => answerOf(await first.callTool({ name, arguments: args })))
  closing.push(() => first.close())
  for (const era of ERAS) {
    const caller = await connectHttp(served.url, era)
    await caller.client.listTools()
    callers.set(`SDK 2.x, ${era}`, caller.call)
    closing.push(caller.close)
  }
})
afterAll(async () => {
  for (const close of closing) await close()
  await served.server.close({ graceMs: 1_000 })
})

const sent = { code: 'NODE_NOT_FOUND', executionId: 'e1' }

/** For each tool, arguments with which it fails here, and what it answers. */
const FAILING: Record<ToolName, [Record<string, unknown>, Record<string, unknown>]> = {
  devices: [{}, { code: 'ADB_NOT_FOUND' }],
  device: [{ device: 'd1' }, { code: 'DEVICE_NOT_FOUND', dispatched: false }],
  snapshot: [{}, sent],
  screenshot: [{}, sent],
  execute: [{ execution: { actions: [{ id: 'a', type: 'snapshot' }] } }, sent],
  files: [{ action: 'remove', path: '/sdcard/a' }, sent],
  apps: [{ device: 'd1' }, { code: 'DEVICE_NOT_FOUND', dispatched: false }],
  logs: [{ device: 'd1' }, { code: 'DEVICE_NOT_FOUND', dispatched: false }],
  open: [{ target: 'com.example' }, sent],
  click: [{ text: 'a' }, sent],
  type: [{ value: 'a', text: 'b' }, sent],
  press: [{ key: 'home' }, sent],
  gesture: [{ gesture: 'double_tap', x: 1, y: 1 }, sent],
  settings: [{ action: 'set', setting: 'dark_mode', value: 'true' }, sent],
  dialog: [{ answer: 'accept' }, sent],
  swipe: [{ x1: 1, y1: 1, x2: 2, y2: 2 }, sent],
  scroll: [{}, sent],
  scroll_until: [{ text: 'a' }, sent],
  read: [{ text: 'a' }, sent],
  wait: [{ text: 'a' }, sent],
  app: [{ action: 'clear', app: 'com.example' }, sent],
  skills_search: [{ query: 'a' }, { code: 'REGISTRY_READ_FAILED' }],
  skills_get: [{ id: 'a.b' }, { code: 'REGISTRY_READ_FAILED' }],
  skills_run: [{ id: 'a.b' }, { code: 'REGISTRY_READ_FAILED', dispatched: false }],
  lease: [
    { action: 'create', device: 'd1', forMs: 60_000 },
    { code: 'DEVICE_NOT_FOUND', dispatched: false },
  ],
  run_flow: [{ yaml: 'appId: a' }, { code: 'INTERNAL_ERROR' }],
  receipt: [{ executionId: 'nobody' }, { code: 'EXECUTION_NOT_FOUND' }],
  receipts: [{}, { code: 'INTERNAL_ERROR' }],
  emulators: [{}, { code: 'ANDROID_SDK_TOOL_MISSING' }],
  emulator_provision: [{}, { code: 'ANDROID_SDK_TOOL_MISSING' }],
}

/** Tools that reach no device have nothing to dispatch. */
const LOCAL: readonly string[] = ['devices', 'skills_search', 'skills_get', 'receipt', 'receipts', 'emulators']

describe.each(['SDK 1.x', ...ERAS.map(era => `SDK 2.x, ${era}`)])('a client of the %s', name => {
  const call: Caller = (tool, args) => callers.get(name)?.(tool, args) ?? Promise.reject(new Error('no client'))

  test.each(Object.keys(TOOL_ARGUMENTS) as ToolName[])('reads why %s failed', async tool => {
    const [args, expected] = FAILING[tool]
    const failed = await call(tool, args)
    expect(failed).toMatchObject({ isError: true, structured: { message: expect.any(String), ...expected } })
    expect(failed.raw).not.toHaveProperty('structuredContent')
  })

  test.each(Object.keys(TOOL_ARGUMENTS) as ToolName[])('reads why %s refuses its arguments', async tool => {
    const refused = await call(tool, { nonsense: 1 })
    const dispatched = LOCAL.includes(tool) ? {} : { dispatched: false }
    expect(refused).toMatchObject({ isError: true, structured: { code: 'USAGE', ...dispatched } })
  })

  test('reads that arguments are nested too deeply', async () => {
    const deep = JSON.parse(`${'['.repeat(1_000)}${']'.repeat(1_000)}`)
    const execution = JSON.parse(`{"actions":${'{"a":'.repeat(90)}1${'}'.repeat(90)}}`)
    const message = 'click: arguments are nested deeper than 128 levels.'
    expect(await call('click', { text: deep })).toMatchObject({ isError: true, structured: { code: 'USAGE', message } })
    const refused = await call('execute', { execution })
    const code = 'EXECUTION_VALIDATION_FAILED'
    expect(refused).toMatchObject({
      isError: true,
      structured: { code, message: expect.stringContaining('64 levels') },
    })
  })
})
