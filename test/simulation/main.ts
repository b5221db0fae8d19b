/**
 * Trials of a simulated world: `npm run simulate -- --seed 7`, `--plan FILE`, `--from 1 --count 400`, or `--seconds 60` with
 * seeds that nobody has tried. A seed says the same for one commit only: keep the plan.
 */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Journal } from '../../src/runtime/journal/journal.ts'
import { exportJournal } from './host/export.ts'
import type { Profile, TriedPlan, TryOptions } from './plan/profile.ts'
import { type ProfileName, withProfile } from './plan/profiles.ts'
import { shrinkBy } from './plan/shrink.ts'
import { PROBE_ROW } from './trial.ts'

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
  /** Runs of skills, in the place of plain executions. */
  skills: { type: 'boolean' },
  /** Commands that are sent through daemons. */
  daemon: { type: 'boolean' },
  /** Hosts of a fleet on simulated NATS. */
  fleet: { type: 'boolean' },
  /** Runs of flows over several phones. */
  flows: { type: 'boolean' },
  /** Sessions of WebDriver clients. */
  sessions: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

const USAGE = `npm run simulate -- [--seed N | --plan FILE | --from N --count N | --seconds S]

  --seed N      one trial
  --plan FILE   one trial of a plan that a report has printed
  --from N --count N   the trials of so many seeds; without --count 400, without --from those from 1 on
  --seconds S   trials of fresh seeds for so long
  --asks N      requests in each trial; 12 unless told
  --trace FILE  with one trial: everything that happened
  --home FOLDER with one trial, a new folder: the journals of its hosts, for SVC_HOME=FOLDER/h0 svc inspect
  --sqlite      with journals in files, on a disk that may lose what was not synced
  --no-shrink   keep a failing plan as it is
  --skills      runs of skills, whose children play scripts, in the place of executions
  --daemon      commands that are sent through daemons, which come, go and fail
  --fleet       hosts of a fleet on simulated NATS servers, asked at any of them
  --flows       runs of flows over several phones, whose processes die and are followed by others
  --sessions    WebDriver sessions of clients that end them, fall silent or die`

