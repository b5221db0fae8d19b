/** Runs one plan with skills in a world of its own: services of a host, children that play scripts, and their callers. */
import { resolve } from 'node:path'
import type { JournalRecord } from '../../../src/contracts/records/journal.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import { recordsAfter } from '../../../src/runtime/journal/reading.ts'
import type { Story } from '../../laws/story.ts'
import type { Wall } from '../clock.ts'
import { scheduleEnd, storyOfHosts, summed } from '../end.ts'
import { describeFault, faultPlayer } from '../faults.ts'
import { memoryDisk } from '../host/disk.ts'
import { loadServices } from '../host/life.ts'
import { createProcesses, type Processes } from '../host/processes.ts'
import { createPhoneHost } from '../phone/phone.ts'
import { FAULTS_UNTIL_MS } from '../plan/plan.ts'
import { createScheduler } from '../scheduler.ts'
import { PROBE_ROW } from '../trial.ts'
import type { Left } from '../world.ts'
import { type AskedRun, createCallers } from './callers.ts'
import { type ChildFacts, createChildren } from './children.ts'
import { createOperatingSystem, type OperatingSystem, type SimulatedProcess } from './operating-system.ts'
import type { Bystanders, RunAsk, SkillPlan } from './plan.ts'

const CALM_MS = 45_000
const PROBE_AT_MS = FAULTS_UNTIL_MS + CALM_MS
const PROBE_EVERY_MS = 8_000
const REST_MS = 4_000
const STOP_AT_MS = PROBE_AT_MS + 20_000
const END_MS = STOP_AT_MS + 30_000

/** Committed beside this file; nothing of it is ever started. */
export const REGISTRY = resolve('test/simulation/skills/registry/skills/skills-registry.json')

export interface SkillWorld {
  plan: SkillPlan
  story: Story
  taps: Readonly<Record<string, number>>
  runs: readonly AskedRun[]
  /** Requests in the calm: each must succeed. */
  probes: readonly AskedRun[]
  facts: readonly ChildFacts[]
  children: readonly SimulatedProcess[]
  /** Of the machine of runs, in their order. */
  records: readonly JournalRecord[]
  hits: readonly string[]
  left: readonly Left[]
}

export interface SkillTrial {
  world: SkillWorld
  hash: string
  steps: number
  effects: ReadonlyMap<string, number>
  trace: readonly string[]
}

export interface SkillTrialOptions {
  disk?: typeof memoryDisk
  onEnd?: ((journals: readonly Journal[]) => Promise<void>) | undefined
}

const probeOf = (process: number): RunAsk => ({
  name: `probe-${process}`,
  at: PROBE_AT_MS + process * PROBE_EVERY_MS,
  place: { host: 0, process },
  phone: 0,
  skillId: 'sim.prove',
  timeoutMs: 6_000,
  script: {
    steps: [
      { do: 'tap', command: `tap-${PROBE_ROW + process}`, process },
      { do: 'frame', frame: 'success' },
      { do: 'exit', code: 0 },
    ],
    onTerm: 'ends',
  },
})

