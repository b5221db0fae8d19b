/** The actors of this process: opened by id, owned by lease exactly while they are in flight, dropped when they rest. */
import type { EventObject } from 'xstate'
import { type Definition, IN_FLIGHT } from '../../machines/definition.ts'
import { ACTOR_REST_MS, CHECKPOINT_RECORDS } from '../contracts/limits/limits.ts'
import type { Ownership, OwnershipHolder, StoredEvent } from '../contracts/records/journal.ts'
import { type Clock, createEventTimes, type Timer } from './clock.ts'
import { JournalError } from './journal/fault.ts'
import type { Journal } from './journal/journal.ts'
import { type LiveActor, openActor } from './live-actor.ts'
import { HeldError, type OwnershipRequest } from './ownership/ownership.ts'
import { createRenewal } from './ownership/renewal.ts'
import type { Withdrawal } from './pending-asks.ts'
import type { Ports } from './port.ts'

/** Names an actor and holds the facts needed to open it. */
export interface ActorTarget {
  id: string
  machine: string
  /** Input of the machine; used when the actor has no history yet. */
  input: unknown
  /** One owner per key on the host; the actor's id unless several actors share one thing (a phone seen twice). */
  ownershipKey?: string
  /** Shown to callers that are refused while this holds the lease. */
  note?: Record<string, unknown>
  /** Other leases that stand in the way of an event that takes the lease. */
  unless?: OwnershipRequest['unless']
}

export interface RegistryOptions {
  journal: Journal
  definitions: Readonly<Record<string, Definition>>
  ports: Readonly<Record<string, Ports>>
  clock: Clock
  holder: OwnershipHolder
  bootId(): string | undefined
  onEmitted: (id: string, emitted: EventObject) => void
  onBroken: (id: string, error: unknown) => void
  endLeftProcesses: LeftProcessEnders
}

/**
 * By machine: ends what a dead owner of an actor has left running outside of the journal. Called before the actor is
 * settled, so that a process that dies in between leaves both to the next one. May be called again for the same actor.
 */
export type LeftProcessEnders = Readonly<Record<string, (actor: string) => void>>

interface Entry {
  actor: LiveActor
  target: ActorTarget
  usedAt: number
}

/** How often an event is tried when other processes write to the same actor meanwhile. */
const ATTEMPTS = 5

