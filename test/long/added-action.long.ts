/** An action that a copy of the checkout adds (params, a card, a performer) works by every surface, with no other change. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EXECUTION_ID_HEADER } from '../../src/contracts/doors/headers.ts'
import { ROOT_FOLDER } from '../support/root.ts'
import { plainEnv } from '../support/run-program.ts'
import { until } from '../support/until.ts'

const LEFT_OUT = ['.git', 'node_modules', 'dist']
const BUILD_MS = 240_000

/** In each file, what stands there and what takes its place. */
const EDITS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'src/contracts/actions/phone.ts': [
    [
      "  action('get_clipboard',",
      "  action('vibrate', closedObject({ note: text(1, 20) })),\n  action('get_clipboard',",
    ],
  ],
  'src/contracts/actions/cards/phone.ts': [
    [
      '  get_clipboard: {',
      `  vibrate: {
    effect: 'acts',
    repeat: 'never',
    by: 'link',
    touchesFront: false,
    contains: ['shell'],
    data: ['note'],
    failures: ['ACTION_FAILED'],
    words: ({ note }) => join('Vibrate for', asText(note)),
    done: ({ note }) => join('Vibrated for', note),
  },
  get_clipboard: {`,
    ],
  ],
  'src/device/steps/phone.ts': [
    ['  get_clipboard: {', '  vibrate: { link: async ({ note }) => ({ note }) },\n  get_clipboard: {'],
  ],
}

let folder: string
let copy: string
let serial: string
let url: string
const children: ChildProcess[] = []

const env = () => ({ ...plainEnv(), HOME: folder, SVC_HOME: join(folder, 'home'), SVC_TCP_DEVICES: serial ?? '' })
const program = () => join(copy, 'dist/svc.cjs')

/** A line of its output, as soon as there is one that fits. */
const lineOf = async (words: readonly string[], form: RegExp): Promise<string> => {
  const child = spawn(process.execPath, [program(), ...words], { env: env(), stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  await until(() => form.test(output), `${words[0]} to begin`)
  return form.exec(output)?.[1] ?? ''
}

const svc = (...words: readonly string[]): string => {
  try {
    return execFileSync(process.execPath, [program(), ...words], { env: env(), encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

const EXECUTION = {
  commandId: 'c',
  taskId: 't',
  source: 'test',
  expectedFormat: 'android-ui-automator',
  timeoutMs: 10_000,
  actions: [{ id: 'one', type: 'vibrate', params: { note: 'joy' } }],
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-added-'))
  copy = join(folder, 'copy')
  mkdirSync(copy)
  for (const name of readdirSync(ROOT_FOLDER))
    if (!LEFT_OUT.includes(name)) cpSync(join(ROOT_FOLDER, name), join(copy, name), { recursive: true })
  symlinkSync(join(ROOT_FOLDER, 'node_modules'), join(copy, 'node_modules'))
  for (const [file, edits] of Object.entries(EDITS)) {
    let text = readFileSync(join(copy, file), 'utf8')
    for (const [before, after] of edits) {
      expect(text, `${file}: ${before}`).toContain(before)
      text = text.replace(before, () => after)
    }
    writeFileSync(join(copy, file), text)
  }
  execFileSync(process.execPath, ['src/build/esbuild.config.js'], { cwd: copy, stdio: 'pipe' })
  serial = await lineOf(['simulate'], /"serial":"([^"]+)"/)
  url = await lineOf(['serve', '--port', '0'], /(http:\/\/127\.0\.0\.1:\d+)/)
}, BUILD_MS)
afterAll(async () => {
  for (const child of children) child.kill('SIGTERM')
  await until(() => children.every(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null), 'the end')
  svc('daemon', 'stop', '--all')
  rmSync(folder, { recursive: true, force: true })
})

test('its types are right', () => {
  const problems = spawnSync(join(ROOT_FOLDER, 'node_modules/.bin/tsc'), ['--noEmit', '-p', '.'], { cwd: copy })
  // Tests ask for a sample of each action.
  expect(problems.stdout.toString()).not.toMatch(/^src\//m)
}, 120_000)

test('POST /execute performs it, and its receipt has its words', async () => {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ execution: EXECUTION, deviceId: serial })
  const answer = await fetch(`${url}/execute`, { method: 'POST', headers, body })
  expect(await answer.json()).toMatchObject({
    ok: true,
    envelope: { stepResults: [{ actionType: 'vibrate', data: { note: 'joy' } }] },
  })
  const { execution: receipt } = await (
    await fetch(`${url}/executions/${answer.headers.get(EXECUTION_ID_HEADER)}`)
  ).json()
  expect(receipt.actions).toEqual([{ id: 'one', type: 'vibrate', title: 'Vibrate for joy' }])
  const wrong = { ...EXECUTION, actions: [{ id: 'one', type: 'vibrate', params: {} }] }
  const refused = await fetch(`${url}/execute`, { method: 'POST', headers, body: JSON.stringify({ execution: wrong }) })
  expect(await refused.json()).toMatchObject({ error: { code: 'EXECUTION_VALIDATION_FAILED' } })
})

test('svc exec performs it, and a policy refuses it by what it contains', () => {
  const file = join(folder, 'execution.json')
  writeFileSync(file, JSON.stringify(EXECUTION))
  expect(JSON.parse(svc('exec', file, '--output', 'json'))).toMatchObject({
    envelope: { status: 'success' },
  })
  expect(svc('exec', file, '--output', 'text')).toContain('Vibrated for joy')
  const policy = join(folder, 'home', 'policy.json')
  writeFileSync(policy, JSON.stringify({ rules: [{ id: 'no-shell', effect: 'deny', actions: ['shell'] }] }))
  try {
    const denied = JSON.parse(svc('exec', file, '--output', 'json'))
    expect(denied).toMatchObject({ code: 'EXECUTION_DENIED', details: { rule: 'no-shell', contained: 'shell' } })
  } finally {
    rmSync(policy)
  }
})

test('an MCP client executes it', async () => {
  const child = spawn(process.execPath, [program(), 'mcp'], { env: env(), stdio: ['pipe', 'pipe', 'ignore'] })
  children.push(child)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const say = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const clientInfo = { name: 'test', version: '1' }
  say({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } })
  say({ method: 'notifications/initialized' })
  const args = { execution: { actions: EXECUTION.actions }, device: serial }
  say({ id: 2, method: 'tools/call', params: { name: 'execute', arguments: args } })
  await until(() => output.includes('"id":2'), 'the answer')
  expect(output).toContain('one (vibrate): done')
  child.stdin.end()
})

test('the library has a method for it', async () => {
  const { connect } = await import(pathToFileURL(join(copy, 'dist/lib/svc.js')).href)
  const client = await connect({ url })
  try {
    expect((await client.device(serial).vibrate({ note: 'hop' })).data).toEqual({ note: 'hop' })
    await expect(client.device(serial).vibrate({})).rejects.toMatchObject({ code: 'EXECUTION_VALIDATION_FAILED' })
  } finally {
    await client.close?.()
  }
})
