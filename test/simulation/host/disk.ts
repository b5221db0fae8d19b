/** The disk of a simulated host: the journal that its processes share, how much of it was synced, and its faults. */
import type { Ownership } from '../../../src/contracts/records/journal.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import { CREATED } from '../../../src/runtime/fold.ts'
import { JournalError } from '../../../src/runtime/journal/fault.ts'
import type { BeginOptions, BeginResult, Journal, NewRecord } from '../../../src/runtime/journal/journal.ts'
import { memoryJournal } from '../../../src/runtime/journal/memory.ts'
import type { Liveness, OwnershipRequest } from '../../../src/runtime/ownership/ownership.ts'
import { ownedClock, type Wall } from '../clock.ts'
import type { Owner, Scheduler } from '../scheduler.ts'
import { journalFront } from './journal-front.ts'
import { writtenTimes } from './written-at.ts'

/** The methods that write; each of them takes effect at once. */
export const WRITES = ['append', 'begin', 'saveCheckpoint', 'prune', 'acquire', 'release', 'renew'] as const
export type WriteName = (typeof WRITES)[number]
export type Write = (...values: never[]) => Promise<unknown>

export const writeOf = (journal: Journal, name: WriteName): Write =>
  (name === 'acquire' || name === 'release' || name === 'renew' ? journal.leases[name] : journal[name]) as Write

/** A write as it was done: what the store asked in between is answered the same when it is done again. */
interface Done {
  name: WriteName
  values: never[]
  at: number
  alive: (boolean | undefined)[]
  replaces: boolean[]
  /** What looks at the leases of others decided, and how many owners it asked for. */
  unless: { answer: () => Ownership | undefined; asked: number }[]
}

export interface Begun {
  executionId: string
  pid: number
  /** Virtual ms. */
  at: number
}

/** Notes the process that an execution has begun in. */
export const noteBegun = (
  begun: Begun[],
  at: number,
  { holder }: OwnershipRequest,
  record: NewRecord,
  { earlier = [] }: BeginOptions = {},
): void => {
  // The dispatch of an execution may be recorded in one write with its acceptance.
  const { type, executionId } = [...earlier, record].find(({ event }) => event.type !== CREATED)?.event ?? record.event
  if (type !== 'execution.requested' || typeof executionId !== 'string' || holder.pid === undefined) return
  begun.push({ executionId, pid: holder.pid, at })
}

/** A disk as the trial sees it. */
export interface Disk {
  readonly owner: Owner
  /** The journal for one life of a process. */
  journalFor(process: Owner, clock: Clock): Journal
  /** The journal as it is now, for the laws. */
  store(): Journal
  close(): void
  /** Loses a part of what was not synced. */
  cutPower(): void
  powerCuts: number
  /** Fails writes with this. */
  refusing: JournalError | undefined
  /** Fails to sync. */
  failsToSync: boolean
  /** Added to each write and each sync. */
  extraMs: number
  /** When the record with that position came to it, in virtual ms. */
  writtenAt(seq: number): number | undefined
  /** The executions that processes began, by their order. */
  readonly begun: readonly Begun[]
  /** Calls after each write, from within it. */
  onWritten(listener: () => void): () => void
}

/** A disk as the journals of its processes see it. */
export interface SharedStore extends Pick<Disk, 'owner' | 'store' | 'extraMs' | 'failsToSync' | 'onWritten'> {
  /** Executes a write now, in the task that calls. */
  write(name: WriteName, values: never[]): Promise<unknown>
  /** Everything that was written up to now survives a power cut. */
  sync(): void
}

export interface DiskOptions {
  scheduler: Scheduler
  name: string
  wall: Wall
  alive: Liveness
}