export const createRegistry = (options: RegistryOptions) => {
  const { journal, definitions, ports, clock, holder } = options
  const entries = new Map<string, Entry>()
  const openings = new Map<string, Promise<Entry>>()
  /** Grants of broken actors that the journal has not taken back yet, by key. */
  const leftOver = new Map<string, Ownership>()
  let sweep: Timer | undefined
  const renewal = createRenewal({
    leases: journal.leases,
    clock,
    grants: () => [...entries.values()].flatMap(({ actor }) => actor.lease() ?? []),
    isNeeded: () => entries.size > 0,
  })

  const isLeftOver = ({ key, fence }: Ownership) => leftOver.get(key)?.fence === fence

  const requestFor = (target: ActorTarget): OwnershipRequest => {
    const note = { ...target.note, actor: target.id }
    const { ownershipKey: key = target.id, unless } = target
    return { key, holder, since: clock.now(), note, replaces: isLeftOver, unless }
  }

  const giveBack = (lease: Ownership) => {
    leftOver.set(lease.key, lease)
    const forget = () => {
      if (leftOver.get(lease.key) === lease) leftOver.delete(lease.key)
    }
    // If the journal does not take it, the next event for the same key replaces the grant.
    journal.leases.release(lease).then(forget, () => {})
  }

  const drop = (id: string) => {
    const entry = entries.get(id)
    if (!entry) return
    entries.delete(id)
    entry.actor.stop()
    const lease = entry.actor.lease()
    if (lease) giveBack(lease)
  }

  /** One that is over gets a checkpoint however short it was: retention takes only what a checkpoint covers. */
  const keepCheckpoint = (actor: LiveActor) => {
    if (actor.isInFlight()) return
    const { tail } = actor.position()
    const isDue = tail >= CHECKPOINT_RECORDS || (tail > 0 && actor.snapshot().status !== 'active')
    // A checkpoint saves time; one that cannot be written costs nothing else.
    if (isDue) actor.checkpoint().catch(() => {})
  }

  /** Whoever opens an actor comes by here: a recovery, and each event for it. */
  const endOwnLeftProcesses = ({ id, machine, ownershipKey = id }: ActorTarget) => {
    const end = options.endLeftProcesses[machine]
    if (!end || !mayBeInFlight(id)) return
    const owner = journal.leases.owner(ownershipKey)
    // The owner may die before its work is settled below: then what it leaves would not have been ended.
    if (owner && !isLeftOver(owner)) throw new HeldError(owner)
    end(id)
  }
  const mayBeInFlight = (id: string): boolean => {
    try {
      return journal.last(id)?.tags.includes(IN_FLIGHT) ?? false
    } catch {
      return true
    }
  }

  const open = async (target: ActorTarget): Promise<Entry> => {
    endOwnLeftProcesses(target)
    const definition = definitions[target.machine]
    if (!definition) throw new Error(`no machine ${target.machine}`)
    const { id, machine, input } = target
    const actor: LiveActor = await openActor(
      {
        id,
        machine,
        definition,
        input,
        journal,
        ports: ports[machine] ?? {},
        moments: createEventTimes(clock),
        bootId: options.bootId,
        onEmitted: emitted => options.onEmitted(id, emitted),
        onStep: () => {
          const current = entries.get(id)
          if (current) keepCheckpoint(current.actor)
        },
        onBroken: error => {
          drop(id)
          options.onBroken(id, error)
        },
      },
      requestFor(target),
    )
    const entry = { actor, target, usedAt: clock.elapsed() }
    entries.set(id, entry)
    keepCheckpoint(actor)
    renewal.start()
    sweep ??= clock.at(clock.now() + ACTOR_REST_MS, rest, { idle: true })
    return entry
  }

  /** From memory, or opened once for all who ask for it at the same time. Rejects with HeldError or JournalError. */
  const entryOf = (target: ActorTarget): Entry | Promise<Entry> => {
    const known = entries.get(target.id) ?? openings.get(target.id)
    if (known) return known
    const opening = open(target).finally(() => openings.delete(target.id))
    openings.set(target.id, opening)
    return opening
  }

  const rest = () => {
    sweep = undefined
    const before = clock.elapsed() - ACTOR_REST_MS
    for (const [id, entry] of entries) if (entry.usedAt <= before && !entry.actor.isBusy()) drop(id)
    if (entries.size > 0) sweep = clock.at(clock.now() + ACTOR_REST_MS, rest, { idle: true })
  }

  /** Another process wrote to it while it rested in memory or was being opened: what it is now, only its history tells. */
  const isOutrun = (error: unknown, entry: Entry | undefined): boolean => {
    if (!(error instanceof JournalError)) return false
    if (error.reason === 'behind') return entry === undefined || !entry.actor.isInFlight()
    return error.reason === 'closed' && entry !== undefined && entries.get(entry.target.id) !== entry
  }

  const send = async (
    target: ActorTarget,
    event: StoredEvent,
    withdrawal: Withdrawal | undefined,
    attempt = 1,
  ): Promise<boolean> => {
    let entry: Entry | undefined
    try {
      entry = await entryOf(target)
      Object.assign(entry, { target, usedAt: clock.elapsed() })
      return await entry.actor.send(event, requestFor(target), withdrawal)
    } catch (error) {
      if (attempt === ATTEMPTS || !isOutrun(error, entry)) throw error
      if (entry && entries.get(target.id) === entry) drop(target.id)
      return send(target, event, withdrawal, attempt + 1)
    }
  }

  return {
    /**
     * Resolves when the event has taken effect, to false when it was withdrawn before. Rejects with HeldError when another
     * owner has the actor, with JournalError when the event could not be recorded.
     */
    send: (target: ActorTarget, event: StoredEvent, withdrawal?: Withdrawal) => send(target, event, withdrawal),
    /**
     * Opens the actor, which settles what a dead owner left in flight; one that rests in memory behind its history is
     * opened again. Says whether it was opened.
     */
    async open(target: ActorTarget): Promise<boolean> {
      const entry = entries.get(target.id)
      if (entry && (entry.actor.isBusy() || !entry.actor.isBehind())) return false
      drop(target.id)
      await entryOf(target)
      return true
    },
    drop,
    /** The actor if this process has it in memory. */
    peek: (id: string): LiveActor | undefined => entries.get(id)?.actor,
    targets: (): ActorTarget[] => [...entries.values()].map(entry => entry.target),
    /** Drops all, the youngest first, so that what was built on others goes before them. */
    close() {
      sweep?.cancel()
      sweep = undefined
      renewal.stop()
      for (const id of [...entries.keys()].reverse()) drop(id)
    },
  }
}

export type Registry = ReturnType<typeof createRegistry>
