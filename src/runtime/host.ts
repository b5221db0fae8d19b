/** Runs machines as recorded actors: what routes, commands and drivers talk to. */
import type { EventObject } from 'xstate'
import type { Definition } from '../../machines/definition.ts'
import type { Ownership, OwnershipHolder, StoredEvent } from '../contracts/records/journal.ts'
import { type ActorFollower, followActor, recordShared } from './append-as-guest.ts'
import { NO_TROUBLES, type Troubles } from './background-failures.ts'
import { type Clock, pause } from './clock.ts'
import { JournalError } from './journal/fault.ts'
import type { ActorName, Journal } from './journal/journal.ts'
import { HeldError, type OwnershipRequest } from './ownership/ownership.ts'
import { createRenewal } from './ownership/renewal.ts'
import { type AnswerWait, createAwaitedAnswers, type Withdrawal } from './pending-asks.ts'
import type { Ports } from './port.ts'
import { endForOwner, type OverdueEnd } from './processes/end-for-owner.ts'
import { freeKeysOfTheDead, recoverActors } from './recover.ts'
import { type ActorTarget, createRegistry, type LeftProcessEnders } from './registry.ts'

export interface HostOptions {
  journal: Journal
  definitions: Readonly<Record<string, Definition>>
  ports: Readonly<Record<string, Ports>>
  clock: Clock
  holder: OwnershipHolder
  /** Names this run of the machine, where the system does. */
  bootId?(): string | undefined
  endLeftProcesses?: LeftProcessEnders
  /** Hears of listeners that throw, and of actors that cannot be settled. */
  troubles?: Pick<Troubles, 'tell'>
}

export type TellResult =
  | { kind: 'told' }
  /** Another owner has it: nothing was recorded, nothing happened. */
  | { kind: 'held'; lease: Ownership }
  /** The event could not be recorded, so it had no effect. */
  | { kind: 'unrecorded'; error: JournalError }

/** The event was taken back before it was recorded: nothing happened. */
interface Withdrawn {
  kind: 'withdrawn'
}

export type AskResult<E> = Exclude<TellResult, { kind: 'told' }> | Withdrawn | AnswerWait<E>

export interface AskOptions<E> {
  /** Selects the emitted event that is the answer. */
  matches: (emitted: E) => boolean
  /** When to stop waiting, in epoch ms. */
  until: number
  /** Ends the waiting only. */
  leave?: AbortSignal | undefined
  /** Takes the event back as long as it is waited for; the answer to what follows it then is waited for. */
  withdrawal?: Withdrawal | undefined
  /** Called once the event is on record. */
  onTold?: (() => void) | undefined
}

type EmittedListener = (id: string, emitted: EventObject) => void

