/** `svc test` killed with -9 at random moments and resumed until it ends: every tap reaches the phone once, or is named. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import type { TestRun } from '../../src/contracts/flows/test-run.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { journalPath } from '../../src/runtime/home.ts'
import { openJournal } from '../../src/runtime/journal/sqlite.ts'
import { isAlive } from '../../src/runtime/processes/processes.ts'
import { readTestRun } from '../../src/service/flows/read-test-run.ts'
import { type RunningCli, startCli } from '../support/cli/run-cli.ts'
import { until, wait } from '../support/until.ts'
import { kill, processesOf } from './trial/home-processes.ts'
import { startPhones } from './trial/phones.ts'
import { type Random, randomOf } from './trial/random.ts'
import { setting } from './trial/setting.ts'

const SEED = setting('SVC_SEED', 1)
/** Thirty where a hundred trials are run. */
const TRIALS = Math.max(2, Math.round(0.3 * setting('SVC_TRIALS', 100)))
const LONGEST_MS = 240_000
/** The flow takes about so long. */
const FLOW_MS = 4_000
const KILLS_MAX = 4

const FLOW = fileURLToPath(new URL('../fixtures/flows/killed/taps.yaml', import.meta.url))
/** How often the flow taps each row; every other row stays untouched. */
const TAPS = new Map([
  ...Array.from({ length: 10 }, (_, row) => [`tap-${row}`, 1] as const),
  ['tap-8', 2],
  ['tap-39', 1],
])

const childrenOf = (pid: number): number[] => {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

const lives = (pid: number) => existsSync(`/proc/${pid}`)

/** `unbegun`: it was killed before the run was on record; `over`: after its last record. */
const outcomeOf = async ({ ended }: RunningCli): Promise<'ended' | 'unbegun' | 'over'> => {
  const { stdout, stderr } = await ended
  if (stdout.includes('"testRun"')) return 'ended'
  if (stdout.includes('TEST_RUN_NOT_FOUND')) return 'unbegun'
  if (stdout.includes('it is over')) return 'over'
  throw new Error(`svc test said: ${stdout} ${stderr}`)
}

/** Kills the process; its scripts are to end with it. */
const killed = async ({ child, ended }: RunningCli): Promise<number[]> => {
  const pid = child.pid ?? 0
  const scripts = childrenOf(pid)
  kill(pid)
  await ended
  return scripts
}

const journalOf = (home: string) => openJournal({ path: journalPath(home), alive: isAlive, clock: systemClock() })

/** The run as the journal has it, and what its processes have left. */
const left = (home: string) => {
  const journal = journalOf(home)
  try {
    const [newest] = journal.actors({ machine: 'test-run' })
    const run = newest && readTestRun(journal, newest.actor.slice('test-run:'.length), { withCommands: true })
    return { run, leases: journal.leases.list(), inFlight: journal.withTag('in-flight') }
  } finally {
    journal.close()
  }
}

/** Until the run has ended. Tells how often it was killed, and the scripts that ran then. */
const livesOfRun = async (svc: (...words: readonly string[]) => RunningCli, random: Random) => {
  const scripts: number[] = []
  let kills = 0
  for (let isBegun = false; ; ) {
    const running = isBegun ? svc('--resume', 'last') : svc(FLOW)
    const moment = kills < KILLS_MAX ? wait(random.int(100, FLOW_MS)) : running.ended
    await Promise.race([moment, running.ended])
    if (running.child.exitCode === null) {
      scripts.push(...(await killed(running)))
      kills += 1
      isBegun = true
    } else if ((await outcomeOf(running)) === 'unbegun') isBegun = false
    else return { kills, scripts }
  }
}

/** The command itself: those around it fail with its error. */
const doubtIn = (run: TestRun | undefined) =>
  run?.flows
    .flatMap(({ attempts }) => attempts.flatMap(({ commands = [] }) => commands))
    .findLast(({ error }) => error?.code === 'COMMAND_IN_DOUBT')

const seen = { kills: 0, doubts: 0 }
afterAll(() => console.log(`SVC_SEED=${SEED}: ${seen.kills} kills in ${TRIALS} runs, ${seen.doubts} commands in doubt`))

test.skipIf(process.platform !== 'linux').each(Array.from({ length: TRIALS }, (_, trial) => trial + 1))(
  `seed ${SEED}, trial %i`,
  async trial => {
    const home = mkdtempSync(join(tmpdir(), 'svc-flows-killed-'))
    const phones = await startPhones(home, [[]])
    const env = { SVC_HOME: home, SVC_TCP_DEVICES: phones.serials.join(',') }
    const svc = (...words: readonly string[]) =>
      startCli(['test', ...words, '--output-dir', home], { env, input: '', longestMs: LONGEST_MS })
    try {
      const { kills, scripts } = await livesOfRun(svc, randomOf(SEED, trial))
      const { run, leases, inFlight } = left(home)
      const [phone] = await phones.truth()
      const tapped = Object.entries(phone?.taps ?? {}).filter(([, count]) => count > 0)
      const doubtful = doubtIn(run)
      seen.kills += kills
      seen.doubts += doubtful ? 1 : 0
      for (const [row, count] of tapped)
        expect(count, `${row} after ${kills} kills`).toBeLessThanOrEqual(TAPS.get(row) ?? 0)
      if (doubtful) {
        expect(run?.verdict).toBe('indeterminate')
        expect(doubtful.executionIds).toContain(doubtful.error?.details?.executionId)
      } else {
        expect(run?.verdict).toBe('passed')
        expect(new Map(tapped)).toEqual(TAPS)
      }
      expect({ leases, inFlight }).toEqual({ leases: [], inFlight: [] })
      await until(() => !scripts.some(lives), 'the scripts to end with their process')
      expect(processesOf(home).filter(({ words }) => words.includes('test'))).toEqual([])
    } finally {
      await phones.close()
      rmSync(home, { recursive: true, force: true })
    }
  },
  LONGEST_MS,
)
