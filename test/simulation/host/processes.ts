/** The processes of all hosts: each place has one life after the other, and somebody listens to the journal there. */
import type { TransitionRecord } from '../../../src/contracts/records/actor.ts'
import { isActor } from '../../../src/contracts/records/machines.ts'
import type { ProcessIdentity } from '../../../src/runtime/processes/processes.ts'
import { toTransition } from '../../../src/runtime/transitions.ts'
import type { Wall } from '../clock.ts'
import type { PhoneHost } from '../phone/phone.ts'
import type { Place, Plan } from '../plan/plan.ts'
import type { Owner, Scheduler } from '../scheduler.ts'
import type { Death, World } from '../world.ts'
import type { Disk } from './disk.ts'
import { type Life, type LifeOptions, type SimulatedSkills, startLife } from './life.ts'

const BOOT_MS = 50
const RESTART_MS = 500
const FIRST_PID = 1_000
/** As in the root of a server. */
const SWEEP_MS = 5_000

export interface Slot {
  place: Place
  life: Life | undefined
  lives: number
  /** How long it takes until the next life begins. */
  restartMs: number
}

interface ProcessesOptions {
  scheduler: Scheduler
  harness: Owner
  plan: Pick<Plan, 'hosts' | 'processes' | 'phones' | 'watchers'>
  walls: readonly Wall[]
  disks: readonly Disk[]
  phones: readonly PhoneHost[]
  say(text: string): void
  /** Somebody asked it, and hears nothing any more. */
  onDeath(life: Life): void
  skills?: SimulatedSkills
  /** Until then processes settle what others have left, every few seconds as a server does; they do for skills. */
  sweptUntil?: number
  /** The home of a host, where files of it are part of the world. */
  homeOf?: ((host: number) => string) | undefined
  homes?: string
  scriptsOf?: LifeOptions['scriptsOf']
  /** Starts a life of another kind, with all phones before it. */
  startAt?(place: Place, options: LifeOptions): Life
}

export const createProcesses = (options: ProcessesOptions) => {
  const { scheduler, harness, plan, walls, disks, phones, say, skills, homes } = options
  const living = new Map<number, Life>()
  const deaths: Death[] = []
  const watched: World['watched'][number][] = []
  let pids = FIRST_PID

  const isAlive = ({ pid }: ProcessIdentity) => living.get(pid)?.owner.isDead === false
  const startOf = (pid: number) => {
    const life = living.get(pid)
    return life?.owner.isDead === false ? life.identity.started : undefined
  }
  const slots: Slot[] = Array.from({ length: plan.hosts * plan.processes }, (_, index) => ({
    place: { host: Math.floor(index / plan.processes), process: index % plan.processes },
    life: undefined,
    lives: 0,
    restartMs: RESTART_MS,
  }))
  const slotAt = ({ host, process }: Place) => slots[host * plan.processes + process] as Slot
  const lifeAt = (place: Place) => {
    const { life } = slotAt(place)
    return life?.owner.isDead ? undefined : life
  }

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

  /** Its journal as it is when the process is told to end. */
  const endWatch = ({ life, place: { host, process } }: Slot) => {
    if (!life || !plan.watchers.some(place => place.host === host && place.process === process)) return
    const watcher = watched.findLast(one => one.watcher === `watcher of h${host}`)
    if (watcher) watcher.until = life.services.journal().head()
  }

  const start = (slot: Slot) => {
    const { host, process } = slot.place
    const [wall, disk] = [walls[host], disks[host]]
    if (!wall || !disk || slot.life?.owner.isDead === false) return
    slot.lives += 1
    const name = `h${host}p${process}#${slot.lives}`
    const here = phones.filter((_, index) => options.startAt || plan.phones[index]?.host === host)
    const made = {
      scheduler,
      name,
      pid: pids++,
      wall,
      disk,
      phones: here,
      isAlive,
      startOf,
      skills,
      home: options.homeOf?.(host),
      homes,
      scriptsOf: options.scriptsOf,
    }
    const life = options.startAt?.(slot.place, made) ?? startLife(made)
    slot.life = life
    living.set(life.identity.pid, life)
    scheduler.post(life.owner, harness.random.int(0, BOOT_MS), 'starts', () => {
      if (life.begin) {
        life.begin()
        return watch(life, slot.place)
      }
      life.services.executions()
      // A server has them from its start, and removes what others have left.
      if (skills) life.services.skills()
      watch(life, slot.place)
      void recover(life).then(() => (options.homeOf ? repair(life) : undefined))
      const sweptUntil = options.sweptUntil ?? skills?.sweptUntil
      if (sweptUntil !== undefined) sweep(life, sweptUntil)
    })
  }

  /** As a server does, which comes again while its journal takes nothing. */
  const recover = (life: Life): Promise<unknown> =>
    life.services
      .host()
      .recover()
      .catch(() => scheduler.post(life.owner, SWEEP_MS, 'recovers again', () => void recover(life)))

  /** As a server does when it starts. */
  const repair = (life: Life) =>
    life.services
      .recordings()
      .repair()
      .catch(() => {})

  const sweep = (life: Life, until: number): void => {
    if (scheduler.now() + SWEEP_MS > until) return
    scheduler.post(life.owner, SWEEP_MS, 'sweeps', () => {
      void recover(life).then(() => life.services.executions().learner.sweep())
      sweep(life, until)
    })
  }

  const died = (life: Life) => {
    const slot = slots.find(one => one.life === life)
    deaths.push({ pid: life.identity.pid, at: scheduler.now() })
    say(`${life.owner.name} is killed`)
    options.onDeath(life)
    for (const phone of phones) phone.cut('its process has died', life.owner)
    if (slot) scheduler.post(harness, slot.restartMs, `restarts ${life.owner.name}`, () => start(slot))
  }
  scheduler.onDeath(owner => {
    const life = [...living.values()].find(one => one.owner === owner)
    if (life) died(life)
  })
  const kill = (life: Life | undefined) => {
    if (!life || life.owner.isDead) return
    life.owner.isDead = true
    scheduler.felt('kill')
    died(life)
  }

  const killOwner = (owner: Owner) => kill([...living.values()].find(life => life.owner === owner))

  return { slots, slotAt, lifeAt, isAlive, start, kill, killOwner, endWatch, deaths, watched }
}

export type Processes = ReturnType<typeof createProcesses>
