/** Runs one plan in a world of its own, and tells what happened as a story for the laws. */

import type { TransitionRecord } from '../../src/contracts/actor.ts'
import { isActor } from '../../src/contracts/machines.ts'
import type { Journal } from '../../src/runtime/journal/journal.ts'
import { recordsAfter } from '../../src/runtime/journal/reading.ts'
import type { ProcessIdentity } from '../../src/runtime/processes.ts'
import { toTransition } from '../../src/runtime/transitions.ts'
import { ranAt } from '../laws/ran.ts'
import type { Story } from '../laws/story.ts'
import { createClients } from './clients.ts'
import { TIMER, type Wall } from './clock.ts'
import { DISK_FULL, type Disk, memoryDisk } from './disk.ts'
import { type Life, loadServices, startLife } from './life.ts'
import { createPhoneHost } from './phone.ts'
import { FAULTS_UNTIL_MS, type Fault, type Place, type Plan } from './plan.ts'
import { createScheduler } from './scheduler.ts'
import type { Death, Left, World } from './world.ts'

/** After the faults everything has this long to come to its end. */
const CALM_MS = 45_000
const PROBE_AT_MS = FAULTS_UNTIL_MS + CALM_MS
const PROBE_EVERY_MS = 8_000
/** Long after a probe was answered, and before its time is over. */
const REST_MS = 4_000
const STOP_AT_MS = PROBE_AT_MS + 20_000
const END_MS = STOP_AT_MS + 30_000
const BOOT_MS = 50
/** The last rows of the screen are for requests in the calm. */
export const PROBE_ROW = 32
const FIRST_PID = 1_000

interface Slot {
  place: Place
  life: Life | undefined
  lives: number
  restartMs: number
}

const describe = (fault: Fault): string => {
  const { at: _, kind, ...more } = fault
  return `${kind} ${JSON.stringify(more)}`
}

const summed = (counts: readonly Record<string, number>[]): Record<string, number> => {
  const sum: Record<string, number> = {}
  for (const one of counts) for (const [row, count] of Object.entries(one)) sum[row] = (sum[row] ?? 0) + count
  return sum
}

export interface Trial {
  world: World
  hash: string
  steps: number
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
  const scheduler = createScheduler(plan.seed)
  const harness = scheduler.owner('world')
  const { post } = scheduler
  const walls: Wall[] = Array.from({ length: plan.hosts }, () => ({ setBy: 0 }))
  const living = new Map<number, Life>()
  const deaths: Death[] = []
  const log: { at: number; text: string }[] = []
  const say = (text: string) => void log.push({ at: scheduler.now(), text })
  let pids = FIRST_PID

  const isAlive = ({ pid }: ProcessIdentity) => living.get(pid)?.owner.isDead === false
  const disks: Disk[] = walls.map((wall, host) =>
    createDisk({ scheduler, name: `disk of h${host}`, wall, alive: isAlive }),
  )
  const phones = plan.phones.map(({ ways, faults }, index) => createPhoneHost({ scheduler, index, ways, faults }))
  const slots: Slot[] = Array.from({ length: plan.hosts * plan.processes }, (_, index) => ({
    place: { host: Math.floor(index / plan.processes), process: index % plan.processes },
    life: undefined,
    lives: 0,
    restartMs: 500,
  }))
  const slotAt = ({ host, process }: Place) => slots[host * plan.processes + process] as Slot
  const lifeAt = (place: Place) => {
    const { life } = slotAt(place)
    return life?.owner.isDead ? undefined : life
  }
  const clients = createClients({ scheduler, lifeAt, serials: phones.map(({ serial }) => serial) })

  const watched: World['watched'][number][] = []
  const watch = (life: Life, { host, process }: Place) => {
    if (!plan.watchers.some(place => place.host === host && place.process === process)) return
    const name = `watcher of h${host}`
    const known = watched.findLast(({ watcher }) => watcher === name)
    const before = known?.isOver ? undefined : known
    const journal = life.services.journal()
    const events: TransitionRecord[] = before?.events ?? []
    const since = { [`h${host}`]: before ? (before.since[`h${host}`] ?? 0) : journal.head() }
    if (!before) watched.push({ watcher: name, since, events, problems: [], isOver: false })
    journal.subscribe(
      records =>
        void events.push(...records.filter(isActor).map(record => ({ ...toTransition(record), host: `h${host}` }))),
      { after: events.at(-1)?.seq ?? since[`h${host}`] ?? 0 },
    )
  }

