/**
 * Trials of a simulated world: `npm run simulate -- --seed 7`, `--plan FILE`, `--from 1 --count 400`, or `--seconds 60` with
 * seeds that nobody has tried. A seed says the same for one commit only: keep the plan.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Journal } from '../../src/runtime/journal/journal.ts'
import type { Violation } from '../laws/laws.ts'
import { memoryDisk } from './disk.ts'
import { exportJournal } from './export.ts'
import { judgeWorld } from './laws.ts'
import { type Plan, planOf } from './plan.ts'
import { reportOf } from './report.ts'
import { shrink } from './shrink.ts'
import { sqliteDisk } from './sqlite-disk.ts'
import { PROBE_ROW, runPlan, type Trial, type TrialOptions } from './trial.ts'

const FLAGS = {
  seed: { type: 'string' },
  plan: { type: 'string' },
  from: { type: 'string' },
  count: { type: 'string' },
  seconds: { type: 'string' },
  asks: { type: 'string' },
  /** Everything that happened goes into this file. */
  trace: { type: 'string' },
  /** The journals of the hosts go into this folder, for `svc inspect`. */
  home: { type: 'string' },
  /** The journals are files of SQLite, on a disk that may lose what was not synced. */
  sqlite: { type: 'boolean' },
  'no-shrink': { type: 'boolean' },
  help: { type: 'boolean' },
} as const

const USAGE = `npm run simulate -- [--seed N | --plan FILE | --from N --count N | --seconds S]

  --seed N      one trial
  --plan FILE   one trial of a plan that a report has printed
  --from N --count N   the trials of so many seeds; without them 400 from 1 on
  --seconds S   trials of fresh seeds for so long
  --asks N      requests in each trial; 12 unless told
  --trace FILE  with one trial: everything that happened
  --home FOLDER with one trial: the journals of its hosts, for SVC_HOME=FOLDER/h0 svc inspect
  --sqlite      with journals in files, on a disk that may lose what was not synced
  --no-shrink   keep a failing plan as it is`

const { values } = parseArgs({ options: FLAGS, allowPositionals: false })
const say = (text: string) => void process.stdout.write(`${text}\n`)
const numberOf = (name: 'seed' | 'from' | 'count' | 'seconds' | 'asks', otherwise: number): number => {
  const given = values[name]
  if (given === undefined) return otherwise
  const number = Number(given)
  const most = name === 'asks' ? PROBE_ROW : Number.MAX_SAFE_INTEGER
  if (Number.isSafeInteger(number) && number >= 0 && number <= most) return number
  process.stderr.write(
    `--${name} takes a whole number${most < 100 ? ` up to ${most}` : ''}, not ${JSON.stringify(given)}.\n`,
  )
  process.exit(1)
}
const planFor = (seed: number): Plan => planOf(seed, { asks: numberOf('asks', 12) })

interface Tried {
  trial: Trial
  violations: Violation[]
}

const tried = async (plan: Plan, onEnd?: TrialOptions['onEnd']): Promise<Tried> => {
  const disk = values.sqlite === true ? sqliteDisk : memoryDisk
  const trial = await runPlan(plan, { disk, ...(onEnd ? { onEnd } : {}) })
  return { trial, violations: judgeWorld(trial.world) }
}

/** Made small under the condition that it still breaks the law that broke first. */
const small = async (plan: Plan, law: number | undefined): Promise<Plan> => {
  if (values['no-shrink'] === true) return plan
  const { plan: smallest, runs } = await shrink(plan, async one =>
    (await tried(one)).violations.some(v => v.law === law),
  )
  say(`shrunk in ${runs} runs: ${smallest.asks.length} requests, ${smallest.faults.length} faults`)
  return smallest
}

const failed = async (plan: Plan, { violations }: Tried): Promise<void> => {
  say(`seed ${plan.seed} breaks law ${violations[0]?.law}`)
  const smallest = await small(plan, violations[0]?.law)
  const again = await tried(smallest)
  say(reportOf(smallest, again.trial, again.violations))
}

const keepJournals = async (journals: readonly Journal[]): Promise<void> => {
  const { home } = values
  if (home === undefined) return
  for (const [host, journal] of journals.entries()) {
    const folder = join(home, `h${host}`)
    say(`${await exportJournal(journal, folder)} records of h${host}: SVC_HOME=${folder} svc inspect`)
  }
}

const single = async (plan: Plan): Promise<boolean> => {
  const one = await tried(plan, keepJournals)
  say(`seed ${plan.seed}: hash ${one.trial.hash}, ${one.trial.steps} steps, ${one.violations.length} violations`)
  if (values.trace !== undefined) writeFileSync(values.trace, `${one.trial.trace.join('\n')}\n`)
  if (one.violations.length > 0) await failed(plan, one)
  return one.violations.length === 0
}

const many = async (seeds: Iterable<number>, untilMs: number): Promise<boolean> => {
  const begun = performance.now()
  const faults = new Map<string, number>()
  let count = 0
  let steps = 0
  let isFine = true
  for (const seed of seeds) {
    if (performance.now() - begun > untilMs) break
    const plan = planFor(seed)
    const one = await tried(plan)
    count += 1
    steps += one.trial.steps
    for (const { kind } of plan.faults) faults.set(kind, (faults.get(kind) ?? 0) + 1)
    for (const { do: kind } of plan.phones.flatMap(phone => phone.faults))
      faults.set(`phone ${kind}`, (faults.get(`phone ${kind}`) ?? 0) + 1)
    if (one.violations.length === 0) continue
    isFine = false
    await failed(plan, one)
  }
  const seconds = (performance.now() - begun) / 1_000
  say(`${count} trials in ${seconds.toFixed(1)} s: ${(count / seconds).toFixed(1)} a second, ${steps} steps`)
  say([...faults].map(([kind, times]) => `${times} ${kind}`).join(', '))
  return isFine
}

function* counted(from: number, count: number): Generator<number> {
  for (let seed = from; seed < from + count; seed++) yield seed
}
const SEEDS = 2 ** 31
function* fresh(): Generator<number> {
  for (;;) yield Math.floor(Math.random() * SEEDS)
}

const run = (): Promise<boolean> => {
  if (values.plan !== undefined) return single(JSON.parse(readFileSync(values.plan, 'utf8')) as Plan)
  if (values.seed !== undefined) return single(planFor(numberOf('seed', 1)))
  if (values.seconds !== undefined) return many(fresh(), numberOf('seconds', 60) * 1_000)
  return many(counted(numberOf('from', 1), numberOf('count', 400)), Number.POSITIVE_INFINITY)
}

if (values.help === true) say(USAGE)
else process.exitCode = (await run()) ? 0 : 1
