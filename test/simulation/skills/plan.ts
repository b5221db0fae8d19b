/** The deeds of one trial with skills: who runs which script and when, and which faults come. Plain JSON, made from a seed. */
import type { Fault as PhoneFault } from '../../../src/simulator/scenario/fault.ts'
import { createRandom, type Random } from '../../long/trial/random.ts'
import type { OperatorWays } from '../phone/phone-scenario.ts'
import { ASKS_UNTIL_MS, type Plan as CorePlan, FAULTS_UNTIL_MS, type Fault, type Place } from '../plan/plan.ts'
import { seedOf } from '../scheduler.ts'
import type { Frame, OnTerm, Script, Step } from './script.ts'

export interface RunAsk {
  name: string
  at: number
  place: Place
  phone: number
  skillId: 'sim.do' | 'sim.prove'
  timeoutMs: number
  expectContains?: string
  script: Script
  /** Its caller tells it to end so long after it was asked. */
  cancelAfterMs?: number
}

/** Starts processes that are no business of any run, with the pids that are free by then. */
export interface Bystanders {
  kind: 'bystanders'
  at: number
  host: number
  count: number
}

export interface SkillPlan extends Omit<CorePlan, 'faults'> {
  runs: readonly RunAsk[]
  faults: readonly (Fault | Bystanders)[]
}

const PROCESSES = 2
export const EXPECTED = 'as it should be'
const FRAMES = [
  'success',
  'success',
  'success',
  'failed',
  'unproved',
  'malformed',
  'twice',
  'source',
] as const satisfies Frame[]
const ON_TERM = ['ends', 'ends', 'ignores', 'late'] as const satisfies OnTerm[]
const QUICK = ['slow', 'late', 'link-lost-before', 'link-lost-after', 'repeat-chunk', 'garbage'] as const

const listOf = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

const phoneFault = (random: Random): PhoneFault => {
  const kind = random.pick(QUICK)
  const ms = kind === 'slow' || kind === 'late' ? { ms: random.int(200, 2_000) } : {}
  return { after: random.int(0, 4), do: kind, times: random.int(1, 2), ...ms }
}

const waiting = (random: Random, most: number): Step[] =>
  random.chance(0.6) ? [{ do: 'wait', ms: random.int(1, most) }] : []

const endOf = (random: Random): Step[] => {
  const frame: Step[] = random.chance(0.65) ? [{ do: 'frame', frame: random.pick(FRAMES) }] : []
  if (random.chance(0.2)) return [{ do: 'hang' }]
  return [...frame, { do: 'exit', code: random.chance(0.15) ? random.int(1, 9) : 0 }]
}

const scriptOf = (random: Random, command: string): Script => {
  const fork = (): Step[] => [
    {
      do: 'fork',
      isAway: random.chance(0.5),
      holdsOutput: random.chance(0.5),
      onTerm: random.pick(ON_TERM),
      ms: random.int(10, 12_000),
    },
  ]
  const tap = (): Step[] => [
    {
      do: 'tap',
      command,
      process: random.int(0, PROCESSES - 1),
      ...(random.chance(0.5) ? { isKeyed: true, ...(random.chance(0.5) ? { again: true } : {}) } : {}),
    },
  ]
  return {
    steps: [
      { do: 'print', text: `begins ${command}\n` },
      ...waiting(random, 500),
      ...(random.chance(0.3) ? fork() : []),
      ...(random.chance(0.1) ? ([{ do: 'print', text: 'complains\n', to: 'stderr' }] satisfies Step[]) : []),
      ...(random.chance(0.7) ? tap() : []),
      ...waiting(random, 2_500),
      ...(random.chance(0.3) ? ([{ do: 'print', text: `${EXPECTED}\n` }] satisfies Step[]) : []),
      ...(random.chance(0.08) ? ([{ do: 'flood', kilobytes: random.int(100, 3_000) }] satisfies Step[]) : []),
      ...(random.chance(0.15) ? fork() : []),
      ...endOf(random),
    ],
    onTerm: random.pick(ON_TERM),
    ...(random.chance(0.04) ? { isUnstartable: true } : {}),
  }
}

