/** Runs one plan with flows in a world of its own: processes begin runs, die, and resume what others have left. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestRun } from '../../../src/contracts/flows/test-run.ts'
import type { JournalRecord } from '../../../src/contracts/records/journal.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import { recordsAfter } from '../../../src/runtime/journal/reading.ts'
import { once } from '../../../src/runtime/once.ts'
import { readTestRun, recordedRequestOf, testRunOf } from '../../../src/service/flows/read-test-run.ts'
import type { Story } from '../../laws/story.ts'
import type { Wall } from '../clock.ts'
import { begunAt, calmDown, scheduleEnd, storyOfHosts, summed } from '../end.ts'
import { describeFault, faultPlayer } from '../faults.ts'
import { memoryDisk } from '../host/disk.ts'
import { type Life, loadServices } from '../host/life.ts'
import { createProcesses, type Processes } from '../host/processes.ts'
import { createPhoneHost } from '../phone/phone.ts'
import { FAULTS_UNTIL_MS } from '../plan/plan.ts'
import { createScheduler } from '../scheduler.ts'
import type { Left, World } from '../world.ts'
import { flowText, PART_FILE, partText } from './flow-text.ts'
import { type FlowPlan, type FlowRunAsk, firstSerial, type PlannedPart, secondSerial } from './plan.ts'
import { provenTaps } from './proven-taps.ts'
import { type Orders, scriptsIn } from './scripts.ts'
import { homeTexts, journalTexts, type KeptText } from './texts.ts'

/** A run has this long to end after the faults: attempts that begin again, and phones that are waited for. */
const CALM_MS = 240_000
const STOP_AT_MS = FAULTS_UNTIL_MS + CALM_MS
const REST_AT_MS = STOP_AT_MS - 20_000
const END_MS = STOP_AT_MS + 30_000
/** A process that is not there yet begins its run later. */
const BEGIN_AGAIN_MS = 500
const CHANGE_LOOK_MS = 50
const SECRET = 'SEC'

export interface BegunRun {
  readonly ask: FlowRunAsk
  testRunId?: string
}

export interface FlowWorld {
  readonly plan: FlowPlan
  readonly story: Story
  readonly begun: World['begun']
  readonly runs: readonly BegunRun[]
  /** As the journal has them. */
  readonly testRuns: readonly TestRun[]
  /** Of attempts and runs, in their order. */
  readonly records: readonly JournalRecord[]
  /** How often each row was tapped, on all phones and on each. */
  readonly taps: Readonly<Record<string, number>>
  readonly tapsOf: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** Executions whose receipts say that a tap was done. */
  readonly provenTaps: ReadonlySet<string>
  /** How often the server has taken the order of an attempt. */
  readonly orders: Orders
  readonly left: readonly Left[]
  /** All that is below the home, on record or was answered, in the end. */
  readonly texts: readonly KeptText[]
  /** Runs that went on with another value of their secret. */
  readonly otherSecrets: readonly string[]
}

export interface FlowTrial {
  readonly world: FlowWorld
  readonly hash: string
  readonly steps: number
  readonly effects: ReadonlyMap<string, number>
  readonly trace: readonly string[]
}

interface FlowTrialOptions {
  disk?: typeof memoryDisk
  onEnd?: ((journals: readonly Journal[]) => Promise<void>) | undefined
}

const filesFolder = once(() => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-simulated-flows-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
})

/** The files of a run, written before its world begins. */
const written = (name: string, { flows }: FlowRunAsk): string[] =>
  flows.map((flow, index) => {
    const path = join(filesFolder(), name, `flow-${index}.yaml`)
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, flowText(flow))
    if (flow.part) writeFileSync(join(path, '..', PART_FILE), partText(flow.part.rows))
    return path
  })

const changePart = (name: string, { laterRows }: PlannedPart) =>
  writeFileSync(join(filesFolder(), name, PART_FILE), partText(laterRows))