export const memoryDisk = ({ scheduler, name, wall, alive }: DiskOptions): Disk => {
  const owner = scheduler.owner(name)
  const clock = ownedClock(scheduler, owner, wall)
  const listeners = new Set<() => void>()
  let done: Done[] = []
  let synced = 0
  let current: Done | undefined
  /** While writes are done again, their answers of then are given. */
  let replayed: { at: number; alive: (boolean | undefined)[] } | undefined

  const ask: Liveness = holder => {
    if (replayed) return replayed.alive.shift()
    const answer = alive(holder)
    current?.alive.push(answer)
    return answer
  }
  const open = () => memoryJournal({ alive: ask, clock: { ...clock, now: () => replayed?.at ?? clock.now() } })
  let store = open()

  const withRecordedAnswers = (one: Done): never[] =>
    one.values.map(value => {
      const request = value as Partial<OwnershipRequest>
      const { replaces, unless } = typeof request === 'object' && request ? request : {}
      if (!replaces && !unless) return value
      const recorded = (lease: Ownership) => {
        const answer = replaces?.(lease) ?? false
        one.replaces.push(answer)
        return answer
      }
      const judged: OwnershipRequest['unless'] = ownerOf => {
        const before = one.alive.length
        try {
          const lease = unless?.(ownerOf)
          one.unless.push({ answer: () => lease, asked: one.alive.length - before })
          return lease
        } catch (error) {
          const refuse = () => {
            throw error
          }
          one.unless.push({ answer: refuse, asked: one.alive.length - before })
          throw error
        }
      }
      return { ...request, ...(replaces ? { replaces: recorded } : {}), ...(unless ? { unless: judged } : {}) } as never
    })

  const again = (one: Done): void => {
    replayed = { at: one.at, alive: [...one.alive] }
    const answers = [...one.replaces]
    const judgements = [...one.unless]
    const unless = () => {
      const { answer, asked = 0 } = judgements.shift() ?? {}
      replayed?.alive.splice(0, asked)
      return answer?.()
    }
    const values = one.values.map(value => {
      const request = value as Partial<OwnershipRequest>
      if (typeof request !== 'object' || request === null || !(request.replaces || request.unless)) return value
      const replaces = () => answers.shift() ?? false
      return { ...request, ...(request.replaces ? { replaces } : {}), ...(request.unless ? { unless } : {}) } as never
    })
    // Refused then as well: a refusal, too, may use up a fence.
    writeOf(store, one.name)(...values).catch(() => {})
    replayed = undefined
  }

  const begun: Begun[] = []
  const times = writtenTimes(scheduler.now)

  const disk: Disk & SharedStore = {
    begun,
    writtenAt: times.at,
    journalFor: process => journalFront(scheduler, process, disk),
    close: () => store.close(),
    owner,
    store: () => store,
    write(name, values) {
      if (disk.refusing && name !== 'release') {
        scheduler.felt('write on a full disk')
        return Promise.reject(disk.refusing)
      }
      const one: Done = { name, values, at: clock.now(), alive: [], replaces: [], unless: [] }
      done.push(one)
      current = one
      const written = writeOf(store, name)(...withRecordedAnswers(one))
      current = undefined
      times.upTo(store.head())
      if (name === 'begin') {
        const asked = values as unknown as [OwnershipRequest, NewRecord, BeginOptions | undefined]
        const at = scheduler.now()
        written.then(
          result => (result as BeginResult).granted && noteBegun(begun, at, ...asked),
          () => {},
        )
      }
      for (const listener of [...listeners]) listener()
      return written
    },
    sync() {
      synced = done.length
    },
    onWritten(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    powerCuts: 0,
    cutPower() {
      disk.powerCuts += 1
      const kept = owner.random.int(synced, done.length)
      scheduler.note(owner, `keeps ${kept} of ${done.length} writes, ${synced} synced`)
      done = done.slice(0, kept)
      synced = kept
      store = open()
      for (const one of done) again(one)
      times.cutTo(store.head())
    },
    refusing: undefined,
    failsToSync: false,
    extraMs: 0,
  }
  return disk
}

export const DISK_FULL = new JournalError('full', 'The disk is full')
