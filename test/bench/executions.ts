/** What one execution costs through an open link, against a bare `shell true` on the same link; the device is another process. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { OperatorInput } from '../../machines/device/device-setup.ts'
import { createInteractiveCheck } from '../../src/device/link/interactive.ts'
import { createSessions } from '../../src/device/operators/app/session/sessions.ts'
import { createAbortion } from '../../src/runtime/abortion.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { systemIds } from '../../src/runtime/ids.ts'
import type { Journal } from '../../src/runtime/journal/journal.ts'
import type { Port } from '../../src/runtime/port.ts'
import type { Dispatch, ScreenshotPolicy } from '../../src/service/executions/dispatch.ts'
import { NO_FENCE } from '../../src/service/executions/fence.ts'
import { operatorPort } from '../../src/service/executions/run/operator-port.ts'
import { validateExecution } from '../../src/service/executions/validate.ts'
import { createServices } from '../../src/start/command.ts'
import { screenParts } from '../support/device/screen-parts.ts'
import { executeIn } from '../support/executions/execute-in.ts'
import type { BenchRow } from './row.ts'

const RUNS = 200
const WARM_UP = 20
export const clock = systemClock()
const ids = systemIds()

/** This bundle is dist/dev/bench.js. */
export const CLI = fileURLToPath(new URL('../svc.cjs', import.meta.url))

export const startDevices = async (operator: string, count: number) => {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
  const child = spawn(process.execPath, [CLI, 'simulate', '--operator', operator, '--count', `${count}`], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let line = ''
  while (!line.includes('\n')) {
    const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
    line += chunk.toString()
  }
  const { devices } = JSON.parse(line) as { devices: { serial: string }[] }
  return { child, serials: devices.map(({ serial }) => serial) }
}

export const startDevice = async (operator: string) => {
  const { child, serials } = await startDevices(operator, 1)
  return { child, serial: serials[0] ?? '' }
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Two things in turn, so that a noisy moment meets both. */
export const medians = async (first: () => Promise<unknown>, second: () => Promise<unknown>, runs = RUNS) => {
  const times: [number[], number[]] = [[], []]
  for (let run = -WARM_UP; run < runs; run++) {
    for (const [index, call] of [first, second].entries()) {
      const start = clock.elapsed()
      await call()
      if (run >= 0) times[index]?.push((clock.elapsed() - start) * 1_000)
    }
  }
  return times.map(median)
}

const wifi = { matcher: { resourceId: 'com.android.settings:id/wifi_switch' } }
const payload = (actions: unknown[]) => ({
  commandId: 'bench',
  taskId: 'bench',
  source: 'bench',
  expectedFormat: 'android-ui-automator',
  timeoutMs: 20_000,
  actions,
})

export const valid = (actions: unknown[]) => {
  const validation = validateExecution(payload(actions))
  if (!validation.ok) throw new Error(validation.error.message)
  return validation.execution
}

/** What the disk takes for the one record that must be on it before anything is sent. */
const syncedAppend = (journal: Journal) => {
  let n = 0
  return async () => {
    const event = { type: 'bench.synced' }
    const at = clock.now()
    await journal.append({ actor: 'bench', n, machine: 'bench', version: 1, at, event, from: '', to: '', tags: [] })
    n += 1
    await journal.synced()
  }
}

/** The port alone: no lease, no journal, no device choice. */
const throughPort = (
  port: Port<OperatorInput>,
  execution: ReturnType<typeof valid>,
  serial: string,
  screenshots: ScreenshotPolicy,
) =>
  new Promise<void>((resolve, reject) => {
    const stop = new AbortController()
    const executionId = ids.at(clock.now())
    const body: Dispatch = { execution, operatorPackage: 'com.svc.operator', serial, screenshots }
    const send = async (event: { type: string; [fact: string]: unknown }) => {
      if (event.type === 'execution.settled') {
        if (event.ok) resolve()
        else reject(new Error(JSON.stringify(event.body)))
        stop.abort()
      }
      return true
    }
    const commit = async (event: { type: string }) => send(event)
    const tools = {
      send,
      note: send,
      commit,
      isRecorded: () => false,
      ahead: undefined,
      left: createAbortion('over'),
      signal: stop.signal,
      onEvent: () => {},
      actor: '',
      spentMs: () => 0,
    }
    Promise.resolve(port({ executionId, body, acceptUntil: clock.now() + 5_000, doubts: [] }, tools)).catch(reject)
  })

const rowsOf = async (operator: 'socket' | 'broadcast'): Promise<BenchRow[]> => {
  const { child, serial } = await startDevice(operator)
  const home = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const note = (text: string) => void process.stderr.write(`${text}\n`)
  const services = createServices({ env: { HOME: home, PATH: '', SVC_TCP_DEVICES: serial }, cwd: home, note })
  try {
    const run = async (execution: ReturnType<typeof valid>) => {
      const { result } = await executeIn(services, { execution, deviceId: serial, operatorPackage: 'com.svc.operator' })
      if (!result.ok || result.envelope.status !== 'success') throw new Error(JSON.stringify(result))
    }
    await run(valid([{ id: 'open', type: 'open_app', params: { applicationId: 'com.android.settings' } }]))
    const click = valid([{ id: 'tap', type: 'click', params: wifi }])
    const link = await services.links().get(serial, { deadline: clock.now() + 5_000 })
    const way = operator === 'socket' ? 'session socket' : 'broadcast and log'
    const shellTrue = () => link.shell('true', { deadline: clock.now() + 5_000 })
    const checkInteractive = createInteractiveCheck(clock)
    const sessions = createSessions({ clock, openLink: (device, options) => services.links().get(device, options) })
    const port = operatorPort({
      fence: NO_FENCE,
      clock,
      sessions,
      checkInteractive,
      ...screenParts(services.journal(), clock),
    })
    const [portFloor = 0, port1 = 0] = await medians(shellTrue, () =>
      throughPort(port, click, serial, services.screenshots),
    )
    await sessions.close()
    const [floor = 0, value = 0] = await medians(shellTrue, () => run(click))
    const [, synced = 0] = await medians(shellTrue, syncedAppend(services.journal()))
    const against = (us: number) => `shell true on the same link (${us.toFixed(0)} us)`
    const whole = `click, leased, journaled and synced, ${way}`
    return [
      {
        name: `click through the operator port, ${way}`,
        value: port1,
        unit: 'us',
        floor: against(portFloor),
        ratio: port1 / portFloor,
      },
      { name: whole, value, unit: 'us', floor: against(floor), ratio: value / floor },
      {
        name: whole,
        value,
        unit: 'us',
        floor: `that and one synced append (${synced.toFixed(0)} us)`,
        ratio: value / (floor + synced),
      },
    ]
  } finally {
    await services.close()
    child.kill('SIGTERM')
    await once(child, 'exit')
    rmSync(home, { recursive: true, force: true })
  }
}

export const executionRows = async (): Promise<BenchRow[]> => [
  ...(await rowsOf('socket')),
  ...(await rowsOf('broadcast')),
]
