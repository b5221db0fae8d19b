/** One running actor: every event is in the journal before the machine sees it, or it does not see it. */
import { type AnyActorRef, type AnyMachineSnapshot, createActor, type EventObject } from 'xstate'
import { type Definition, IN_FLIGHT } from '../../machines/definition.ts'
import type { JournalRecord, Lease, StoredEvent } from '../contracts/journal.ts'
import { CREATED, type Folded, foldActor, step } from './fold.ts'
import { JournalError } from './journal/fault.ts'
import type { Journal } from './journal/journal.ts'
import { type Ports, seat } from './port.ts'
import { statePath } from './state-path.ts'

export interface ActorOptions {
  id: string
  machine: string
  definition: Definition
  input: unknown
  journal: Journal
  ports: Ports
  now: () => number
  /** The grant under which this actor writes, if it holds one. */
  lease: () => Lease | undefined
  onEmitted: (emitted: EventObject) => void
  /** After each event that was processed. */
  onStep: () => void
  /** The actor cannot go on: an event of its own was lost, or the machine threw. */
  onBroken: (error: unknown) => void
}

export interface LiveActor {
  /** Throws JournalError; then the event had no effect. */
  send(event: StoredEvent): void
  /** What the journal amounts to, ahead of the machine by the events it has not processed yet. */
  shadow(): AnyMachineSnapshot
  snapshot(): AnyMachineSnapshot
  position(): { n: number; seq: number; tail: number }
  isInFlight(): boolean
  /** Keeps the present state as a checkpoint. */
  checkpoint(): void
  stop(): void
}

const isInFlight = (snapshot: AnyMachineSnapshot | undefined) => snapshot?.hasTag(IN_FLIGHT) ?? false

/** Opens an actor from its history. One that was in flight is marked interrupted first: its effect is not repeated. */
export const openActor = (options: ActorOptions): LiveActor => {
  const { id, machine, definition, journal, now } = options
  let folded: Folded = foldActor(definition, journal, id)

  const record = (event: StoredEvent & { at: number; body?: unknown }): JournalRecord => {
    const { body, ...bare } = event
    const before = folded.snapshot
    if (before && event.type !== CREATED && !before.can(bare)) {
      throw new JournalError('unhandled', `${machine} cannot take ${event.type} in ${statePath(before.value)}`)
    }
    const after = step(definition, before, bare)
    if (!after) throw new JournalError('failed', `${id} has no beginning in the journal`)
    const lease = options.lease()
    const written = journal.append(
      {
        actor: id,
        n: folded.n,
        machine,
        version: definition.version,
        at: event.at,
        event: bare,
        ...(body === undefined ? {} : { body }),
        from: before ? statePath(before.value) : '',
        to: statePath(after.value),
        tags: [...after.tags],
      },
      {
        durable: definition.durable.includes(event.type),
        lease: lease && { key: lease.key, fence: lease.fence },
        receipt: definition.receipt?.({ before, event, after }),
      },
    )
    folded = { snapshot: after, n: written.n + 1, seq: written.seq, tail: folded.tail + 1 }
    return written
  }

  if (!folded.snapshot) record({ type: CREATED, at: now(), input: options.input })
  if (isInFlight(folded.snapshot)) {
    record(definition.interrupted(folded.snapshot as AnyMachineSnapshot, now()))
  }

  const stamp = (event: StoredEvent) => ({ ...event, at: now() })
  const logic = definition.logic.provide({
    actors: seat(options.ports, {
      actor: id,
      stamp,
      onLost: (error, event) => {
        if (!(error instanceof JournalError && error.reason === 'unhandled')) options.onBroken(error)
        else options.onBroken(new JournalError('unhandled', `${error.message} (from a port: ${event.type})`))
      },
    }),
  })
  const shadow = () => folded.snapshot as AnyMachineSnapshot
  const actor: AnyActorRef = createActor(logic, { snapshot: logic.getPersistedSnapshot(shadow()) })
  actor.system.inspect(inspected => {
    if (inspected.type !== '@xstate.event' || inspected.actorRef !== actor) return
    if (inspected.event.type.startsWith('xstate.') || shadow().status !== 'active') return
    record(inspected.event as StoredEvent & { at: number })
  })
  actor.on('*', (emitted: EventObject) => options.onEmitted(emitted))
  actor.subscribe({ next: options.onStep, error: options.onBroken })
  actor.start()

  return {
    send(event) {
      // A finished machine would drop it without a word.
      if (shadow().status !== 'active')
        throw new JournalError('unhandled', `${id} is over: it cannot take ${event.type}`)
      actor.send(stamp(event))
    },
    shadow,
    snapshot: () => actor.getSnapshot(),
    position: () => ({ n: folded.n, seq: folded.seq, tail: folded.tail }),
    isInFlight: () => isInFlight(shadow()),
    checkpoint: () => {
      const { value, context, status } = shadow()
      journal.saveCheckpoint({
        actor: id,
        n: folded.n,
        seq: folded.seq,
        version: definition.version,
        snapshot: { value, context, status },
      })
      folded = { ...folded, tail: 0 }
    },
    stop: () => actor.stop(),
  }
}
