/** `svc serve` killed in mid-execution: the next one says what became of it, and the device has seen it once. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Receipt } from '../../../../src/contracts/executions/receipt.ts'
import { SHUTDOWN_GRACE_MS } from '../../../../src/contracts/limits/limits.ts'
import { type Lab, payloadOf, startLab } from '../../../support/executions/lab.ts'
import { DEVICE_CONFLICT } from '../../../support/failure-codes.ts'
import { plainEnv } from '../../../support/run-program.ts'
import { until } from '../../../support/until.ts'

const CLI = fileURLToPath(new URL('../../../../dist/svc.cjs', import.meta.url))
const PATIENCE_MS = 20_000

let lab: Lab
let home: string
const children: ChildProcess[] = []

beforeEach(async () => {
  lab = await startLab()
  home = mkdtempSync(join(tmpdir(), 'svc-killed-'))
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await lab.close()
  rmSync(home, { recursive: true, force: true })
})

/** The same one is used twice: a listener is known by its address, also after a restart. */
const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const serve = async (port: number) => {
  const env = { ...plainEnv(), HOME: home, PATH: '', SVC_TCP_DEVICES: lab.fleet.devices[0]?.serial }
  const child = spawn(process.execPath, [CLI, 'serve', '--port', String(port)], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  children.push(child)
  let said = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    said += text
  })
  await until(() => /listens on (\S+)/.test(said), `the server to listen: ${said}`)
  return { child, url: /listens on (\S+)/.exec(said)?.[1] ?? '' }
}

const json = async <T>(url: string) => (await (await fetch(url)).json()) as T
const receiptsOf = (url: string) =>
  json<{ executions: Receipt[] }>(`${url}/executions`).then(({ executions }) => executions)

/** What a stream says until something in it is found. */
const readUntil = async (url: string, lastId: string, pattern: RegExp): Promise<string> => {
  const stop = AbortSignal.timeout(PATIENCE_MS)
  const response = await fetch(url, { signal: stop, headers: { 'last-event-id': lastId } })
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (pattern.test(text)) return text
  }
  return text
}

test('the receipt and the stream say interrupted and dispatched, and nothing is sent again', async () => {
  const port = await freePort()
  const first = await serve(port)
  const stream = await readUntil(`${first.url}/events`, '', /event: heartbeat\n/)
  const lastId = /^id: (\S+)$/m.exec(stream)?.[1] ?? ''
  const answer = fetch(`${first.url}/execute`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ execution: payloadOf([{ id: 'nap', type: 'sleep', params: { durationMs: 2_000 } }]) }),
  }).catch((error: unknown) => error)
  let open: Receipt | undefined
  const end = Date.now() + PATIENCE_MS
  while (!open && Date.now() < end) open = (await receiptsOf(first.url)).find(({ state }) => state === 'dispatched')
  expect(open).toBeDefined()
  await until(() => lab.fleet.devices[0]?.phone.executions().length === 1, 'the device to have it')
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  expect(await answer).toBeInstanceOf(Error)

  const second = await serve(port)
  const [receipt] = await receiptsOf(second.url)
  expect(receipt).toMatchObject({
    executionId: open?.executionId,
    state: 'interrupted',
    result: { ok: false, error: { code: 'EXECUTION_INTERRUPTED', details: { dispatched: true } } },
  })
  const replayed = await readUntil(
    `${second.url}/events`,
    lastId,
    /event: svc:execution\ndata: .*EXECUTION_INTERRUPTED.*\n/,
  )
  expect(replayed).toMatch(/event: svc:execution\ndata: .*EXECUTION_INTERRUPTED.*\n/)
  expect(replayed).not.toContain('event: svc:result')
  const seen = lab.fleet.devices[0]?.phone.executions().map(({ wireId }) => wireId)
  expect(seen).toEqual([`${open?.executionId}.0`])
  second.child.kill('SIGTERM')
  const [code] = await once(second.child, 'exit')
  expect(code).toBe(0)
})

test('a look that waits for an outcome is answered when the server stops, and does not hold it', async () => {
  const port = await freePort()
  const first = await serve(port)
  void fetch(`${first.url}/execute`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ execution: payloadOf([{ id: 'nap', type: 'sleep', params: { durationMs: 20_000 } }]) }),
  }).catch(() => undefined)
  await until(() => lab.fleet.devices[0]?.phone.executions().length === 1, 'the device to have it')
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')

  const second = await serve(port)
  const [receipt] = await receiptsOf(second.url)
  const look = `${second.url}/executions/${receipt?.executionId}`
  expect(await json(look)).toMatchObject({ execution: { outcome: 'unknown', runningStep: 'nap' } })
  const waiting = fetch(`${look}?waitMs=60000`)
  // The server hears requests in the order in which they come.
  await json(look)
  const stopped = performance.now()
  second.child.kill('SIGTERM')
  const answer = await waiting
  expect([answer.status, await answer.json()]).toMatchObject([200, { ok: true, execution: { state: 'interrupted' } }])
  await once(second.child, 'exit')
  // A request that waits for an execution may hold a server for longer than that.
  expect(performance.now() - stopped).toBeLessThan(SHUTDOWN_GRACE_MS)
})

test('what the phone is still at work on is not resumed, and after a wait it is judged again', async () => {
  const port = await freePort()
  const first = await serve(port)
  const steps = [
    { id: 'nap', type: 'sleep', params: { durationMs: 6_000 } },
    { id: 'back', type: 'press_key', params: { key: 'back' } },
  ]
  const headers = { 'content-type': 'application/json' }
  void fetch(`${first.url}/execute`, {
    ...{ method: 'POST', headers },
    body: JSON.stringify({ execution: payloadOf(steps) }),
  }).catch(() => {})
  await until(() => lab.fleet.devices[0]?.phone.executions().length === 1, 'the device to have it')
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')

  const second = await serve(port)
  const id = (await receiptsOf(second.url))[0]?.executionId ?? ''
  const resume = async (body: object) =>
    (
      await fetch(`${second.url}/executions/${id}/resume`, { method: 'POST', headers, body: JSON.stringify(body) })
    ).json()
  expect(await resume({ fromStep: 'back' })).toMatchObject({
    error: { code: DEVICE_CONFLICT, details: { interrupted: { executionId: id, step: 'nap' } } },
  })
  const { execution } = await json<{ execution: Receipt }>(`${second.url}/executions/${id}`)
  expect(execution).toMatchObject({ runningStep: 'nap', doubtfulSteps: [] })
  expect(await resume({ fromStep: 'back', waitMs: PATIENCE_MS })).toMatchObject({
    error: { code: 'RESUME_REFUSED', message: expect.stringContaining('All 2 steps') },
  })
  expect(lab.fleet.devices[0]?.phone.executions().length).toBe(1)
  second.child.kill('SIGTERM')
  await once(second.child, 'exit')
})