const readFlags = () => {
  try {
    return parseArgs({ options: FLAGS, allowPositionals: false }).values
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${USAGE}\n`)
    process.exit(1)
  }
}
const values = readFlags()
const refuse = (text: string): never => {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}
/** Flags of one trial say nothing about many, and the other way round. */
const refuseMixed = () => {
  const given = (names: readonly (keyof typeof values)[]) => names.filter(name => values[name] !== undefined)
  const ways = given(['seed', 'plan', 'seconds'])
  if (ways.length > 1) refuse(`--${ways.join(' and --')} exclude each other.`)
  const isSingle = values.seed !== undefined || values.plan !== undefined
  const unfit = given(isSingle ? ['from', 'count'] : ['trace', 'home'])
  if (unfit.length > 0 && isSingle) refuse(`For one trial there is no --${unfit.join(' and no --')}.`)
  if (unfit.length > 0) refuse(`--${unfit[0]} is for one trial: name it with --seed or --plan.`)
  if (values.seconds !== undefined && given(['from', 'count']).length > 0)
    refuse('--seconds tries fresh seeds: it takes no --from and no --count.')
  const profiles = given(['skills', 'daemon', 'fleet', 'flows', 'sessions'])
  if (profiles.length > 1) refuse(`--${profiles.join(' and --')} exclude each other.`)
  const useless = values.daemon === true ? given(['sqlite', 'home']) : []
  if (useless.length > 0) refuse(`Simulated daemons keep no journal: there is no --${useless.join(' and no --')}.`)
  if (values.trace !== undefined && !existsSync(dirname(resolve(values.trace))))
    refuse(`${values.trace} cannot be written: its folder does not exist.`)
  if (values.home !== undefined && existsSync(values.home) && !statSync(values.home).isDirectory())
    refuse(`${values.home} is a file: --home takes a new folder.`)
  if (values.home !== undefined && existsSync(values.home) && readdirSync(values.home).length > 0)
    refuse(`${values.home} is not empty: --home takes a new folder.`)
}
const say = (text: string) => void process.stdout.write(`${text}\n`)
const numberOf = (name: 'seed' | 'from' | 'count' | 'seconds' | 'asks', otherwise: number): number => {
  const given = values[name]
  if (given === undefined) return otherwise
  const number = Number(given)
  if (name === 'count' && number === 0) return refuse('--count 0 would try nothing.')
  const most = name === 'asks' ? PROBE_ROW : Number.MAX_SAFE_INTEGER
  if (Number.isSafeInteger(number) && number >= 0 && number <= most) return number
  return refuse(`--${name} takes a whole number${most < 100 ? ` up to ${most}` : ''}, not ${JSON.stringify(given)}.`)
}
/** As a report prints it: with its profile, and the store that it ran on. A plan is not judged as a whole. */
const readPlan = (path: string): object => {
  let read: unknown
  try {
    read = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    return refuse(`${path} cannot be read as a plan: ${error instanceof Error ? error.message : error}`)
  }
  const { profile: of, store, ...plan } = (typeof read === 'object' && read !== null ? read : {}) as Printed
  if (of === undefined || !('seed' in plan)) return refuse(`${path} is no plan: a report prints one, with its profile.`)
  const wanted = `${of === 'core' ? '' : ` --${of}`}${store === 'sqlite' ? ' --sqlite' : ''}`
  if (of !== profile || store !== STORE) refuse(`${path} is a plan for npm run simulate --${wanted} --plan ${path}`)
  return plan
}
/** The world of executions, unless a flag names another. */
const profile: ProfileName =
  (['skills', 'daemon', 'fleet', 'flows', 'sessions'] as const).find(name => values[name] === true) ?? 'core'

interface Printed {
  profile?: string
  store?: string
}
const STORE = values.sqlite === true ? 'sqlite' : 'memory'

const counted = (violations: number): string => `${violations} ${violations === 1 ? 'violation' : 'violations'}`

const verdictOf = (trials: number, broken: number): string => {
  const tried = `${trials} ${trials === 1 ? 'trial' : 'trials'}`
  return broken === 0 ? `${tried}, no law broken` : `${tried}, a law broken in ${broken} of them`
}

const keepJournals = async (journals: readonly Journal[]): Promise<void> => {
  const { home } = values
  if (home === undefined) return
  for (const [host, journal] of journals.entries()) {
    const folder = join(home, `h${host}`)
    say(`${await exportJournal(journal, folder)} records of h${host}: SVC_HOME=${folder} svc inspect`)
  }
}

const simulation = <P extends { seed: number }>(used: Profile<P>) => {
  const planFor = (seed: number): P =>
    used.planOf(seed, values.asks === undefined ? undefined : numberOf('asks', PROBE_ROW))
  const tried = (plan: P, onEnd?: TryOptions['onEnd']): Promise<TriedPlan> =>
    used.tried(plan, { sqlite: values.sqlite === true, onEnd })

  /** Made small under the condition that it still breaks the law that broke first. */
  const small = async (plan: P, law: number | undefined): Promise<P> => {
    if (values['no-shrink'] === true) return plan
    const { plan: smallest, runs } = await shrinkBy<P>(used.simpler)(plan, async one =>
      (await tried(one)).violations.some(violation => violation.law === law),
    )
    say(`shrunk in ${runs} runs: ${used.sizeOf(smallest)}`)
    return smallest
  }

  const failed = async (plan: P, { violations }: TriedPlan): Promise<void> => {
    say(`seed ${plan.seed} breaks law ${violations[0]?.law}`)
    for (const { law, about, says } of violations) say(`  law ${law}: ${about}: ${says}`)
    const smallest = await small(plan, violations[0]?.law)
    const again = await tried(smallest)
    if (values['no-shrink'] !== true) say(`the plan made small: ${counted(again.violations.length)}`)
    say(again.report())
    const flags = ['skills', 'daemon', 'fleet', 'flows', 'sessions', 'sqlite'].filter(
      name => Reflect.get(values, name) === true,
    )
    const command = `npm run simulate --${flags.map(flag => ` --${flag}`).join('')}`
    const seeded = `${command} --seed ${plan.seed}${values.asks === undefined ? '' : ` --asks ${values.asks}`}`
    say(`To run it again: ${seeded}, or the plan below in a file: ${command} --plan FILE`)
    say(JSON.stringify({ profile, store: STORE, ...smallest }))
  }

  const single = async (plan: P): Promise<boolean> => {
    const one = await tried(plan, keepJournals)
    say(`seed ${plan.seed}: hash ${one.hash}, ${one.steps} steps, ${counted(one.violations.length)}`)
    if (values.trace !== undefined) writeFileSync(values.trace, `${one.trace.join('\n')}\n`)
    if (one.violations.length > 0) await failed(plan, one)
    return one.violations.length === 0
  }

  const many = async (seeds: Iterable<number>, untilMs: number): Promise<boolean> => {
    const begun = performance.now()
    const faults = new Map<string, number>()
    const effects = new Map<string, number>()
    let count = 0
    let steps = 0
    let broken = 0
    for (const seed of seeds) {
      if (performance.now() - begun > untilMs) break
      const plan = planFor(seed)
      const one = await tried(plan)
      count += 1
      steps += one.steps
      for (const kind of used.faultKinds(plan)) faults.set(kind, (faults.get(kind) ?? 0) + 1)
      for (const [kind, times] of one.effects) effects.set(kind, (effects.get(kind) ?? 0) + times)
      if (one.violations.length === 0) continue
      broken += 1
      await failed(plan, one)
    }
    const seconds = (performance.now() - begun) / 1_000
    say(`${count} trials in ${seconds.toFixed(1)} s: ${(count / seconds).toFixed(1)} a second, ${steps} steps`)
    const listed = (counts: ReadonlyMap<string, number>) =>
      [...counts].map(([kind, times]) => `${times} ${kind}`).join(', ')
    say(`planned: ${listed(faults)}`)
    say(`took effect: ${listed(effects)}`)
    say(verdictOf(count, broken))
    return broken === 0
  }

  return (): Promise<boolean> => {
    if (used.needs !== undefined && !existsSync(used.needs))
      refuse(`${used.needs} does not exist: start this in the folder of the repository, for its trials read that file.`)
    if (values.plan !== undefined) return single(readPlan(values.plan) as P)
    if (values.seed !== undefined) return single(planFor(numberOf('seed', 1)))
    if (values.seconds !== undefined) return many(fresh(), numberOf('seconds', 60) * 1_000)
    return many(seedsFrom(numberOf('from', 1), numberOf('count', 400)), Number.POSITIVE_INFINITY)
  }
}

function* seedsFrom(from: number, count: number): Generator<number> {
  for (let seed = from; seed < from + count; seed++) yield seed
}
const SEEDS = 2 ** 31
function* fresh(): Generator<number> {
  for (;;) yield Math.floor(Math.random() * SEEDS)
}

const run = withProfile(profile, simulation)

if (values.help !== true) refuseMixed()
if (values.help === true) say(USAGE)
else process.exitCode = (await run()) ? 0 : 1
