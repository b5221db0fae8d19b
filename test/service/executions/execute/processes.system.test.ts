/** One owner per device on the whole host: two `serve`, and a direct run beside them, learn who has it. */

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Lab, payloadOf, startLab } from '../../../support/executions/lab.ts'
import { DEVICE_CONFLICT } from '../../../support/failure-codes.ts'
import { plainEnv } from '../../../support/run-program.ts'
import { until } from '../../../support/until.ts'

const CLI = fileURLToPath(new URL('../../../../dist/svc.cjs', import.meta.url))

let lab: Lab
let home: string
const servers: ChildProcess[] = []

const start = (args: readonly string[]) => {
  const env = { ...plainEnv(), HOME: home, PATH: '', SVC_NO_DAEMON: '1', SVC_TCP_DEVICES: lab.fleet.devices[0]?.serial }
  const child = spawn(process.execPath, [CLI, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', text => {
    said.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', text => {
    said.stderr += text
  })
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  return { child, said, ended }
}

const serve = async () => {
  const { child, said } = start(['serve', '--port', '0'])
  servers.push(child)
  await until(() => /listens on \S+/.test(said.stderr), 'the server to listen')
  return { pid: child.pid, url: /listens on (\S+)/.exec(said.stderr)?.[1] ?? '' }
}

const post = async (url: string, durationMs: number, commandId: string) => {
  const execution = payloadOf([{ id: 'nap', type: 'sleep', params: { durationMs } }], { commandId })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}/execute`, { method: 'POST', headers, body: JSON.stringify({ execution }) })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

beforeAll(async () => {
  lab = await startLab()
  home = mkdtempSync(join(tmpdir(), 'svc-processes-'))
})
afterAll(async () => {
  for (const server of servers) server.kill('SIGKILL')
  await lab.close()
  rmSync(home, { recursive: true, force: true })
})

test('who comes second is told the process, the execution and since when', async () => {
  const [one, other] = [await serve(), await serve()]
  const running = post(one.url, 4_000, 'long')
  const isRunning = () =>
    (lab.fleet.devices[0]?.phone.executions() ?? []).some(({ finishedAt }) => finishedAt === undefined)
  await until(isRunning, 'the device to be busy')

  const holder = { pid: one.pid, commandId: 'long', executionId: expect.any(String), since: expect.any(Number) }
  const conflict = { code: DEVICE_CONFLICT, details: { holder } }
  expect(await post(other.url, 1, 'second')).toMatchObject({ status: 423, body: { ok: false, error: conflict } })
  expect(await post(one.url, 1, 'third')).toMatchObject({ status: 423, body: { ok: false, error: conflict } })
  const direct = start(['snapshot'])
  expect(await direct.ended).toBe(1)
  expect(JSON.parse(direct.said.stdout)).toMatchObject(conflict)

  expect(await running).toMatchObject({ status: 200, body: { ok: true } })
  expect(await post(other.url, 1, 'fourth')).toMatchObject({ status: 200, body: { ok: true } })
  const commands = await fetch(`${other.url}/executions`).then(response => response.json())
  expect((commands as { executions: { commandId: string }[] }).executions.map(({ commandId }) => commandId)).toEqual([
    'fourth',
    'long',
  ])
})
