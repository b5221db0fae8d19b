/** `svc mcp` as an MCP client starts it: the protocol alone on stdout, an end with stdin, and no process left behind. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { StdioClientTransport as FirstStdioTransport } from 'mcp-sdk-1/client/stdio.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLI, type RunningCli, startCli } from '../../../support/cli/run-cli.ts'
import { type Lab, startLab } from '../../../support/executions/lab.ts'
import { DEVICE_CONFLICT } from '../../../support/failure-codes.ts'
import { answerOf, callerOf, connectFirst, ERAS, newClient } from '../../../support/mcp-client.ts'
import { until } from '../../../support/until.ts'

let lab: Lab
let home: string
let env: Record<string, string>
beforeAll(async () => {
  lab = await startLab()
  home = mkdtempSync(join(tmpdir(), 'svc-mcp-'))
  env = { HOME: home, PATH: '', SVC_TCP_DEVICES: lab.fleet.devices[0]?.serial ?? '' }
})
afterAll(async () => {
  await lab.close()
  rmSync(home, { recursive: true, force: true })
})

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' }

const say = ({ child }: RunningCli, ...messages: object[]) => {
  for (const message of messages) child.stdin.write(`${JSON.stringify(message)}\n`)
}

const messagesIn = (stdout: string): { id?: number; method?: string; result?: unknown }[] =>
  stdout
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))

const toolCall = (id: number, name: string, args: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})

describe.each(ERAS)('the official client, %s', era => {
  test('goes from open to verified', async () => {
    const client = newClient(era)
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [CLI, 'mcp'],
      env,
      stderr: 'ignore',
    })
    await client.connect(transport)
    const { pid } = transport
    const caller = callerOf(client)
    const heard: string[] = []
    await caller.call('open', { target: 'com.android.settings' }, { onprogress: said => heard.push(said) })
    expect(heard).toContain('execution.dispatched: running.dispatched')
    const { text } = await caller.call('scroll_until', { text: 'About phone', observe: true })
    expect(text).toContain('"About phone"')
    const clicked = await caller.call('click', { text: 'About phone', observe: true })
    expect(clicked.structured.observed).toMatchObject({ text: expect.stringContaining('"Android version"') })
    expect((await caller.call('wait', { app: 'com.android.settings' })).isError).toBe(false)
    const actions = [
      { id: 'v', type: 'read_key_value_pair', params: { labelMatcher: { textEquals: 'Android version' } } },
    ]
    const verified = await caller.call('execute', { execution: { actions } })
    expect(verified.structured).toMatchObject({ envelope: { stepResults: [{ data: { value: '15' } }] } })
    await caller.close()
    await until(() => !isAlive(pid), 'the server to end')
  })
})

test('a client of the SDK 1.x reads answers and failures', async () => {
  const client = await connectFirst(
    new FirstStdioTransport({ command: process.execPath, args: [CLI, 'mcp'], env, stderr: 'ignore' }),
  )
  const looked = answerOf(await client.callTool({ name: 'snapshot', arguments: {} }))
  expect(looked).toMatchObject({ isError: false, structured: { text: expect.stringContaining('screen ') } })
  const failed = answerOf(await client.callTool({ name: 'click', arguments: { text: 'No such row' } }))
  expect(failed).toMatchObject({ isError: true, structured: { code: 'NODE_NOT_FOUND', dispatched: true } })
  await client.close()
})

const isAlive = (pid: number | null): boolean => {
  try {
    return pid !== null && process.kill(pid, 0)
  } catch {
    return false
  }
}

test('stdout carries the protocol alone, also for messages that are none, and stdin ends it', async () => {
  const running = startCli(['mcp', '--log-level', 'debug'], { env })
  say(running, initialize, initialized)
  running.child.stdin.write('this is no JSON\n{"jsonrpc":"2.0"}\n')
  say(running, toolCall(2, 'devices', {}), toolCall(3, 'click', { text: 'No such row' }), {
    jsonrpc: '2.0',
    id: 4,
    method: 'nonsense',
  })
  await until(() => messagesIn(running.stdout()).length >= 6, 'the answers')
  running.child.stdin.end()
  const { code, stdout } = await running.ended
  expect(code).toBe(0)
  expect(messagesIn(stdout).map(({ id }) => id)).toEqual(expect.arrayContaining([1, null, null, 2, 3, 4]))
})

test('a call that is cancelled before its dispatch reaches no phone, and the next one does', async () => {
  const running = startCli(['mcp'], { env })
  say(running, initialize, initialized)
  await until(() => messagesIn(running.stdout()).length >= 1, 'the answer of initialize')
  const before = lab.fleet.devices[0]?.phone.executions().length ?? 0
  const cancelled = (requestId: number) => ({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId },
  })
  let last = 20
  /** A call that is cancelled holds the phone until that is on record: a neighbour may be refused as busy, and asks again. */
  const press = async () => {
    for (let isBusy = true; isBusy; last += 1) {
      say(running, toolCall(last, 'press', { key: 'back' }))
      const answer = () => messagesIn(running.stdout()).find(({ id }) => id === last)
      await until(() => answer() !== undefined, 'a call to be done')
      isBusy = JSON.stringify(answer()).includes(DEVICE_CONFLICT)
    }
  }
  // The first one finds no link yet, and the others an open one.
  for (const id of [2, 3, 4, 5, 6]) {
    say(running, toolCall(id, 'press', { key: 'home' }), cancelled(id))
    if (id === 2) await press()
  }
  await press()
  // A tap that came late would be on record once the server has ended.
  running.child.stdin.end()
  await running.ended
  expect((lab.fleet.devices[0]?.phone.executions().length ?? 0) - before).toBe(2)
})

test('the end of stdin cancels what runs, within the grace, and the receipt says so', async () => {
  const reached = () => lab.fleet.devices[0]?.phone.executions() ?? []
  const before = reached().length
  const running = startCli(['mcp'], { env })
  say(running, initialize, initialized, toolCall(2, 'wait', { text: 'Never there', timeoutMs: 30_000 }))
  await until(() => reached().length > before, 'the wait to run')
  await until(() => messagesIn(running.stdout()).length >= 1, 'the answer of initialize')
  const begun = performance.now()
  running.child.stdin.end()
  const { code } = await running.ended
  expect(code).toBe(0)
  expect(performance.now() - begun).toBeLessThan(10_000)
  const listed = await startCli(['executions', 'list'], { env, input: '' }).ended
  const { executions } = listed.json<{ executions: { state: string; result?: { error?: { code: string } } }[] }>()
  expect(executions[0]?.result?.error?.code).toMatch(/EXECUTION_(CANCELLED|INTERRUPTED)/)
})

test('SIGTERM ends it in order', async () => {
  const running = startCli(['mcp'], { env })
  say(running, initialize)
  await until(() => messagesIn(running.stdout()).length === 1, 'the answer of initialize')
  running.child.kill('SIGTERM')
  expect(await running.ended).toMatchObject({ code: 0, signal: null })
})

test('a wrong flag is a usage error before anything is served', async () => {
  const { code, json } = await startCli(['mcp', '--port', '1'], { env, input: '' }).ended
  expect(code).toBe(1)
  expect(json()).toMatchObject({ code: 'USAGE' })
})
