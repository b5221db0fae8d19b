/** What a click and a snapshot cost by each operator, against a bare `shell true` on the same link; the device is another process. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServices } from '../../src/start/command.ts'
import { executeIn } from '../support/executions/execute-in.ts'
import { CLI, clock, medians, startDevice, valid } from './executions.ts'
import type { BenchRow } from './row.ts'

const OPERATORS = ['com.svc.operator', 'svc.uiautomator', 'svc.shell'] as const
const RUNS = 60

const open = { id: 'open', type: 'open_app', params: { applicationId: 'com.android.settings' } }
const home = { id: 'home', type: 'press_key', params: { key: 'home' } }
const click = { id: 'tap', type: 'click', params: { matcher: { resourceId: 'com.android.settings:id/wifi_switch' } } }
const snapshot = { id: 'snap', type: 'snapshot' }

/** By name: what is shown before, and what is measured there. */
const WORK: readonly [string, readonly object[], object][] = [
  ['a click (the finger of svc.uiautomator rests 60 ms)', [open], click],
  ['a snapshot with nothing that can be checked', [home], snapshot],
  ['a snapshot with a switch', [open], snapshot],
]

const installHelpers = async (folder: string, serial: string) => {
  const env = { HOME: folder, PATH: '', SVC_TCP_DEVICES: serial }
  const child = spawn(process.execPath, [CLI, 'operator', 'install'], { env, stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('the helpers could not be installed')
}

export const operatorRows = async (): Promise<BenchRow[]> => {
  const { child, serial } = await startDevice('socket')
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const note = (text: string) => void process.stderr.write(`${text}\n`)
  await installHelpers(folder, serial)
  const env = { HOME: folder, PATH: '', SVC_TCP_DEVICES: serial, SVC_JOURNAL: 'off' }
  const services = createServices({ env, cwd: folder, note })
  const rows: BenchRow[] = []
  try {
    const link = await services.links().get(serial, { deadline: clock.now() + 5_000 })
    const shellTrue = () => link.shell('true', { deadline: clock.now() + 5_000 })
    for (const operatorPackage of OPERATORS) {
      const run = async (actions: readonly object[]) => {
        const execution = valid([...actions])
        const { result } = await executeIn(services, { execution, deviceId: serial, operatorPackage })
        if (!result.ok || result.envelope.status !== 'success') throw new Error(JSON.stringify(result))
      }
      for (const [name, before, measured] of WORK) {
        await run(before)
        const [floor = 0, value = 0] = await medians(shellTrue, () => run([measured]), RUNS)
        const against = `shell true on the same link (${floor.toFixed(0)} us)`
        rows.push({ name: `${name}, ${operatorPackage}`, value, unit: 'us', floor: against, ratio: value / floor })
      }
    }
    return rows
  } finally {
    await services.close()
    child.kill('SIGTERM')
    await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
}
