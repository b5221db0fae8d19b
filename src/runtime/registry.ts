/** The actors of this process: opened by id, owned by lease exactly while they are in flight, dropped when they rest. */
import type { EventObject } from 'xstate'
import type { Definition } from '../../machines/definition.ts'
import type { Lease, LeaseHolder } from '../contracts/journal.ts'
import { ACTOR_REST_MS, CHECKPOINT_RECORDS } from '../contracts/limits.ts'
import type { Clock, Timer } from './clock.ts'
import type { Journal } from './journal/journal.ts'
import type { LeaseRequest } from './lease/lease.ts'
import { type LiveActor, openActor } from './live-actor.ts'
import type { Ports } from './port.ts'

/** Which actor is meant, and what it takes to open it. */
export interface ActorTarget {
  id: string
  machine: string
  /** Input of the machine; used when the actor has no history yet. */
  input: unknown
  /** One owner per key on the host; the actor's id unless several actors share one thing (a phone seen twice). */
  leaseKey?: string
  /** Shown to whoever is refused while this holds the lease. */
  note?: Record<string, unknown>
}

export interface RegistryOptions {
  journal: Journal
  definitions: Readonly<Record<string, Definition>>
  ports: Readonly<Record<string, Ports>>
  clock: Clock
  holder: LeaseHolder
  onEmitted: (id: string, emitted: EventObject) => void
  onBroken: (id: string, error: unknown) => void
}

interface Entry {
  actor: LiveActor
  target: ActorTarget
  lease: Lease | undefined
  /** To be taken together with the next record. */
  wanted: LeaseRequest | undefined
  usedAt: number
}

export type Claimed = { held: false; actor: LiveActor } | { held: true; lease: Lease }

export const createRegistry = (options: RegistryOptions) => {
  const { journal, definitions, ports, clock, holder } = options
  const entries = new Map<string, Entry>()
  let sweep: Timer | undefined

  const keyOf = (target: ActorTarget) => target.leaseKey ?? target.id

  const drop = (id: string) => {
    const entry = entries.get(id)
    if (!entry) return
    entries.delete(id)
    entry.actor.stop()
    if (entry.lease) journal.leases.release(entry.lease)
  }

  /** Gives the lease back and keeps a checkpoint as soon as nothing is in flight. */
  const settle = (id: string) => {
    const entry = entries.get(id)
    if (!entry) return
    entry.wanted = undefined
    if (entry.actor.isInFlight()) return
    const { tail } = entry.actor.position()
    // One that is over gets a checkpoint however short it was: retention takes only what a checkpoint covers.
    if (tail >= CHECKPOINT_RECORDS || (tail > 0 && entry.actor.shadow().status !== 'active')) entry.actor.checkpoint()
    if (!entry.lease) return
    const { lease } = entry
    entry.lease = undefined
    journal.leases.release(lease)
  }

  const requestFor = (target: ActorTarget): LeaseRequest => ({
    key: keyOf(target),
    holder,
    since: clock.now(),
    note: { ...target.note, actor: target.id },
  })

  const acquire = (target: ActorTarget): { lease: Lease; granted: boolean } => {
    const request = requestFor(target)
    const { key } = request
    const first = journal.leases.acquire(request)
    if (first.granted || first.lease.holder.instance !== holder.instance) return first
    // Ours, but no actor of ours writes under it: it was left over when the journal failed us. Take it again.
    const used = [...entries.values()].some(entry => entry.lease?.key === key)
    if (used) return first
    journal.leases.release(first.lease)
    return journal.leases.acquire(request)
  }

  const open = (target: ActorTarget, lease: Lease): Entry => {
    const definition = definitions[target.machine]
    if (!definition) throw new Error(`no machine ${target.machine}`)
    const { id } = target
    let granted: Lease | undefined = lease
    const actor = openActor({
      id,
      machine: target.machine,
      definition,
      input: target.input,
      journal,
      ports: ports[target.machine] ?? {},
      now: clock.now,
      owner: {
        lease: () => {
          const entry = entries.get(id)
          return entry ? entry.lease : granted
        },
        wanted: () => entries.get(id)?.wanted,
        granted: fresh => {
          const entry = entries.get(id)
          if (entry) Object.assign(entry, { lease: fresh, wanted: undefined })
        },
        released: () => {
          const entry = entries.get(id)
          if (entry) entry.lease = undefined
        },
      },
      onEmitted: emitted => options.onEmitted(id, emitted),
      onStep: () => settle(id),
      onBroken: error => {
        drop(id)
        options.onBroken(id, error)
      },
    })
    granted = undefined
    return { actor, target, lease, wanted: undefined, usedAt: clock.now() }
  }

  const rest = () => {
    sweep = undefined
    const before = clock.now() - ACTOR_REST_MS
    for (const [id, entry] of entries) if (entry.usedAt <= before && !entry.actor.isInFlight()) drop(id)
    if (entries.size > 0) sweep = clock.at(clock.now() + ACTOR_REST_MS, rest, { idle: true })
  }

  return {
    /**
     * The actor, owned by this process until `settle`; or who owns it instead. Throws JournalError. One that rests in
     * memory takes its lease together with the next record, unless it is to be had `firmly`: that record is refused
     * when another process owns the actor (HeldError), or wrote to it meanwhile (`behind`).
     */
    claim(target: ActorTarget, { firmly = false }: { firmly?: boolean } = {}): Claimed {
      const known = entries.get(target.id)
      if (known?.lease) return { held: false, actor: known.actor }
      if (known && !firmly && !known.actor.isInFlight()) {
        Object.assign(known, { target, wanted: requestFor(target), usedAt: clock.now() })
        return { held: false, actor: known.actor }
      }
      const { granted, lease } = acquire(target)
      if (!granted) return { held: true, lease }
      try {
        // Another process may have written to this actor while we did not own it.
        if (known && journal.last(target.id)?.n !== known.actor.position().n - 1) drop(target.id)
        const fresh = entries.get(target.id)
        const entry = fresh ?? open(target, lease)
        entry.lease = lease
        entry.usedAt = clock.now()
        entries.set(target.id, entry)
        sweep ??= clock.at(clock.now() + ACTOR_REST_MS, rest, { idle: true })
        return { held: false, actor: entry.actor }
      } catch (error) {
        journal.leases.release(lease)
        throw error
      }
    },
    settle,
    drop,
    /** The actor if this process has it in memory. */
    peek: (id: string): LiveActor | undefined => entries.get(id)?.actor,
    targets: (): ActorTarget[] => [...entries.values()].map(entry => entry.target),
    /** Drops all, the youngest first, so that what was built on others goes before them. */
    close() {
      sweep?.cancel()
      sweep = undefined
      for (const id of [...entries.keys()].reverse()) drop(id)
    },
  }
}

export type Registry = ReturnType<typeof createRegistry>