export const runSkillPlan = async (
  plan: SkillPlan,
  { disk: createDisk = memoryDisk, onEnd }: SkillTrialOptions = {},
): Promise<SkillTrial> => {
  await loadServices()
  const scheduler = createScheduler(plan.seed)
  const harness = scheduler.owner('world')
  const { post } = scheduler
  const walls: Wall[] = [{ setBy: 0 }]
  const log: { at: number; text: string }[] = []
  const say = (text: string) => void log.push({ at: scheduler.now(), text })
  const disks = walls.map((wall, host) =>
    createDisk({ scheduler, name: `disk of h${host}`, wall, alive: process => processes.isAlive(process) }),
  )
  const phones = plan.phones.map(({ ways, faults }, index) => createPhoneHost({ scheduler, index, ways, faults }))
  const serials = phones.map(({ serial }) => serial)

  const probes = Array.from({ length: plan.processes }, (_, process) => probeOf(process))
  const named = new Map([...plan.runs, ...probes].map(one => [one.name, one]))
  const children = createChildren({
    scheduler,
    lifeAt: place => processes.lifeAt(place),
    runOf: name => {
      const run = named.get(name)
      return run && { serial: serials[run.phone] ?? '', skillId: run.skillId }
    },
    system: () => system,
  })
  const system: OperatingSystem = createOperatingSystem({
    scheduler,
    scriptOf: name => named.get(name)?.script,
    play: children.play,
  })
  const parts = { scheduler, harness, walls, disks, phones, say }
  const processes: Processes = createProcesses({
    ...parts,
    plan,
    skills: { registry: REGISTRY, sweptUntil: PROBE_AT_MS, systemFor: system.systemFor },
    onDeath(life) {
      callers.orphan(life)
      children.orphan(life)
      system.orphan()
    },
  })
  const callers = createCallers({ scheduler, lifeAt: processes.lifeAt, serials, system: () => system })
  const play = faultPlayer({ ...parts, processes })

  const addBystanders = ({ count }: Bystanders) => {
    for (let index = 0; index < count; index++) {
      const made = { name: 'bystander', runId: undefined, parent: undefined, stdout: undefined, stderr: undefined }
      system.start({ ...made, onTerm: 'ends' })
    }
  }

  for (const slot of processes.slots) processes.start(slot)
  for (const run of [...plan.runs, ...probes]) callers.ask(run)
  for (const fault of plan.faults) {
    if (fault.kind === 'bystanders') post(harness, fault.at, 'bystanders come', () => addBystanders(fault))
    else
      post(harness, fault.at, describeFault(fault), () => {
        play(fault)
        if (fault.kind === 'power-cut') system.reboot()
      })
  }
  post(harness, FAULTS_UNTIL_MS, 'calm', () => {
    say('calm')
    for (const { life } of processes.slots) {
      if (!life) continue
      life.owner.diesAtUse = undefined
      life.owner.frozenUntil = 0
    }
    for (const phone of phones) phone.calmDown()
  })

  const left: Left[] = []
  const isQuiet = () => callers.open().length === 0 && children.open() === 0
  const end = scheduleEnd({ scheduler, harness, slots: processes.slots, left, isQuiet })
  end.restAt(PROBE_AT_MS + (plan.processes - 1) * PROBE_EVERY_MS + REST_MS)
  end.stopAt(STOP_AT_MS)
  end.judge(await scheduler.run(END_MS), phones, disks)
  for (const path of system.folders()) left.push({ owner: 'h0', what: `the folder ${path}` })
  for (const { name, pid } of system.children.filter(one => one.runId !== undefined && one.endedAt === undefined))
    left.push({ owner: 'h0', what: `process ${pid} of ${name}` })

  const hosts = storyOfHosts(disks, phones)
  const store = disks[0]?.store()
  const records = store ? [...recordsAfter(store, 0, {})].filter(({ machine }) => machine === 'skill-run') : []
  const taps = summed(phones.map(phone => phone.taps()))
  for (const phone of phones) phone.close()
  await onEnd?.(disks.map(disk => disk.store()))
  for (const disk of disks) disk.close()
  return {
    world: {
      plan,
      story: {
        networkPhones: [],
        asked: children.asked,
        watched: processes.watched.filter(({ isOver }) => !isOver),
        unended: callers.open().map(name => `${name} was never answered`),
        log: [...log, ...processes.deaths.map(({ at, pid }) => ({ at, text: `process ${pid} has died` }))],
        ...hosts,
      },
      taps,
      runs: callers.asked.filter(({ ask }) => !probes.includes(ask)),
      probes: callers.asked.filter(({ ask }) => probes.includes(ask)),
      facts: children.facts,
      children: system.children,
      records,
      hits: system.hits,
      left,
    },
    hash: scheduler.hash(),
    effects: scheduler.effects(),
    steps: scheduler.steps(),
    trace: scheduler.trace(),
  }
}
