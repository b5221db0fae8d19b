/** What one execution costs through an open link, against a bare `shell true` on the same link; the device is another process. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { validateExecution } from '../../src/executions/validate.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { createServices } from '../../src/services.ts'
import type { BenchRow } from './row.ts'

const RUNS = 200
const WARM_UP = 20
const clock = systemClock()

/** This bundle is dist/dev/bench.js. */
const CLI = fileURLToPath(new URL('../svc.cjs', import.meta.url))

const startDevice = async (operator: string) => {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
  const child = spawn(process.execPath, [CLI, 'simulate', '--operator', operator], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const { devices } = JSON.parse(line.toString()) as { devices: { serial: string }[] }
  return { child, serial: devices[0]?.serial ?? '' }
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Two things in turn, so that a noisy moment meets both. */
const medians = async (first: () => Promise<unknown>, second: () => Promise<unknown>) => {
  const times: [number[], number[]] = [[], []]
  for (let run = -WARM_UP; run < RUNS; run++) {
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

const valid = (actions: unknown[]) => {
  const validation = validateExecution(payload(actions))
  if (!validation.ok) throw new Error(validation.error.message)
  return validation.execution
}

const rowOf = async (operator: 'socket' | 'broadcast'): Promise<BenchRow> => {
  const { child, serial } = await startDevice(operator)
  const home = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const note = (text: string) => void process.stderr.write(`${text}\n`)
  const services = createServices({ env: { HOME: home, PATH: '', SVC_TCP_DEVICES: serial }, cwd: home, note })
  try {
    const run = async (execution: ReturnType<typeof valid>) => {
      const { result } = await services.execute({ execution, operatorPackage: 'com.svc.operator' })
      if (!result.ok || result.envelope.status !== 'success') throw new Error(JSON.stringify(result))
    }
    await run(valid([{ id: 'open', type: 'open_app', params: { applicationId: 'com.android.settings' } }]))
    const click = valid([{ id: 'tap', type: 'click', params: wifi }])
    const link = await services.links().get(serial, { deadline: clock.now() + 5_000 })
    const [floor = 0, value = 0] = await medians(
      () => link.shell('true', { deadline: clock.now() + 5_000 }),
      () => run(click),
    )
    const name = `click, ${operator === 'socket' ? 'session socket' : 'broadcast and log'}`
    return {
      name,
      value,
      unit: 'us',
      floor: `shell true on the same link (${floor.toFixed(0)} us)`,
      ratio: value / floor,
    }
  } finally {
    await services.close()
    child.kill('SIGTERM')
    await once(child, 'exit')
    rmSync(home, { recursive: true, force: true })
  }
}

export const executionRows = async (): Promise<BenchRow[]> => [await rowOf('socket'), await rowOf('broadcast')]
