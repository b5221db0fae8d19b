/** Virtual time: every task belongs to an owner, runs at its moment in an order that the seed decides, and ends with it. */
import { createHash, type Hash } from 'node:crypto'
import type { Timer } from '../../src/runtime/clock.ts'
import { createRandom, type Random } from '../long/trial/random.ts'

/** A life of a process, a phone, a disk or a client. */
export interface Owner {
  readonly name: string
  /** Its own chance: what one owner draws changes nothing for the others. */
  readonly random: Random
  isDead: boolean
  /** Nothing of it runs before. */
  frozenUntil: number
  /** The end of the newest freeze that has held up a task of it. */
  heldUpUntil: number
  /** How often it has used a seam. */
  uses: number
  /** Ends it at a use of a seam. */
  diesAtUse: number | undefined
}

interface Task {
  at: number
  /** Decides among those of one millisecond. */
  lot: number
  owner: Owner
  what: string
  run: () => void
  isCancelled: boolean
}

export interface Scheduler {
  now(): number
  owner(name: string): Owner
  /** Runs it as a task of its owner; never before the present task is over. */
  post(owner: Owner, delayMs: number, what: string, run: () => void): Timer
  /** A use of a seam; false when the owner is dead, or died here: then the use had no effect. */
  cross(owner: Owner, what: string): boolean
  /** Called when a use of a seam ends an owner, before anything else happens. */
  onDeath(listener: (owner: Owner) => void): void
  /** Counts a fault that has taken effect. */
  felt(fault: string): void
  /** How often each has. */
  effects(): ReadonlyMap<string, number>
  /** Notes a fact for the trace and its hash. */
  note(owner: Owner, what: string): void
  run(untilMs: number): Promise<'idle' | 'time' | 'steps'>
  /** Tasks that wait for an owner. */
  waiting(owner: Owner): string[]
  steps(): number
  /** The last lines of what happened. */
  trace(): readonly string[]
  hash(): string
}

/** A text as a seed (FNV-1a). */
export const seedOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

const STEPS_MAX = 400_000
const TRACE_KEPT = 20_000
const HASHED_AT_ONCE = 256

/** The smallest first, by time and then by lot. */
const createHeap = () => {
  const tasks: Task[] = []
  const isBefore = (a: Task, b: Task) => a.at < b.at || (a.at === b.at && a.lot < b.lot)
  const swap = (a: number, b: number) => {
    const held = tasks[a] as Task
    tasks[a] = tasks[b] as Task
    tasks[b] = held
  }
  return {
    tasks,
    push(task: Task) {
      tasks.push(task)
      for (let at = tasks.length - 1; at > 0; ) {
        const above = (at - 1) >> 1
        if (!isBefore(tasks[at] as Task, tasks[above] as Task)) break
        swap(at, above)
        at = above
      }
    },
    pop(): Task | undefined {
      const first = tasks[0]
      const last = tasks.pop()
      if (!first || !last || first === last) return first
      tasks[0] = last
      for (let at = 0; ; ) {
        let least = at
        for (const below of [2 * at + 1, 2 * at + 2])
          if (below < tasks.length && isBefore(tasks[below] as Task, tasks[least] as Task)) least = below
        if (least === at) return first
        swap(at, least)
        at = least
      }
    },
  }
}

/** Promises that were settled by a task have run once the event loop gets to its next turn. */
const drained = () => new Promise<void>(resolve => setImmediate(resolve))

/** Promises, streams and the closing of handles: work on files under way. */
const FILE_WORK = ['FSReqPromise', 'FSReqCallback', 'CloseReq']

/** The files of a host take no virtual time. */
const filesDrained = async () => {
  do await drained()
  while (process.getActiveResourcesInfo().some(resource => FILE_WORK.includes(resource)))
}

export interface SchedulerOptions {
  /** Its tasks read files. */
  hasFiles?: boolean
}

export const createScheduler = (seed: number, { hasFiles = false }: SchedulerOptions = {}): Scheduler => {
  const rest = hasFiles ? filesDrained : drained
  const lots = createRandom(seedOf(`${seed}/lots`))
  const heap = createHeap()
  const listeners: ((owner: Owner) => void)[] = []
  const lines: string[] = []
  const hash: Hash = createHash('sha256')
  let unhashed: string[] = []
  let now = 0
  let steps = 0
  const effects = new Map<string, number>()
  const felt = (fault: string) => void effects.set(fault, (effects.get(fault) ?? 0) + 1)

  const note = (owner: Owner, what: string) => {
    const line = `${now} ${owner.name} ${what}`
    unhashed.push(line)
    if (unhashed.length >= HASHED_AT_ONCE) {
      hash.update(unhashed.join('\n'))
      unhashed = []
    }
    lines.push(line)
    if (lines.length > 2 * TRACE_KEPT) lines.splice(0, TRACE_KEPT)
  }

  return {
    now: () => now,
    owner: name => ({
      name,
      random: createRandom(seedOf(`${seed}/${name}`)),
      isDead: false,
      frozenUntil: 0,
      heldUpUntil: 0,
      uses: 0,
      diesAtUse: undefined,
    }),
    post(owner, delayMs, what, run) {
      const at = now + Math.max(0, Math.ceil(delayMs))
      const task: Task = { at, lot: lots.next(), owner, what, run, isCancelled: owner.isDead }
      if (!owner.isDead) heap.push(task)
      return {
        cancel: () => {
          task.isCancelled = true
        },
      }
    },
    cross(owner, what) {
      if (owner.isDead) return false
      owner.uses += 1
      if (owner.uses !== owner.diesAtUse) {
        note(owner, what)
        return true
      }
      note(owner, `dies at ${what}`)
      owner.isDead = true
      felt('death at a use')
      for (const listener of listeners) listener(owner)
      return false
    },
    felt,
    effects: () => effects,
    onDeath: listener => void listeners.push(listener),
    note,
    async run(untilMs) {
      for (;;) {
        const task = heap.tasks[0]
        if (!task) return 'idle'
        if (task.at > untilMs) {
          now = untilMs
          return 'time'
        }
        heap.pop()
        if (task.isCancelled || task.owner.isDead) continue
        if (task.owner.frozenUntil > task.at) {
          if (task.owner.heldUpUntil !== task.owner.frozenUntil) felt('freeze')
          task.owner.heldUpUntil = task.owner.frozenUntil
          task.at = task.owner.frozenUntil
          task.lot = lots.next()
          heap.push(task)
          continue
        }
        if (++steps > STEPS_MAX) return 'steps'
        now = task.at
        note(task.owner, task.what)
        task.run()
        await rest()
      }
    },
    waiting: owner =>
      heap.tasks.flatMap(task => (task.owner === owner && !task.isCancelled ? [`${task.what} at ${task.at}`] : [])),
    steps: () => steps,
    trace: () => lines,
    hash: () => hash.copy().update(unhashed.join('\n')).digest('hex').slice(0, 16),
  }
}
