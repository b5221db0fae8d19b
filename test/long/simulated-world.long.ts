/** Many seeds of the simulated world, in a process for each core. Run by `npm run test:long`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { plainEnv } from '../support/run-program.ts'
import { setting } from './trial/setting.ts'

const ALL = 100
const TRIALS = setting('SVC_TRIALS', ALL)
/** In CI, with one trial, these are 100 seeds; with all of them it is some twenty minutes of two processes. */
const SEEDS_PER_TRIAL = 100
const FRESH_SECONDS_PER_TRIAL = 4
const LONGEST_MS = 30 * 60_000

const simulate = async (...args: readonly string[]): Promise<{ code: number; said: string }> => {
  const program = fileURLToPath(new URL('../../dist/dev/simulate.js', import.meta.url))
  const child = spawn(process.execPath, [program, ...args], { env: plainEnv(), stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', text => {
      said += text
    })
  }
  const [code] = await once(child, 'close')
  return { code, said }
}

const half = (TRIALS * SEEDS_PER_TRIAL) / 2
const RUNS: [string, string[]][] = [
  ['the first half of the known seeds', ['--from', '1', '--count', `${half}`]],
  ['the second half of them', ['--from', `${half + 1}`, '--count', `${half}`]],
  ['every tenth with the journal in a file', ['--sqlite', '--from', '1', '--count', `${Math.ceil(half / 5)}`]],
  ['known seeds of skills', ['--skills', '--from', '1', '--count', `${Math.ceil(half / 2)}`]],
  ['known seeds of daemons', ['--daemon', '--from', '1', '--count', `${half * 5}`]],
  ['known seeds of a fleet', ['--fleet', '--from', '1', '--count', `${Math.ceil(half / 10)}`]],
  ['known seeds of flows', ['--flows', '--from', '1', '--count', `${Math.ceil(half / 4)}`]],
  ['known seeds of sessions', ['--sessions', '--from', '1', '--count', `${Math.ceil(half / 4)}`]],
]
/** What a fresh seed finds is new, and of no change in particular: they are for the long run, and no landing waits for one. */
const FRESH: [string, string[]][] = [
  ['fresh seeds', ['--seconds', `${TRIALS * FRESH_SECONDS_PER_TRIAL}`]],
  ['fresh seeds of skills', ['--skills', '--seconds', `${TRIALS * FRESH_SECONDS_PER_TRIAL}`]],
  ['fresh seeds of flows', ['--flows', '--seconds', `${TRIALS * FRESH_SECONDS_PER_TRIAL}`]],
  ['fresh seeds of sessions', ['--sessions', '--seconds', `${TRIALS * FRESH_SECONDS_PER_TRIAL}`]],
  ['fresh seeds of a fleet', ['--fleet', '--seconds', `${TRIALS * FRESH_SECONDS_PER_TRIAL}`]],
]

test.each(TRIALS < ALL ? RUNS : [...RUNS, ...FRESH])(
  '%s break no law',
  async (_, args) => {
    const { code, said } = await simulate(...args)
    console.log(said.split('\n').slice(-3).join('\n'))
    expect(said).toMatch(/\d+ trials in/)
    if (code !== 0) expect.fail(said)
    expect(said).toMatch(/\d+ trials?, no law broken\n$/)
  },
  LONGEST_MS,
)
