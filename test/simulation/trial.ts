/** Runs one plan in a world of its own, and tells what happened as a story for the laws. */

import type { Journal } from '../../src/runtime/journal/journal.ts'
import type { Story } from '../laws/story.ts'
import type { Wall } from './clock.ts'
import { begunAt, busyTimes, calmDown, queueEventsOf, scheduleEnd, storyOfHosts, summed, waitsOf } from './end.ts'
import { watchEvidence } from './evidence/watch-evidence.ts'
import { describeFault, faultPlayer } from './faults.ts'
import { createClients } from './host/clients.ts'
import { type Disk, memoryDisk } from './host/disk.ts'
import { loadServices } from './host/life.ts'
import { followOpenFiles } from './host/open-files.ts'
import { createProcesses, type Processes } from './host/processes.ts'
import { FETCHED_BYTES, makeHostFolders } from './phone/file-steps.ts'
import { ownerOf } from './phone/host-steps.ts'
import { createPhoneHost } from './phone/phone.ts'
import { createAgains } from './phone/transfers-again.ts'
import { FAULTS_UNTIL_MS, type Plan } from './plan/plan.ts'
import { makeHomes, recordedBy } from './recordings/recorded.ts'
import { createRecorders } from './recordings/recorders.ts'
import { judgeReservations } from './reservations/laws.ts'
import { createLessees } from './reservations/lessees.ts'
import { createScheduler } from './scheduler.ts'
import type { Left, World } from './world.ts'

/** After the faults everything has this long to come to its end. */
const CALM_MS = 45_000
const PROBE_AT_MS = FAULTS_UNTIL_MS + CALM_MS
const PROBE_EVERY_MS = 8_000
const RESTORE_AT_MS = PROBE_AT_MS - 8_000
const AGAIN_AT_MS = RESTORE_AT_MS - 8_000
/** From the end of the faults until then the sweeps of servers ask for what is in doubt, and then callers look. */
const LOOKS_AT_MS = FAULTS_UNTIL_MS + 22_000
const RECORDINGS_END_AT_MS = AGAIN_AT_MS - 2_000
/** Long after a probe was answered, and before its time is over. */
const REST_MS = 4_000
const STOP_AT_MS = PROBE_AT_MS + 20_000
const END_MS = STOP_AT_MS + 30_000
/** The last rows of the screen are for requests in the calm. */
export const PROBE_ROW = 32
const RESTORE_ROW = 36

/** Steps that read or write files of the host. */
const FILE_KINDS: readonly string[] = ['push', 'pull', 'install']

export interface Trial {
  world: World
  hash: string
  steps: number
  effects: ReadonlyMap<string, number>
  trace: readonly string[]
}

export interface TrialOptions {
  /** The journal of the hosts: the reference store unless told. */
  disk?: typeof memoryDisk
  /** Is handed the journals of all hosts, as they are in the end. */
  onEnd?: (journals: readonly Journal[]) => Promise<void>
}