export const createHost = (options: HostOptions) => {
  const { journal, definitions, clock, holder, endLeftProcesses = {}, troubles = NO_TROUBLES } = options
  const { bootId = () => undefined } = options
  const asks = createAwaitedAnswers(clock)
  const listeners = new Set<EmittedListener>()
  const stopListeners = new Set<() => Promise<unknown>>()
  let stopping = false
  /** Events that are being recorded: what they begin is in flight once they are. */
  let arriving = 0

  const registry = createRegistry({
    ...options,
    bootId,
    endLeftProcesses,
    onEmitted: (id, emitted) => {
      asks.hear(id, emitted)
      for (const listener of listeners) {
        try {
          listener(id, emitted)
        } catch (error) {
          troubles.tell(`a listener failed at ${emitted.type} of ${id} and goes on with the next event`, error)
        }
      }
    },
    onBroken: (id, error) => asks.fail(id, error),
  })

  const deliver = async (
    target: ActorTarget,
    event: StoredEvent,
    withdrawal?: Withdrawal,
  ): Promise<TellResult | Withdrawn> => {
    try {
      if (stopping) throw new JournalError('closed', 'This host is stopping')
      arriving += 1
      const isTold = await registry.send(target, event, withdrawal).finally(() => {
        arriving -= 1
      })
      return { kind: isTold ? 'told' : 'withdrawn' }
    } catch (error) {
      if (error instanceof HeldError) return { kind: 'held', lease: error.lease }
      if (error instanceof JournalError) return { kind: 'unrecorded', error }
      throw error
    }
  }

  const tell = (target: ActorTarget, event: StoredEvent) => deliver(target, event) as Promise<TellResult>

  const ask = async <E extends EventObject>(
    target: ActorTarget,
    event: StoredEvent,
    { matches, until, leave, withdrawal, onTold }: AskOptions<E>,
  ): Promise<AskResult<E>> => {
    const { answer, withdraw, told } = asks.wait(target.id, matches, { until, leave })
    // Aborted by the withdrawal, unless the answer came first: a finished event cannot be taken back.
    const undo = new AbortController()
    const onWithdrawal = () => undo.abort(WITHDRAWN)
    if (withdrawal?.signal.aborted) onWithdrawal()
    withdrawal?.signal.addEventListener('abort', onWithdrawal, { once: true })
    const refused = deliver(target, event, withdrawal && { ...withdrawal, signal: undo.signal }).then(
      (delivery): AskResult<E> | Promise<AskResult<E>> => {
        if (delivery.kind !== 'told') return delivery
        told(registry.peek(target.id) !== undefined)
        onTold?.()
        return answer
      },
    )
    try {
      // The wait ends in time even when the journal holds the event up.
      return await Promise.race([refused, answer])
    } finally {
      withdraw()
      withdrawal?.signal.removeEventListener('abort', onWithdrawal)
    }
  }

  const within = async (ms: number, work: Promise<unknown>): Promise<void> => {
    const givenUp = new AbortController()
    await Promise.race([work, pause(clock, ms, givenUp.signal)])
    givenUp.abort()
  }

  const inFlight = () => registry.targets().filter(target => registry.peek(target.id)?.isInFlight())

  return {
    holder,
    tell,
    ask,
    /** Hears everything any actor of this process emits. A listener that throws is reported, and hears the next events. */
    onEmitted(listener: EmittedListener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /**
     * Settles what processes that have died left in flight: in one actor, in those of a machine, or in all, and then the
     * keys that they owned without an actor are free. Says which actors it settled. Rejects with JournalError.
     */
    async recover(only: Partial<ActorName> = {}): Promise<string[]> {
      const recovered = await recoverActors({ journal, definitions, registry, troubles, only })
      if (only.actor === undefined && only.machine === undefined) await freeKeysOfTheDead(journal.leases)
      return recovered
    },
    /**
     * Does a piece of work that has no actor while this process owns the key; false when another owner has it, or a lease
     * stands in the way. Rejects with JournalError when it cannot be owned.
     */
    async whileOwned(
      key: string,
      note: Record<string, unknown>,
      work: () => Promise<void>,
      unless?: OwnershipRequest['unless'],
    ): Promise<boolean> {
      const claim = await journal.leases.acquire({ key, holder, since: clock.now(), note, unless })
      if (!claim.granted) return false
      const { leases } = journal
      const renewal = createRenewal({ leases, clock, grants: () => [claim.lease], isNeeded: () => true })
      renewal.start()
      try {
        await work()
      } finally {
        renewal.stop()
        // A grant that is not taken back ends with this process.
        journal.leases.release(claim.lease).catch(() => {})
      }
      return true
    },
    /**
     * Records an event that needs no owner (`shared` of the definition), also on an actor of another process. Rejects with
     * JournalError; then it was not recorded.
     */
    async appendAsGuest(target: ActorTarget, event: StoredEvent & { body?: unknown }): Promise<void> {
      try {
        await registry.send(target, event)
      } catch (error) {
        const definition = definitions[target.machine]
        if (!(error instanceof HeldError) || !definition) throw error
        await recordShared(target, event, { definition, journal, clock })
      }
    },
    /** Ends overdue work of another process that is alive and does not act. False where nothing was to be ended. Rejects with JournalError. */
    async endForOwner(target: Pick<ActorTarget, 'id' | 'machine'>, end: OverdueEnd): Promise<boolean> {
      const definition = definitions[target.machine]
      return definition !== undefined && endForOwner(target, end, { definition, journal, clock })
    },
    /** Looks at an actor as the journal has it, whichever process owns it. */
    follow({ id, machine }: Pick<ActorTarget, 'id' | 'machine'>): ActorFollower {
      const definition = definitions[machine]
      if (!definition) throw new Error(`no machine ${machine}`)
      return followActor(definition, journal, id)
    },
    /** Called when the host begins to stop, and waited for shortly. Returns the end of the listening. */
    onStop(listener: () => Promise<unknown>): () => void {
      stopListeners.add(listener)
      return () => void stopListeners.delete(listener)
    },
    /** The machine's own snapshot, if this process has the actor in memory. */
    snapshot: (id: string) => registry.peek(id)?.snapshot(),
    inFlight: () => inFlight().map(target => target.id),
    /** Takes nothing new, waits for what is in flight, records the rest as interrupted, frees every lease. */
    async stop({ graceMs }: { graceMs: number }): Promise<{ interrupted: string[] }> {
      stopping = true
      const notices = Promise.allSettled([...stopListeners].map(listener => listener()))
      if (stopListeners.size > 0) await within(STOP_RECORD_MS, notices)
      const until = clock.elapsed() + graceMs
      while (arriving + inFlight().length > 0 && clock.elapsed() < until) await pause(clock, STOP_POLL_MS)
      const left = inFlight()
      const interrupt = async (target: ActorTarget) => {
        const actor = registry.peek(target.id)
        const definition = definitions[target.machine]
        if (actor && definition) await actor.send(definition.interrupted(actor.snapshot(), clock.now(), bootId()))
      }
      // If the journal refuses, the next host finds the actor in flight without an owner, and records it.
      await within(STOP_RECORD_MS, Promise.allSettled(left.map(interrupt)))
      registry.close()
      asks.fail(undefined, new JournalError('closed', 'The host has stopped'))
      return { interrupted: left.map(target => target.id) }
    },
  }
}

/** A fixed abort reason: without one, each abort creates an exception with a stack. */
const WITHDRAWN = 'the event was withdrawn'
const STOP_POLL_MS = 20
const STOP_RECORD_MS = 1_000

export type Host = ReturnType<typeof createHost>
