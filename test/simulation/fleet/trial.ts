/** Runs one plan of a fleet in a world of its own: its hosts, phones and servers, their faults, and who asks them. */
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import type { Story, Watched } from '../../laws/story.ts'
import type { Wall } from '../clock.ts'
import { begunAt, busyTimes, calmDown, queueEventsOf, scheduleEnd, storyOfHosts, summed, waitsOf } from '../end.ts'
import { describeFault, faultPlayer } from '../faults.ts'
import { createClients } from '../host/clients.ts'
import { memoryDisk } from '../host/disk.ts'
import { loadServices, startLife } from '../host/life.ts'
import { createProcesses, type Processes } from '../host/processes.ts'
import { createNats, FAIR } from '../nats/server.ts'
import { createPhoneHost, type PhoneHost } from '../phone/phone.ts'
import { type Ask, FAULTS_UNTIL_MS } from '../plan/plan.ts'
import { createScheduler } from '../scheduler.ts'
import { PROBE_ROW } from '../trial.ts'
import type { Left, World } from '../world.ts'
import { fleetFaultPlayer } from './faults.ts'
import { loadFleet, startFleetLife } from './life.ts'
import { type Look, lookAtFleet } from './look.ts'
import { FLEET_READY_MS, type FleetAsk, type FleetPlan, serialOf } from './plan.ts'
import { type FleetWatcher, watchFleet } from './watch.ts'

const CALM_MS = 40_000
const PROBE_AT_MS = FAULTS_UNTIL_MS + CALM_MS
const PROBE_EVERY_MS = 3_000
const LOOK_AT_MS = PROBE_AT_MS + 14_000
const STOP_AT_MS = LOOK_AT_MS + 8_000
/** The log of the fleet is behind the journals by less. */
const HEARD_MS = 4_000
const END_MS = STOP_AT_MS + 25_000

export interface FleetWorld extends World {
  plan: FleetPlan
  look: Look
  serials: readonly string[]
  /** What somebody who follows the log of the fleet has heard, and how far the journals were by then. */
  ofLog: Watched
  heads: Readonly<Record<string, number>>
}

export interface FleetTrial {
  world: FleetWorld
  hash: string
  steps: number
  effects: ReadonlyMap<string, number>
  trace: readonly string[]
}

export interface FleetTrialOptions {
  disk?: typeof memoryDisk
  onEnd?: ((journals: readonly Journal[]) => Promise<void>) | undefined
}