/** Each kind of fault is on or off by the seed: some defects show only where others are silent. */
const kindsOf = (random: Random) => {
  const on = () => random.chance(0.5)
  return {
    kill: on(),
    use: on(),
    freeze: random.chance(0.25),
    cut: random.chance(0.3),
    stall: random.chance(0.3),
    full: random.chance(0.25),
    slow: random.chance(0.25),
    power: random.chance(0.3),
    clock: random.chance(0.3),
    bystanders: on(),
    phone: random.chance(0.3),
  }
}

export const skillPlanOf = (seed: number, count = 8): SkillPlan => {
  const random = createRandom(seedOf(`${seed}/skills`))
  const kinds = kindsOf(random)
  const phones = listOf(random.int(1, 2), () => ({
    host: 0,
    ways: random.pick<OperatorWays>(['socket', 'broadcast']),
    faults: kinds.phone ? listOf(random.int(1, 2), () => phoneFault(random)) : [],
  }))
  const place = (): Place => ({ host: 0, process: random.int(0, PROCESSES - 1) })
  const runs = listOf(
    count,
    (index): RunAsk => ({
      name: `run-${index}`,
      at: random.int(0, ASKS_UNTIL_MS),
      place: place(),
      phone: random.int(0, phones.length - 1),
      skillId: random.pick(['sim.do', 'sim.do', 'sim.prove']),
      timeoutMs: random.pick([700, 1_500, 4_000, 10_000]),
      ...(random.chance(0.2) ? { expectContains: EXPECTED } : {}),
      script: scriptOf(random, `tap-${index}`),
      ...(random.chance(0.3) ? { cancelAfterMs: random.int(0, 2_500) } : {}),
    }),
  )
  /** Most faults are aimed at a run: from before it is accepted until its child should have ended. */
  const moment = (): number => {
    const aimed = runs[random.int(0, runs.length - 1)]
    if (!aimed || random.chance(0.2)) return random.int(0, FAULTS_UNTIL_MS - 1)
    return Math.min(FAULTS_UNTIL_MS - 1, aimed.at + random.int(0, random.pick([60, 400, aimed.timeoutMs, 4_000])))
  }
  const phone = () => random.int(0, phones.length - 1)
  const restartMs = () => random.int(20, 2_000)
  const some = <T>(isOn: boolean, most: number, make: () => T): T[] => (isOn ? listOf(random.int(1, most), make) : [])
  return {
    seed,
    hosts: 1,
    processes: PROCESSES,
    phones,
    asks: [],
    runs,
    faults: [
      ...some<Fault>(kinds.kill, 3, () => ({ kind: 'kill', at: moment(), place: place(), restartMs: restartMs() })),
      ...some<Fault>(kinds.use, 4, () => ({
        kind: 'kill-at-use',
        at: moment(),
        place: place(),
        use: random.int(1, 30),
        restartMs: restartMs(),
      })),
      ...some<Fault>(kinds.freeze, 2, () => ({
        kind: 'freeze',
        at: moment(),
        place: place(),
        ms: random.int(200, 10_000),
      })),
      ...some<Fault>(kinds.cut, 2, () => ({ kind: 'cut', at: moment(), phone: phone() })),
      ...some<Fault>(kinds.stall, 2, () => ({
        kind: 'stall',
        at: moment(),
        phone: phone(),
        ms: random.int(50, 4_000),
      })),
      ...some<Fault>(kinds.full, 1, () => ({ kind: 'disk-full', at: moment(), host: 0, ms: random.int(50, 4_000) })),
      ...some<Fault>(kinds.slow, 1, () => ({
        kind: 'disk-slow',
        at: moment(),
        host: 0,
        ms: random.int(50, 4_000),
        extraMs: random.int(20, 1_500),
      })),
      ...some<Fault>(kinds.power, 2, () => ({ kind: 'power-cut', at: moment(), host: 0, restartMs: restartMs() })),
      ...some<Fault>(kinds.clock, 2, () => ({
        kind: 'clock-set',
        at: moment(),
        host: 0,
        byMs: random.pick([-5_000, 5_000, -3_600_000, 3_600_000]),
      })),
      ...some<Bystanders>(kinds.bystanders, 4, () => ({
        kind: 'bystanders',
        at: moment(),
        host: 0,
        count: random.int(1, 3),
      })),
    ],
    watchers: [place()],
  }
}
