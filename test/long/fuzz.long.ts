/** Fuzzing of all targets with fresh seeds. Run by `npm run test:long`; where trials are few, the kept inputs are read again by `npm test` alone. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { plainEnv } from '../support/run-program.ts'
import { setting } from './trial/setting.ts'

const ALL = 100
const TRIALS = setting('SVC_TRIALS', ALL)
const SECONDS_PER_TRIAL = 6
const LONGEST_MS = 30 * 60_000

const flags = ['--seconds', `${TRIALS * SECONDS_PER_TRIAL}`]

// How far a run comes depends on the machine, so what it finds is new, and of no change in particular: no landing waits for it.
test.skipIf(TRIALS < ALL)(
  'no reader of outside bytes fails',
  async () => {
    const program = fileURLToPath(new URL('../../dist/dev/fuzz.js', import.meta.url))
    const child = spawn(process.execPath, [program, ...flags], { env: plainEnv(), stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', text => {
        said += text
      })
    }
    const [code] = await once(child, 'close')
    console.log(said.split('\n').slice(-2).join('\n'))
    expect(said).toMatch(/[1-9]\d* inputs, \d+ failures/)
    if (code !== 0) expect.fail(said)
  },
  LONGEST_MS,
)
