/** Figures about an application over HTTP and on the command line. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCliHere } from '../support/cli/cli-here.ts'
import { call } from '../support/http/http-client.ts'
import { type HttpLab, startHttpLab } from '../support/http/http-server.ts'

const NAME = 'com.android.settings'
const FRAMES = { applicationId: NAME, running: true, total: 248, janky: 31, p50: 9, p90: 17, p95: 24, p99: 48 }
const MEMORY = { applicationId: NAME, running: true, totalPss: 51_236, java: 7_628, native: 10_232, graphics: 4_416 }

let lab: HttpLab
const cli = (...args: string[]) =>
  runCliHere(['perf', ...args, '--no-daemon'], {
    env: { HOME: lab.lab.home, SVC_TCP_DEVICES: lab.serials.join(','), PATH: '' },
  })
const get = (rest: string) => call(`${lab.url}/devices/${encodeURIComponent(lab.serials[0] ?? '')}/apps/${rest}`)

beforeAll(async () => {
  lab = await startHttpLab()
})
afterAll(() => lab.close())

test('an application that does not run has no figures, and says so', async () => {
  const none = { applicationId: NAME, running: false, totalPss: null, java: null, native: null, graphics: null }
  expect((await get(`${NAME}/memory`)).json).toEqual({ ok: true, memory: none })
  const text = await cli('memory', NAME, '--output', 'text')
  expect(text).toMatchObject({ code: 0, stdout: `${NAME} does not run.\n` })
})

test('a start is measured in an execution, whose figures stand in the output as numbers', async () => {
  const { code, json } = await cli('startup', NAME, '--runs', '1')
  const runs = [{ kind: 'cold', totalMs: 420, waitMs: 426 }]
  expect({ code, json: json() }).toMatchObject({
    code: 0,
    json: {
      envelope: { status: 'success', stepResults: [{ actionType: 'measure_startup', data: { median_ms: '420' } }] },
      startup: { applicationId: NAME, runs, medianMs: 420 },
    },
  })
  const { executionId } = json() as { executionId: string }
  expect((await call(`${lab.url}/executions/${executionId}`)).json).toMatchObject({ execution: { state: 'settled' } })
})

test('frames and memory of one that runs are alike through both doors', async () => {
  expect((await get(`${NAME}/frames`)).json).toEqual({ ok: true, frames: FRAMES })
  expect((await get(`${NAME}/memory`)).json).toEqual({ ok: true, memory: MEMORY })
  expect((await cli('frames', NAME)).json()).toEqual({ frames: FRAMES })
  expect((await cli('memory', NAME)).json()).toEqual({ memory: MEMORY })
  expect((await cli('frames', NAME, '--output', 'text')).stdout).toContain('Janky  31 (12.5 %)')
})

test('an application that is not installed is not found', async () => {
  expect(await get('no.such.app/frames')).toMatchObject({ status: 404, json: { error: { code: 'APP_NOT_FOUND' } } })
  expect(await cli('memory', 'no.such.app')).toMatchObject({ code: 1 })
  const { code, json } = await cli('startup', 'no.such.app', '--runs', '1')
  expect({ code, json: json() }).toMatchObject({ code: 1, json: { envelope: { errorCode: 'APP_NOT_FOUND' } } })
})

test.each([['0'], ['21'], ['x']])('--runs %s is a usage error', async runs => {
  expect((await cli('startup', NAME, '--runs', runs)).json()).toMatchObject({ code: 'USAGE' })
})

test('a plan is made without a device', async () => {
  expect((await cli('startup', NAME, '--keep-running', '--dry-run')).json()).toMatchObject({
    ok: true,
    plan: { timeoutMs: 80_000, actions: [{ params: { applicationId: NAME, runs: 5, stopFirst: false } }] },
  })
})