  const start = (slot: Slot) => {
    const { host, process } = slot.place
    const [wall, disk] = [walls[host], disks[host]]
    if (!wall || !disk || slot.life?.owner.isDead === false) return
    slot.lives += 1
    const name = `h${host}p${process}#${slot.lives}`
    const here = phones.filter((_, index) => plan.phones[index]?.host === host)
    const life = startLife({ scheduler, name, pid: pids++, wall, disk, phones: here, isAlive })
    slot.life = life
    living.set(life.identity.pid, life)
    post(life.owner, harness.random.int(0, BOOT_MS), 'starts', () => {
      life.services.executions()
      watch(life, slot.place)
      life.services
        .host()
        .recover()
        .catch(() => {})
    })
  }

  const died = (life: Life) => {
    const slot = slots.find(one => one.life === life)
    deaths.push({ pid: life.identity.pid, at: scheduler.now() })
    say(`${life.owner.name} is killed`)
    clients.orphan(life)
    for (const phone of phones) phone.cut('its process has died', life.owner)
    if (slot) post(harness, slot.restartMs, `restarts ${life.owner.name}`, () => start(slot))
  }
  scheduler.onDeath(owner => {
    const life = [...living.values()].find(one => one.owner === owner)
    if (life) died(life)
  })
  const kill = (life: Life | undefined) => {
    if (!life || life.owner.isDead) return
    life.owner.isDead = true
    died(life)
  }

  const happen = (fault: Fault) => {
    say(describe(fault))
    const disk = 'host' in fault ? disks[fault.host] : undefined
    const phone = 'phone' in fault ? phones[fault.phone] : undefined
    const until = (ms: number) => Math.min(scheduler.now() + ms, FAULTS_UNTIL_MS)
    const over = (ms: number, undo: () => void) => post(harness, until(ms) - scheduler.now(), 'a fault is over', undo)
    switch (fault.kind) {
      case 'kill':
        slotAt(fault.place).restartMs = fault.restartMs
        return kill(lifeAt(fault.place))
      case 'kill-at-use': {
        const life = lifeAt(fault.place)
        slotAt(fault.place).restartMs = fault.restartMs
        if (life) life.owner.diesAtUse = life.owner.uses + fault.use
        return
      }
      case 'freeze': {
        const life = lifeAt(fault.place)
        if (life) life.owner.frozenUntil = until(fault.ms)
        return
      }
      case 'cut':
        return phone?.cut('the link was cut', fault.place && lifeAt(fault.place)?.owner)
      case 'stall':
        if (phone) phone.stalledUntil = until(fault.ms)
        return
      case 'away':
        if (phone) phone.awayUntil = until(fault.ms)
        return phone?.cut('the phone is away')
      case 'disk-full':
        if (!disk) return
        disk.refusing = DISK_FULL
        over(fault.ms, () => {
          disk.refusing = undefined
        })
        return
      case 'disk-slow':
        if (!disk) return
        disk.extraMs = fault.extraMs
        over(fault.ms, () => {
          disk.extraMs = 0
        })
        return
      case 'sync-fails':
        if (!disk) return
        disk.failsToSync = true
        over(fault.ms, () => {
          disk.failsToSync = false
        })
        return
      case 'power-cut': {
        const here = slots.filter(({ place }) => place.host === fault.host)
        for (const slot of here) slot.restartMs = fault.restartMs
        for (const { life } of here) kill(life)
        for (const one of watched) if (one.watcher === `watcher of h${fault.host}`) one.isOver = true
        return disk?.cutPower()
      }
      case 'clock-set': {
        const wall = walls[fault.host]
        if (wall) wall.setBy += fault.byMs
        return
      }
    }
  }