export const runFleetPlan = async (
  plan: FleetPlan,
  { disk: createDisk = memoryDisk, onEnd }: FleetTrialOptions = {},
): Promise<FleetTrial> => {
  await loadServices()
  await loadFleet()
  const scheduler = createScheduler(plan.seed)
  const harness = scheduler.owner('world')
  const { post } = scheduler
  const walls: Wall[] = Array.from({ length: plan.hosts }, () => ({ setBy: 0 }))
  const log: { at: number; text: string }[] = []
  const say = (text: string) => void log.push({ at: scheduler.now(), text })
  const nats = createNats({ scheduler })
  const disks = walls.map((wall, host) =>
    createDisk({ scheduler, name: `disk of h${host}`, wall, alive: process => processes.isAlive(process) }),
  )
  const serials = plan.phones.map(({ isNetwork }, index) => serialOf(index, isNetwork))
  const phones = plan.phones.map(({ ways, faults }, index) =>
    createPhoneHost({ scheduler, index, ways, faults, serial: serials[index] ?? '' }),
  )
  const plugged: (number | undefined)[] = plan.phones.map(({ host }) => host)
  const seesAt = (host: number) => (phone: PhoneHost) => {
    const index = phones.indexOf(phone)
    return plan.phones[index]?.isNetwork === true || plugged[index] === host
  }
  let isPowerCut = false
  const parts = { scheduler, harness, walls, disks, phones, say }
  const processes: Processes = createProcesses({
    ...parts,
    plan,
    startAt: ({ host, process }, made) => {
      const options = { ...made, sees: seesAt(host) }
      if (process > 0) return startLife(options)
      const life = startFleetLife({
        ...options,
        nats,
        host: `h${host}`,
        onFailed(why) {
          say(`h${host} could not start: ${why}`)
          post(harness, 0, 'a server gives up', () => processes.kill(life))
        },
      })
      return life
    },
    onDeath(life) {
      clients.orphan(life)
      nats.died(life.owner, isPowerCut)
    },
  })
  const { slots, lifeAt, deaths, watched } = processes
  const deviceOf = (ask: Ask) => (ask as Partial<FleetAsk>).device ?? serials[ask.phone] ?? ''
  const clients = createClients({ scheduler, lifeAt, serials, deviceOf })
  const play = fleetFaultPlayer({
    ...{ scheduler, harness, nats, say, plain: faultPlayer({ ...parts, processes }) },
    plug(phone, host) {
      plugged[phone] = host
      if (host === undefined) phones[phone]?.cut('it was unplugged')
    },
  })

  for (const slot of slots) processes.start(slot)
  for (const ask of plan.asks) clients.ask(ask)
  for (const fault of plan.faults)
    post(harness, fault.at, describeFault(fault as never), () => {
      isPowerCut = fault.kind === 'power-cut'
      play(fault)
      isPowerCut = false
    })
  let fleetWatcher: FleetWatcher | undefined
  const since: Record<string, number> = {}
  post(harness, FLEET_READY_MS, 'a watcher comes', () => {
    const cut = plan.faults.flatMap(fault => (fault.kind === 'power-cut' ? [fault.host] : []))
    for (const host of disks.keys()) if (!cut.includes(host)) since[`h${host}`] = 0
    fleetWatcher = watchFleet(scheduler, nats)
  })
  post(harness, FAULTS_UNTIL_MS, 'calm', () => {
    say('calm')
    nats.weather = FAIR
    calmDown(slots, phones)
  })

  const probes: string[] = []
  post(harness, PROBE_AT_MS, 'probes', () => {
    for (const phone of phones.keys()) {
      for (let host = 0; host < plan.hosts; host++) {
        const row = PROBE_ROW + probes.length
        probes.push(`tap-${row}`)
        post(harness, host * PROBE_EVERY_MS, `probes phone ${phone}`, () =>
          clients.probe(`tap-${row}`, phone, { host, process: 0 }),
        )
      }
    }
  })
  let look: Look = { lists: [], receipts: [], isWhole: false }
  const servers = () => Array.from({ length: plan.hosts }, (_, host) => lifeAt({ host, process: 0 }))
  post(harness, LOOK_AT_MS, 'looks', () => {
    look = lookAtFleet({ scheduler, disks, servers: servers() })
  })

  const left: Left[] = []
  const end = scheduleEnd({
    ...{ scheduler, harness, slots, left },
    onClose: processes.endWatch,
    isQuiet: () => clients.open().length === 0,
  })
  const heads: Record<string, number> = {}
  post(harness, STOP_AT_MS - HEARD_MS, 'journals are measured', () => {
    for (const [host, disk] of disks.entries()) heads[`h${host}`] = disk.store().head()
  })
  post(harness, STOP_AT_MS, 'watching ends', () => fleetWatcher?.close())
  end.stopAt(STOP_AT_MS)
  end.judge(await scheduler.run(END_MS), phones, disks)

  const story: Story = {
    networkPhones: plan.phones.flatMap(({ isNetwork }, index) => (isNetwork ? [index] : [])),
    asked: clients.asked,
    watched: [],
    unended: [
      ...clients.open().map(what => `${what} was never answered`),
      ...(look.isWhole ? [] : ['not all hosts answered what they have']),
    ],
    log,
    ...storyOfHosts(disks, phones),
    receipts: look.receipts,
  }
  const queueEvents = queueEventsOf(disks)
  for (const phone of phones) phone.close()
  await onEnd?.(disks.map(disk => disk.store()))
  for (const disk of disks) disk.close()
  return {
    world: {
      plan,
      look,
      serials,
      story,
      watched,
      ofLog: {
        watcher: 'watcher of the fleet',
        since,
        events: fleetWatcher?.events ?? [],
        problems: [
          ...(fleetWatcher?.problems ?? []),
          ...(fleetWatcher?.gaps ?? []).flatMap(({ host, says }) =>
            host in since ? [`it was told of a gap: ${says}`] : [],
          ),
        ],
      },
      heads,
      deaths,
      begun: begunAt(disks),
      busy: busyTimes(phones),
      timeouts: Object.fromEntries(plan.asks.map(({ command, timeoutMs }) => [command, timeoutMs])),
      taps: summed(phones.map(phone => phone.taps())),
      probes,
      byShell: [],
      cancels: clients.cancels,
      departures: clients.departures,
      looks: clients.looks,
      queueEvents,
      waits: waitsOf(plan.asks),
      faults: plan.faults,
      left,
      failingHosts: [],
      stalled: false,
    },
    hash: scheduler.hash(),
    effects: scheduler.effects(),
    steps: scheduler.steps(),
    trace: scheduler.trace(),
  }
}
