/** Runs one plan with WebDriver sessions in a world of its own: the product's own server answers clients at two processes. */
import type { JournalRecord } from '../../../src/contracts/records/journal.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import { recordsAfter } from '../../../src/runtime/journal/reading.ts'
import type { Violation } from '../../laws/laws.ts'
import type { Story } from '../../laws/story.ts'
import type { Wall } from '../clock.ts'
import { calmDown, scheduleEnd, storyOfHosts, summed } from '../end.ts'
import { describeFault, faultPlayer } from '../faults.ts'
import { createClients } from '../host/clients.ts'
import { memoryDisk } from '../host/disk.ts'
import { loadServices } from '../host/life.ts'
import { createProcesses, type Processes } from '../host/processes.ts'
import { createPhoneHost } from '../phone/phone.ts'
import { FAULTS_UNTIL_MS } from '../plan/plan.ts'
import { judgeReservations } from '../reservations/laws.ts'
import { createScheduler } from '../scheduler.ts'
import { PROBE_ROW } from '../trial.ts'
import type { Death, Left } from '../world.ts'
import type { SessionPlan } from './plan.ts'
import { createWebClients, type WebFacts } from './web-clients.ts'

/** A reservation that could not be given back on a full disk ends by itself within it. */
const CALM_MS = 100_000
const PROBE_AT_MS = FAULTS_UNTIL_MS + CALM_MS
const PROBE_EVERY_MS = 20_000

export interface SessionWorld {
  readonly plan: SessionPlan
  readonly story: Story
  readonly facts: WebFacts
  /** Of sessions, their reservations and devices, in their order. */
  readonly records: readonly JournalRecord[]
  /** How often each row was tapped, on all phones. */
  readonly taps: Readonly<Record<string, number>>
  readonly deaths: readonly Death[]
  readonly reservations: readonly Violation[]
  readonly left: readonly Left[]
}

export interface SessionTrial {
  readonly world: SessionWorld
  readonly hash: string
  readonly steps: number
  readonly effects: ReadonlyMap<string, number>
  readonly trace: readonly string[]
}

interface SessionTrialOptions {
  disk?: typeof memoryDisk
  onEnd?: ((journals: readonly Journal[]) => Promise<void>) | undefined
}

const OF_SESSIONS: readonly string[] = ['session', 'reservation', 'device']

export const runSessionPlan = async (
  plan: SessionPlan,
  { disk: createDisk = memoryDisk, onEnd }: SessionTrialOptions = {},
): Promise<SessionTrial> => {
  await loadServices()
  await import('../../../src/start/webdriver.ts')
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
  const parts = { scheduler, harness, walls, disks, phones, say }
  const processes: Processes = createProcesses({
    ...{ ...parts, plan, sweptUntil: PROBE_AT_MS },
    onDeath: life => clients.orphan(life),
  })
  const { lifeAt, slots, deaths } = processes
  const clients = createClients({ scheduler, lifeAt, serials: phones.map(({ serial }) => serial) })
  const web = createWebClients({ scheduler, processes: () => processes, phones, send: clients.send, say })
  const play = faultPlayer({ ...parts, processes })

  for (const slot of slots) processes.start(slot)
  for (const ask of plan.asks) clients.ask(ask)
  for (const [index, one] of plan.sessions.entries()) web.begin(harness, one, index)
  for (const fault of plan.faults) post(harness, fault.at, describeFault(fault), () => play(fault))
  post(harness, FAULTS_UNTIL_MS, 'calm', () => {
    say('calm')
    calmDown(slots, phones)
  })

  const probes = phones.flatMap((_, phone) => slots.map(({ place }) => ({ phone, place })))
  for (const [index, { phone, place }] of probes.entries())
    post(
      harness,
      PROBE_AT_MS + index * PROBE_EVERY_MS,
      `probes phone ${phone}`,
      () => void web.probe(phone, place, PROBE_ROW + index),
    )
  const restMs = PROBE_AT_MS + probes.length * PROBE_EVERY_MS

  const left: Left[] = []
  const end = scheduleEnd({ scheduler, harness, slots, left, isQuiet: () => clients.open().length === 0 })
  end.restAt(restMs)
  end.stopAt(restMs + PROBE_EVERY_MS)
  end.judge(await scheduler.run(restMs + 3 * PROBE_EVERY_MS), phones, disks)

  const records = disks.flatMap(disk =>
    [...recordsAfter(disk.store(), 0, {})].filter(({ machine }) => OF_SESSIONS.includes(machine)),
  )
  const isClockSet = plan.faults.some(({ kind }) => kind === 'clock-set')
  const reservations = judgeReservations({ disks, deaths, isClockSet })
  const hosts = storyOfHosts(disks, phones)
  const taps = summed(phones.map(phone => phone.taps()))
  for (const phone of phones) phone.close()
  await onEnd?.(disks.map(disk => disk.store()))
  for (const disk of disks) disk.close()
  const story: Story = {
    ...{ networkPhones: [], asked: clients.asked, watched: [], log },
    unended: clients.open().map(what => `${what} was never answered`),
    ...hosts,
  }
  return {
    world: { plan, story, facts: web.facts(), records, taps, deaths, reservations, left },
    hash: scheduler.hash(),
    effects: scheduler.effects(),
    steps: scheduler.steps(),
    trace: scheduler.trace(),
  }
}