  for (const slot of slots) start(slot)
  for (const ask of plan.asks) clients.ask(ask)
  for (const fault of plan.faults) post(harness, fault.at, describe(fault), () => happen(fault))
  post(harness, FAULTS_UNTIL_MS, 'calm', () => {
    say('calm')
    for (const { life } of slots) {
      if (!life) continue
      life.owner.diesAtUse = undefined
      life.owner.frozenUntil = 0
    }
    for (const phone of phones) phone.calmDown()
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

  const left: Left[] = []
  post(harness, PROBE_AT_MS + (plan.processes - 1) * PROBE_EVERY_MS + REST_MS, 'rests', () => {
    if (clients.open().length > 0) return
    for (const { life } of slots) {
      const timers = life ? scheduler.waiting(life.owner).filter(what => what.startsWith(TIMER)) : []
      if (life) left.push(...timers.map(what => ({ owner: life.owner.name, what: `${what}, once all was answered` })))
    }
  })
  let isStopped = 0
  post(harness, STOP_AT_MS, 'stops', () => {
    for (const { life } of slots) {
      if (!life || life.owner.isDead) continue
      post(life.owner, 0, 'closes', () => {
        life.services.close().then(
          () => {
            isStopped += 1
          },
          error => void left.push({ owner: life.owner.name, what: `closing failed: ${error}` }),
        )
      })
    }
  })

  const outcome = await scheduler.run(END_MS)
  if (outcome === 'steps') left.push({ owner: 'world', what: 'the world never comes to rest' })
  const alive = slots.flatMap(({ life }) => (life && !life.owner.isDead ? [life] : []))
  if (isStopped < alive.length)
    left.push({ owner: 'world', what: `${alive.length - isStopped} processes do not close` })
  for (const { owner } of alive) {
    for (const what of scheduler.waiting(owner)) left.push({ owner: owner.name, what })
    for (const phone of phones) {
      const [open, links] = [phone.openServices(owner), phone.openLinks(owner)]
      if (open > 0) left.push({ owner: owner.name, what: `${open} services open on ${phone.serial}` })
      if (links > 0) left.push({ owner: owner.name, what: `${links} links to ${phone.serial}` })
    }
  }
  for (const disk of disks)
    for (const { key } of disk.store().leases.list()) left.push({ owner: disk.owner.name, what: `the lease ${key}` })

  const serialnos = phones.map((_, index) => `SERIAL${index}`)
  const hosts = disks.map((disk, index) => {
    const store = disk.store()
    const records = [...recordsAfter(store, 0, {})]
    const host = `h${index}`
    return {
      records,
      ran: ranAt(host, records, store, serialnos),
      journal: { host, transitions: records.filter(isActor).map(record => ({ ...toTransition(record), host })) },
      receipts: store.receipts({ limit: 1_000 }),
    }
  })
  const ran = hosts.flatMap(one => one.ran)
  const story: Story = {
    networkPhones: [],
    seen: phones.flatMap(({ phone }, index) =>
      phone.executions().map(({ wireId, at }) => ({ phone: index, wireId, at })),
    ),
    asked: clients.asked,
    ran,
    journals: hosts.map(({ journal }) => journal),
    receipts: hosts.flatMap(({ receipts }, index) =>
      receipts.map(own => ({ executionId: own.executionId, owner: `h${index}`, own, byHost: {} })),
    ),
    watched: [],
    unended: clients.open().map(what => `${what} was never answered`),
    log,
  }
  for (const phone of phones) phone.close()
  await onEnd?.(disks.map(disk => disk.store()))
  for (const disk of disks) disk.close()
  return {
    world: {
      story,
      watched,
      deaths,
      begun: disks.flatMap((disk, host) => disk.begun.map(one => ({ ...one, host: `h${host}` }))),
      taps: summed(phones.map(phone => phone.taps())),
      probes,
      byShell: plan.asks.flatMap(({ command, operatorPackage }) => (operatorPackage === 'svc.shell' ? [command] : [])),
      cancels: clients.cancels,
      left,
      failingHosts: plan.faults.flatMap(fault =>
        fault.kind === 'disk-full' || fault.kind === 'sync-fails' ? [`h${fault.host}`] : [],
      ),
      stalled: plan.faults.some(({ kind }) => kind === 'stall'),
    },
    hash: scheduler.hash(),
    steps: scheduler.steps(),
    trace: scheduler.trace(),
  }
}