export const runPlan = async (
  plan: Plan,
  { disk: createDisk = memoryDisk, onEnd }: TrialOptions = {},
): Promise<Trial> => {
  await loadServices()
  const stepAsks = plan.asks.filter(({ hostStep }) => hostStep !== undefined)
  const homes = plan.recordings ? makeHomes(plan.hosts) : undefined
  const hasFiles =
    homes !== undefined || stepAsks.some(({ hostStep }) => hostStep && FILE_KINDS.includes(hostStep.kind))
  const closeFiles = hasFiles ? followOpenFiles() : undefined
  const folders = makeHostFolders(plan.hosts, content => ownerOf(content, FETCHED_BYTES))
  const scheduler = createScheduler(plan.seed, { hasFiles })
  const harness = scheduler.owner('world')
  const { post } = scheduler
  const walls: Wall[] = Array.from({ length: plan.hosts }, () => ({ setBy: 0 }))
  const log: { at: number; text: string }[] = []
  const say = (text: string) => void log.push({ at: scheduler.now(), text })

  const disks: Disk[] = walls.map((wall, host) =>
    createDisk({ scheduler, name: `disk of h${host}`, wall, alive: process => processes.isAlive(process) }),
  )
  const phones = plan.phones.map(({ ways, faults, capabilities }, index) =>
    createPhoneHost({
      ...{ scheduler, index, ways, faults, capabilities, stepAsks, isRecorded: homes !== undefined },
      kill: owner => processes.killOwner(owner),
    }),
  )
  const parts = { scheduler, harness, walls, disks, phones, say }
  const processes: Processes = createProcesses({
    ...{ ...parts, plan, homeOf: homes?.of, sweptUntil: LOOKS_AT_MS },
    onDeath: life => clients.orphan(life),
  })
  const { slots, lifeAt, deaths, watched } = processes
  const evidence = watchEvidence({ plan, disks, phones, now: scheduler.now })
  const leaseIds = new Map<number, string>()
  const clients = createClients({
    ...{ scheduler, lifeAt, serials: phones.map(({ serial }) => serial) },
    folderOf: folders.of,
    leaseIdOf: lease => leaseIds.get(lease),
    onLook: evidence.looked,
  })
  const play = faultPlayer({ ...parts, processes })

  for (const slot of slots) processes.start(slot)
  for (const ask of plan.asks) clients.ask(ask)
  for (const fault of plan.faults) post(harness, fault.at, describeFault(fault), () => play(fault))
  post(harness, FAULTS_UNTIL_MS, 'calm', () => {
    say('calm')
    calmDown(slots, phones)
  })

  post(harness, LOOKS_AT_MS, 'looks', () => {
    for (const { executionId, host } of evidence.sweep())
      clients.look(executionId, { host: Number(host.slice(1)), process: 0 })
  })

  const probes: string[] = []
  post(harness, PROBE_AT_MS, 'probes', () => {
    for (const [index] of phones.entries()) {
      const host = plan.phones[index]?.host ?? 0
      for (let process = 0; process < plan.processes; process++) {
        const row = PROBE_ROW + probes.length
        probes.push(`tap-${row}`)
        post(harness, process * PROBE_EVERY_MS, `probes phone ${index}`, () =>
          clients.probe(`tap-${row}`, index, { host, process }),
        )
      }
    }
  })

  const restores =
    stepAsks.length === 0 ? [] : phones.map((_, phone) => ({ command: `tap-${RESTORE_ROW + phone}`, phone }))
  for (const { command, phone } of restores) {
    const host = plan.phones[phone]?.host ?? 0
    post(harness, RESTORE_AT_MS, `restores phone ${phone}`, () =>
      clients.probe(command, phone, { host, process: 0 }, { kind: 'restore' }),
    )
  }

  const lessees = createLessees({ scheduler, plan, phones, send: clients.send }, leaseIds)
  lessees.begin()
  const recorders = createRecorders({ scheduler, harness, plan, phones, clients })
  recorders.begin()
  if (homes) post(harness, RECORDINGS_END_AT_MS, 'ends recordings', recorders.end)

  const agains = createAgains({ plan, phones, folders, clients })
  if (stepAsks.length > 0) post(harness, AGAIN_AT_MS, 'asks for transfers again', agains.ask)

  const left: Left[] = []
  const end = scheduleEnd({
    ...{ scheduler, harness, slots, left },
    onClose: processes.endWatch,
    isQuiet: () => clients.open().length === 0,
  })
  end.restAt(PROBE_AT_MS + (plan.processes - 1) * PROBE_EVERY_MS + REST_MS)
  end.stopAt(STOP_AT_MS)

  end.judge(await scheduler.run(END_MS), phones, disks)

  const hosts = storyOfHosts(disks, phones)
  const story: Story = {
    networkPhones: [],
    asked: clients.asked,
    watched: [],
    unended: clients.open().map(what => `${what} was never answered`),
    log,
    ...hosts,
  }
  const evidenceFacts = evidence.ofWorld()
  const queueEvents = queueEventsOf(disks)
  const deeds = phones.flatMap(phone => phone.deeds() ?? [])
  const againFacts = agains.ofWorld()
  const isClockSet = plan.faults.some(({ kind }) => kind === 'clock-set')
  const reservationViolations = judgeReservations({ disks, deaths, isClockSet })
  const recordings = homes && recordedBy(recorders.asked, { homes, disks, phones })
  folders.remove()
  homes?.remove()
  await closeFiles?.()
  for (const phone of phones) phone.close()
  await onEnd?.(disks.map(disk => disk.store()))
  for (const disk of disks) disk.close()
  return {
    world: {
      story,
      watched,
      deaths,
      begun: begunAt(disks),
      busy: busyTimes(phones),
      timeouts: Object.fromEntries(plan.asks.map(({ command, timeoutMs }) => [command, timeoutMs])),
      taps: summed(phones.map(phone => phone.taps())),
      probes,
      byShell: plan.asks.flatMap(({ command, operatorPackage }) => (operatorPackage === 'svc.shell' ? [command] : [])),
      cancels: clients.cancels,
      departures: clients.departures,
      looks: clients.looks,
      queueEvents,
      waits: waitsOf(plan.asks),
      faults: plan.faults,
      left,
      reservations: { held: lessees.held(), violations: reservationViolations },
      failingHosts: plan.faults.flatMap(fault =>
        fault.kind === 'disk-full' || fault.kind === 'sync-fails' ? [`h${fault.host}`] : [],
      ),
      evidence: evidenceFacts,
      stalled: plan.faults.some(({ kind }) => kind === 'stall'),
      ...(recordings ? { recordings } : {}),
      ...(deeds.length > 0 ? { hostSteps: { asks: plan.asks, deeds, restores, ...againFacts } } : {}),
    },
    hash: scheduler.hash(),
    effects: scheduler.effects(),
    steps: scheduler.steps(),
    trace: scheduler.trace(),
  }
}
