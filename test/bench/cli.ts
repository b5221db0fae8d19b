/** What a call of svc costs that touches no device, against Node starting and doing nothing. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../src/runtime/clock.ts'
import { median } from '../support/lines.ts'
import type { BenchRow } from './row.ts'

const ROUNDS = 41
const clock = systemClock()

/** This bundle is dist/dev/bench.js. */
const CLI = fileURLToPath(new URL('../svc.cjs', import.meta.url))

const payload = JSON.stringify({
  commandId: 'bench',
  taskId: 'bench',
  source: 'bench',
  expectedFormat: 'android-ui-automator',
  timeoutMs: 20_000,
  actions: [
    { id: 'open', type: 'open_app', params: { applicationId: 'com.android.settings' } },
    { id: 'tap', type: 'tap', params: { selector: { textEquals: 'Wi-Fi' } } },
    { id: 'look', type: 'snapshot' },
  ],
})

const FLOOR = 'node -e 0'
const CALLS: Record<string, { args: string[]; code: number }> = {
  [FLOOR]: { args: ['-e', '0'], code: 0 },
  'svc --version': { args: [CLI, '--version'], code: 0 },
  'svc --help': { args: [CLI, '--help'], code: 0 },
  'svc exec --validate-only': { args: [CLI, 'exec', '--validate-only', '--payload', payload], code: 0 },
  'svc click --dry-run': { args: [CLI, 'click', '--text', 'OK', '--dry-run'], code: 0 },
  'svc clck (a usage error)': { args: [CLI, 'clck'], code: 1 },
}

/** Milliseconds from the start of the process to its end, its output read like a caller's. */
const timed = async (name: string): Promise<number> => {
  const { args, code } = CALLS[name] ?? { args: [], code: 0 }
  const start = clock.elapsed()
  const child = spawn(process.execPath, args, { env: {}, stdio: ['ignore', 'pipe', 'inherit'] })
  child.stdout.resume()
  const [ended] = await once(child, 'close')
  const took = clock.elapsed() - start
  if (ended !== code) throw new Error(`${name} ended with ${ended}`)
  return took
}

/** All in turn, so that what else this machine does falls on each of them. */
export const cliRows = async (): Promise<BenchRow[]> => {
  const times = new Map<string, number[]>(Object.keys(CALLS).map(name => [name, []]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, taken] of times) taken.push(await timed(name))
  }
  const floor = median(times.get(FLOOR) ?? [])
  return [...times]
    .filter(([name]) => name !== FLOOR)
    .map(([name, taken]) => {
      const value = median(taken)
      return { name, value, unit: 'ms', floor: `${FLOOR} (${floor.toFixed(1)} ms)`, ratio: value / floor }
    })
}
