/** Runs machines as recorded actors: the one thing that mouths and drivers talk to. */
import type { EventObject } from 'xstate'
import type { Definition } from '../../machines/definition.ts'
import type { Lease, LeaseHolder, StoredEvent } from '../contracts/journal.ts'
import { createAsks, type Waited } from './ask.ts'
import { type Clock, pause } from './clock.ts'
import { JournalError } from './journal/fault.ts'
import type { Journal } from './journal/journal.ts'
import { HeldError } from './lease/lease.ts'
import type { Ports } from './port.ts'
import { recoverActors } from './recover.ts'
import { type ActorTarget, createRegistry } from './registry.ts'

export interface HostOptions {
  journal: Journal
  definitions: Readonly<Record<string, Definition>>
  ports: Readonly<Record<string, Ports>>
  clock: Clock
  holder: LeaseHolder
}

export type Told =
  | { kind: 'told' }
  /** Another owner has it: nothing was recorded, nothing happened. */
  | { kind: 'held'; lease: Lease }
  /** The event could not be recorded, so it had no effect. */
  | { kind: 'unrecorded'; error: JournalError }

export type Asked<E> = Exclude<Told, { kind: 'told' }> | Waited<E>

export interface AskOptions<E> {
  /** Which emitted event is the answer. */
  matches: (emitted: E) => boolean
  /** When to stop waiting, in epoch ms. */
  until: number
  signal?: AbortSignal
}

export type EmittedListener = (id: string, emitted: EventObject) => void

export const createHost = (options: HostOptions) => {
  const { journal, definitions, clock, holder } = options
  const asks = createAsks(clock)
  const listeners = new Set<EmittedListener>()
  let stopping = false

  const registry = createRegistry({
    ...options,
    onEmitted: (id, emitted) => {
      asks.hear(id, emitted)
      for (const listener of listeners) {
        try {
          listener(id, emitted)
        } catch {
          listeners.delete(listener)
        }
      }
    },
    onBroken: (id, error) => asks.fail(id, error),
  })

  const give = (target: ActorTarget, event: StoredEvent, firmly: boolean): Told => {
    const claimed = registry.claim(target, { firmly })
    if (claimed.held) return { kind: 'held', lease: claimed.lease }
    claimed.actor.send(event)
    return { kind: 'told' }
  }

  /** The actor rested in memory, and something happened to it meanwhile that only its history tells. */
  const isOutrun = (error: unknown): boolean =>
    (error instanceof JournalError && error.reason === 'behind') ||
    (error instanceof HeldError && error.lease.holder.instance === holder.instance)

  const tell = (target: ActorTarget, event: StoredEvent): Told => {
    try {
      if (stopping) throw new JournalError('closed', 'this host is stopping')
      try {
        return give(target, event, false)
      } catch (error) {
        if (!isOutrun(error)) throw error
        return give(target, event, true)
      }
    } catch (error) {
      if (error instanceof HeldError) return { kind: 'held', lease: error.lease }
      if (error instanceof JournalError) return { kind: 'unrecorded', error }
      throw error
    } finally {
      registry.settle(target.id)
    }
  }

  const ask = async <E extends EventObject>(
    target: ActorTarget,
    event: StoredEvent,
    { matches, until, signal }: AskOptions<E>,
  ): Promise<Asked<E>> => {
    const { answer, withdraw } = asks.wait(target.id, matches, { until, signal })
    const told = tell(target, event)
    if (told.kind !== 'told') {
      withdraw()
      return told
    }
    return answer
  }

  const inFlight = () => registry.targets().filter(target => registry.peek(target.id)?.isInFlight())

  return {
    tell,
    ask,
    /** Hears everything any actor of this process emits. A listener that throws is heard no more. */
    onEmitted(listener: EmittedListener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Settles what earlier processes left in flight; run at start. Says which actors it settled. */
    recover: (): string[] => recoverActors({ journal, definitions, claim: registry.claim, settle: registry.settle }),
    /** The machine's own snapshot, if this process has the actor in memory. */
    snapshot: (id: string) => registry.peek(id)?.snapshot(),
    inFlight: () => inFlight().map(target => target.id),
    /** Takes nothing new, waits for what is in flight, records the rest as interrupted, frees every lease. */
    async stop({ graceMs }: { graceMs: number }): Promise<{ interrupted: string[] }> {
      stopping = true
      const until = clock.now() + graceMs
      while (inFlight().length > 0 && clock.now() < until) await pause(clock, STOP_POLL_MS)
      const interrupted = inFlight().map(target => target.id)
      for (const target of inFlight()) {
        const actor = registry.peek(target.id)
        const definition = definitions[target.machine]
        try {
          if (actor && definition) actor.send(definition.interrupted(actor.shadow(), clock.now()))
        } catch {
          // The journal would not take it: the next host finds the actor in flight without an owner and records it.
        }
      }
      registry.close()
      asks.fail(undefined, new JournalError('closed', 'the host has stopped'))
      return { interrupted }
    },
  }
}

const STOP_POLL_MS = 20

export type Host = ReturnType<typeof createHost>
