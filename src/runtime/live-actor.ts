/** One running actor: every event is in the journal before the machine acts on it, or it does not act. */
import { type AnyActorRef, type AnyMachineSnapshot, createActor, type EventObject } from 'xstate'
import { type Definition, IN_FLIGHT } from '../../machines/definition.ts'
import type { JournalRecord, Lease, StoredEvent } from '../contracts/journal.ts'
import { CREATED, type Folded, foldActor, step } from './fold.ts'
import { JournalError } from './journal/fault.ts'
import type { AppendOptions, Journal, NewRecord } from './journal/journal.ts'
import { HeldError, type LeaseRequest } from './lease/lease.ts'
import { type Ports, seat } from './port.ts'
import { recordedLogic } from './recorded-logic.ts'
import { statePath } from './state-path.ts'

/** How an actor is owned while it writes. */
export interface Ownership {
  /** The grant under which it writes, if it holds one. */
  lease(): Lease | undefined
  /** What is to be taken together with the next record. */
  wanted(): LeaseRequest | undefined
  granted(lease: Lease): void
  /** The grant has ended with the record that ended the work. */
  released(): void
}

export interface ActorOptions {
  id: string
  machine: string
  definition: Definition
  input: unknown
  journal: Journal
  ports: Ports
  now: () => number
  owner: Ownership
  onEmitted: (emitted: EventObject) => void
  /** After each event that was processed. */
  onStep: () => void
  /** The actor cannot go on: an event of its own was lost, or the machine threw. */
  onBroken: (error: unknown) => void
}

export interface LiveActor {
  /** Throws JournalError; then the event had no effect. */
  send(event: StoredEvent): void
  /** What the journal amounts to. */
  shadow(): AnyMachineSnapshot
  snapshot(): AnyMachineSnapshot
  position(): { n: number; seq: number; tail: number }
  isInFlight(): boolean
  /** Keeps the present state as a checkpoint. */
  checkpoint(): void
  stop(): void
}

type Stamped = StoredEvent & { at: number; body?: unknown }

const isInFlight = (snapshot: AnyMachineSnapshot | undefined) => snapshot?.hasTag(IN_FLIGHT) ?? false

/** Opens an actor from its history. One that was in flight is marked interrupted first: its effect is not repeated. */
export const openActor = (options: ActorOptions): LiveActor => {
  const { id, machine, definition, journal, now, owner } = options
  let folded: Folded = foldActor(definition, journal, id)

  let isRunning = false

  const write = (record: NewRecord, receipt: AppendOptions['receipt'], isLast: boolean): JournalRecord => {
    const request = owner.wanted()
    if (request) {
      const begun = journal.begin(request, record, { receipt })
      if (!begun.granted) throw new HeldError(begun.lease)
      owner.granted(begun.lease)
      return begun.record
    }
    const lease = owner.lease()
    const release = lease !== undefined && isLast
    const written = journal.append(record, { lease: lease && { key: lease.key, fence: lease.fence }, release, receipt })
    if (release) owner.released()
    return written
  }

  const record = (before: AnyMachineSnapshot | undefined, event: Stamped, after: AnyMachineSnapshot) => {
    const { body, ...bare } = event
    const written = write(
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
      definition.receipt?.({ before, event, after }),
      isRunning && isInFlight(before) && !isInFlight(after),
    )
    folded = { snapshot: after, n: written.n + 1, seq: written.seq, tail: folded.tail + 1 }
  }

  /** For what happens before the machine runs. */
  const advance = (event: Stamped) => {
    const after = step(definition, folded.snapshot, event)
    if (!after) throw new JournalError('failed', `${id} has no beginning in the journal`)
    record(folded.snapshot, event, after)
  }

  if (!folded.snapshot) advance({ type: CREATED, at: now(), input: options.input })
  if (isInFlight(folded.snapshot)) advance(definition.interrupted(folded.snapshot as AnyMachineSnapshot, now()))

  const shadow = () => folded.snapshot as AnyMachineSnapshot
  const stamp = (event: StoredEvent): Stamped => ({ ...event, at: now() })

  let isBusy = false
  /** What became of the event that was handed over last. */
  const last: { isRecorded: boolean; refusal?: { error: unknown } | undefined } = { isRecorded: false }
  /** What ports do at once would come to the machine while it is busy: it waits until the step is over. */
  const afterwards: (() => void)[] = []

  const logic = recordedLogic(
    definition.logic.provide({
      actors: seat(options.ports, {
        actor: id,
        stamp,
        hand: give => hand(give),
        afterwards: work => void afterwards.push(work),
        synced: journal.synced,
        onLost: (error, event) => {
          if (!(error instanceof JournalError && error.reason === 'unhandled')) options.onBroken(error)
          else options.onBroken(new JournalError('unhandled', `${error.message} (from a port: ${event.type})`))
        },
      }),
    }),
    ({ before, event, after, isUnhandled }) => {
      try {
        if (isUnhandled) {
          const state = statePath(before.value)
          throw new JournalError('unhandled', `${machine} cannot take ${event.type} in ${state}`)
        }
        record(before, event, after)
        last.isRecorded = true
      } catch (error) {
        last.refusal = { error }
      }
      return last.isRecorded
    },
  )
  const actor: AnyActorRef = createActor(logic, { snapshot: logic.getPersistedSnapshot(shadow()) })

  /** Gives the machine one event, and says whether it was recorded. Throws what kept it from being recorded. */
  const hand = (give: () => void): boolean => {
    if (isBusy) throw new JournalError('failed', `${id} was sent an event from inside a step of its own`)
    isBusy = true
    Object.assign(last, { isRecorded: false, refusal: undefined })
    try {
      give()
    } finally {
      isBusy = false
    }
    const { isRecorded, refusal } = last
    for (let work = afterwards.shift(); work; work = afterwards.shift()) work()
    if (refusal) throw refusal.error
    return isRecorded
  }

  actor.on('*', (emitted: EventObject) => options.onEmitted(emitted))
  actor.subscribe({ next: options.onStep, error: options.onBroken })
  hand(() => void actor.start())
  isRunning = true

  return {
    send(event) {
      // A finished machine would drop it without a word.
      if (shadow().status !== 'active')
        throw new JournalError('unhandled', `${id} is over: it cannot take ${event.type}`)
      hand(() => actor.send(stamp(event)))
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