export const runFlowPlan = async (
  plan: FlowPlan,
  { disk: createDisk = memoryDisk, onEnd }: FlowTrialOptions = {},
): Promise<FlowTrial> => {
  await loadServices()
  await import('../../../src/start/flows.ts')
  await import('../../../src/service/local/logs.ts')
  const scheduler = createScheduler(plan.seed, { hasFiles: true })
  const harness = scheduler.owner('world')
  const { post } = scheduler
  const walls: Wall[] = [{ setBy: 0 }]
  const log: { at: number; text: string }[] = []
  const say = (text: string) => void log.push({ at: scheduler.now(), text })
  const disks = walls.map((wall, host) =>
    createDisk({ scheduler, name: `disk of h${host}`, wall, alive: process => processes.isAlive(process) }),
  )
  const phones = plan.phones.map(({ ways, faults }, index) =>
    createPhoneHost({
      ...{ scheduler, index, ways, faults, serial: firstSerial(index) },
      secondSerial: plan.twoSerials ? secondSerial(index) : undefined,
    }),
  )
  const parts = { scheduler, harness, walls, disks, phones, say }
  const orders: Orders = new Map()
  const runs: BegunRun[] = plan.runs.map(ask => ({ ask }))
  /** A process may die before it has answered with the id: then the record tells which of the runs it is. */
  const runOf = (testRunId: string): BegunRun | undefined => {
    const known = runs.find(run => run.testRunId === testRunId)
    const store = known ? undefined : disks[0]?.store()
    if (!store) return known
    const [path] = recordedRequestOf(store, testRunId)?.paths ?? []
    const run = runs[paths.findIndex(([first]) => first === path)]
    if (run) run.testRunId ??= testRunId
    return run
  }
  const homes = mkdtempSync(join(filesFolder(), 'homes-'))
  const processes: Processes = createProcesses({
    ...parts,
    scriptsOf: scriptsIn({
      ...{ scheduler, orders },
      secretOf: flowRunId => runOf(testRunOf(flowRunId))?.ask.secret,
    }),
    plan,
    homes,
    onDeath: () => {},
  })
  const play = faultPlayer({ ...parts, processes })
  const told: string[] = []
  const otherSecrets: string[] = []

  const nameOf = (index: number) => `${plan.seed}-${index}`
  const paths = runs.map(({ ask }, index) => written(nameOf(index), ask))

  const asking = (life: Life, what: string, ask: () => Promise<unknown>) =>
    post(life.owner, 0, what, () => {
      ask().then(
        answer => answer !== undefined && say(`${life.owner.name} ${what}: ${JSON.stringify(answer)}`),
        error => say(`${life.owner.name} ${what} failed: ${error}`),
      )
    })

  const cancel = ({ ask: { place, cancelAfterMs }, testRunId }: BegunRun) => {
    if (cancelAfterMs === undefined || testRunId === undefined) return
    post(harness, cancelAfterMs, 'cancels', () => {
      const life = processes.lifeAt(place)
      if (life)
        asking(life, 'cancels', async () => {
          const cancelled = await (await life.services.testRuns()).cancel(testRunId)
          return cancelled.ok ? 'cancelled' : cancelled.error.code
        })
    })
  }

  const begin = (run: BegunRun, index: number): void => {
    const { place, retries, failFast, shardAll, devices, secret } = run.ask
    const life = processes.lifeAt(place)
    if (!life) return void post(harness, BEGIN_AGAIN_MS, 'begins again', () => begin(run, index))
    asking(life, 'begins a run', async () => {
      const request = { paths: paths[index] ?? [], cwd: filesFolder(), caller: 'cli', retries, failFast } as const
      const begun = await (await life.services.testRuns()).start(
        {
          ...request,
          ...(shardAll ? { shardAll } : {}),
          ...(devices ? { devices: [...devices] } : {}),
          ...(secret === undefined ? {} : { env: { [SECRET]: secret }, secrets: [SECRET] }),
        },
        progress => void told.push(JSON.stringify(progress)),
      )
      if (!begun.ok) return begun.error.code
      run.testRunId = begun.testRunId
      begun.ended.catch(error => say(`${life.owner.name} ends a run: ${error}`))
      cancel(run)
      return begun.testRunId
    })
  }

  const resumeAll = (life: Life) =>
    asking(life, 'resumes runs', async () => {
      const testRuns = await life.services.testRuns()
      const resumed: string[] = []
      for (const { testRunId, verdict } of await testRuns.list()) {
        if (verdict !== null) continue
        const secret = runOf(testRunId)?.ask.secret
        if (secret !== undefined && harness.random.chance(0.3)) {
          const other = await testRuns.resume(testRunId, { [SECRET]: `${secret} or another` })
          if (other.ok) otherSecrets.push(testRunId)
          told.push(JSON.stringify(other))
        }
        const begun = await testRuns.resume(testRunId, secret === undefined ? {} : { [SECRET]: secret })
        if (!begun.ok) continue
        begun.ended.catch(error => say(`${life.owner.name} ends a run: ${error}`))
        resumed.push(testRunId)
      }
      return resumed.length > 0 ? resumed : undefined
    })

  const lookForRuns = () => {
    for (const { life } of processes.slots)
      if (life && !life.owner.isDead && harness.random.chance(0.7)) resumeAll(life)
    if (scheduler.now() < REST_AT_MS - CALM_MS / 4) post(harness, plan.resumeEveryMs, 'looks for runs', lookForRuns)
  }

  for (const slot of processes.slots) processes.start(slot)
  for (const [index, run] of runs.entries()) post(harness, run.ask.at, 'begins', () => begin(run, index))
  post(harness, plan.resumeEveryMs, 'looks for runs', lookForRuns)
  const change = (index: number, part: PlannedPart) => {
    say('a file has changed')
    changePart(nameOf(index), part)
  }
  /** Between the death of all processes and the next life, a file changes whose commands are being performed. */
  const changeOnTap = (index: number, part: PlannedPart): void => {
    const isTapped = phones.some(phone => part.rows.some(row => (phone.taps()[`tap-${row}`] ?? 0) > 0))
    if (!isTapped) {
      if (scheduler.now() < FAULTS_UNTIL_MS)
        post(harness, CHANGE_LOOK_MS, 'looks for taps', () => changeOnTap(index, part))
      return
    }
    for (const { life } of processes.slots) processes.kill(life)
    change(index, part)
  }
  for (const [index, { ask }] of runs.entries())
    for (const { part } of ask.flows) {
      if (part?.changedAt === 'first tap') changeOnTap(index, part)
      else if (part) post(harness, part.changedAt, 'changes a file', () => change(index, part))
    }
  for (const fault of plan.faults) post(harness, fault.at, describeFault(fault), () => play(fault))
  post(harness, FAULTS_UNTIL_MS, 'calm', () => {
    say('calm')
    calmDown(processes.slots, phones)
  })

  const left: Left[] = []
  const end = scheduleEnd({ scheduler, harness, slots: processes.slots, left, isQuiet: () => true })
  end.restAt(REST_AT_MS)
  end.stopAt(STOP_AT_MS)
  end.judge(await scheduler.run(END_MS), phones, disks)

  const store = disks[0]?.store()
  const records = store
    ? [...recordsAfter(store, 0, {})].filter(({ machine }) => machine === 'flow-run' || machine === 'test-run')
    : []
  const testRuns = (store?.actors({ machine: 'test-run' }) ?? []).flatMap(
    ({ actor }) => (store && readTestRun(store, actor.slice('test-run:'.length), { withCommands: true })) ?? [],
  )
  const hosts = storyOfHosts(disks, phones)
  const tapsOf = Object.fromEntries(phones.flatMap(phone => phone.serials.map(serial => [serial, phone.taps()])))
  const taps = summed(phones.map(phone => phone.taps()))
  const texts: KeptText[] = plan.runs.some(({ secret }) => secret !== undefined)
    ? [
        ...homeTexts(homes),
        ...(store ? journalTexts(store) : []),
        ...[...told, ...log.map(({ text }) => text), JSON.stringify(testRuns)].map(text => ({
          where: 'an answer',
          text,
        })),
      ]
    : []
  const proven = store ? provenTaps(store) : new Set<string>()
  const begun = begunAt(disks)
  for (const phone of phones) phone.close()
  await onEnd?.(disks.map(disk => disk.store()))
  for (const disk of disks) disk.close()
  const story: Story = {
    networkPhones: [],
    asked: [],
    watched: [],
    unended: [],
    log: [...log, ...processes.deaths.map(({ at, pid }) => ({ at, text: `process ${pid} has died` }))],
    ...hosts,
  }
  return {
    world: {
      ...{ plan, story, begun, runs, testRuns, records, taps, tapsOf, orders, left, texts, otherSecrets },
      provenTaps: proven,
    },
    hash: scheduler.hash(),
    effects: scheduler.effects(),
    steps: scheduler.steps(),
    trace: scheduler.trace(),
  }
}
