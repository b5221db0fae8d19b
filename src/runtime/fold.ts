/**
 * Works out the transitions of an actor: folds a history into a snapshot, and prepares the step of a live machine,
 * which is recorded and only then done.
 */
import { type AnyMachineSnapshot, type AnyStateMachine, initialTransition, type StateValue, transition } from 'xstate'
import type { Definition, Step } from '../../machines/definition.ts'
import { ignore } from '../../machines/port.ts'
import type { JournalRecord, StoredEvent } from '../contracts/records/journal.ts'
import { JournalError } from './journal/fault.ts'
import type { Checkpoint, Journal, NewRecord } from './journal/journal.ts'

/** The first record of every actor. */
export const CREATED = 'actor.created'

export interface FoldedActor {
  snapshot: AnyMachineSnapshot | undefined
  /** The position that the next record will have. */
  n: number
  /** The `seq` of the newest record folded in. */
  seq: number
  /** Records folded since the newest checkpoint. */
  tail: number
  /** The newest version of the machine that wrote any of it. */
  version: number
}

export const NOTHING_FOLDED: FoldedActor = { snapshot: undefined, n: 0, seq: 0, tail: 0, version: 0 }

/** The state that a checkpoint holds, as if its records had been folded. */
export const foldedFrom = (
  definition: Definition,
  { n, seq, version, snapshot }: Omit<Checkpoint, 'actor'>,
): FoldedActor => ({
  ...{ n, seq, version, tail: 0 },
  snapshot: restore(definition, { snapshot }),
})

/**
 * The machine of this build passes over events that it does not know, so its state after those of a newer one may be
 * wrong: it may be read, but nothing may follow from it.
 */
export const refuseNewerEvents = (actor: string, { version }: Definition, folded: FoldedActor): void => {
  if (folded.version <= version) return
  const problem = `The history of ${actor} has events of version ${folded.version} of its machine, and this svc knows version ${version}`
  throw new JournalError('newer-events', `${problem}: it records nothing there`)
}

/** One step of a fold; of an actor's own shadow too, which is why live and replay cannot differ. */
export const foldEvent = (
  { logic }: Definition,
  before: AnyMachineSnapshot | undefined,
  event: StoredEvent,
): AnyMachineSnapshot | undefined => {
  if (event.type === CREATED) return before ?? (initialTransition(logic, event.input)[0] as AnyMachineSnapshot)
  if (before?.status !== 'active') return before
  return transition(logic, before, event)[0] as AnyMachineSnapshot
}

/** Brings an event of an older version up to the machine's present vocabulary. */
export const upcast = ({ upcast: steps, version }: Definition, record: JournalRecord): StoredEvent => {
  let event = record.event
  for (let from = record.version; from < version; from++) event = steps[from]?.(event) ?? event
  return event
}

/** A stored snapshot turned back into a live-looking one, without starting anything. */
export const restore = ({ logic }: Definition, checkpoint: Pick<Checkpoint, 'snapshot'>): AnyMachineSnapshot =>
  logic.resolveState(checkpoint.snapshot as Parameters<typeof logic.resolveState>[0]) as AnyMachineSnapshot

export const foldRecords = (
  definition: Definition,
  records: Iterable<JournalRecord>,
  from?: FoldedActor,
): FoldedActor => {
  const folded = { ...(from ?? NOTHING_FOLDED) }
  for (const record of records) {
    folded.snapshot = foldEvent(definition, folded.snapshot, upcast(definition, record))
    folded.n = record.n + 1
    folded.seq = record.seq
    folded.tail += 1
    folded.version = Math.max(folded.version, record.version)
  }
  return folded
}

const BATCH = 1_000

/**
 * A checkpoint of an older version is passed over while the whole history is still there to be upcast. Once retention
 * has taken the beginning, the checkpoint is the best that is known, and every version must go on reading its context.
 */
export const isUsableCheckpoint = ({ version }: Definition, journal: Journal, checkpoint: Checkpoint): boolean =>
  checkpoint.version === version || journal.records({ actor: checkpoint.actor, limit: 1 })[0]?.n !== 0

/**
 * An actor's present state, from its newest checkpoint and the records after it; or the state it had before the record
 * at `until`. The snapshot is undefined if retention has taken what led there.
 */
export const foldActor = (
  definition: Definition,
  journal: Journal,
  actor: string,
  until = Number.POSITIVE_INFINITY,
): FoldedActor => {
  const checkpoint = journal.checkpoint(actor)
  const isThere = checkpoint !== undefined && checkpoint.n <= until
  const usable = isThere && isUsableCheckpoint(definition, journal, checkpoint) ? checkpoint : undefined
  let folded = usable ? foldedFrom(definition, usable) : NOTHING_FOLDED
  for (;;) {
    const records = journal.records({ actor, fromN: folded.n, limit: BATCH })
    const wanted = records.filter(({ n }) => n < until)
    folded = foldRecords(definition, wanted, folded)
    if (wanted.length < BATCH) return folded
  }
}

export const statePath = (value: StateValue): string => {
  if (typeof value === 'string') return value
  const [name, inner] = Object.entries(value)[0] ?? ['', undefined]
  return inner === undefined ? name : `${name}.${statePath(inner)}`
}

interface StepActor {
  id: string
  machine: string
  definition: Definition
}

/** The record of a step, by which it can be folded. */
export const stepRecord = (
  { id, machine, definition }: StepActor,
  n: number,
  { before, event, after }: Step,
): NewRecord => {
  const { body, ...bare } = event
  const outcome = definition.outcome?.({ before, event, after })
  return {
    actor: id,
    n,
    machine,
    version: definition.version,
    at: event.at,
    event: bare,
    ...(body === undefined ? {} : { body }),
    from: before ? statePath(before.value) : '',
    to: statePath(after.value),
    tags: [...after.tags],
    ...(outcome === undefined ? {} : { outcome }),
  }
}

type Scope = Parameters<AnyStateMachine['transition']>[2]
type Action = Parameters<Scope['actionExecutor']>[0]

/** A transition that has been worked out: nothing of it has happened yet. */
export interface PreparedTransition {
  before: AnyMachineSnapshot
  event: StoredEvent & { at: number; body?: unknown }
  after: AnyMachineSnapshot
  actions: readonly Action[]
  /** The machine has no use for the event in this state. */
  isUnhandled: boolean
}

interface RecordedLogic {
  /** To make the one actor of. */
  logic: AnyStateMachine
  prepare(before: AnyMachineSnapshot, event: PreparedTransition['event']): PreparedTransition
  /** Lets the actor take the step: `send` must hand it the event. */
  takeStep(prepared: PreparedTransition, send: () => void): void
}

/** True for events of xstate itself: starting or ending an actor, and the end of its children. */
const isInternal = ({ type }: { type: string }) => type.startsWith('xstate.')

type Edge = ReturnType<AnyStateMachine['getTransitionData']>[number]

const nodesBelow = (node: AnyStateMachine['root']): AnyStateMachine['root'][] => [
  node,
  ...Object.values(node.states).flatMap(nodesBelow),
]

/** Tells the events that a chart only takes note of: nothing follows from them, and to ask the machine costs the most of it. */
const notesOf = (machine: AnyStateMachine) => {
  const isNote = ({ target, actions }: Edge) =>
    target === undefined &&
    actions.every(action => typeof action === 'string' && machine.implementations.actions[action] === ignore)
  const edges = nodesBelow(machine.root).flatMap(node => [...node.transitions.values()].flat())
  const types = new Set(edges.filter(isNote).map(({ eventType }) => eventType))
  return (before: AnyMachineSnapshot, event: StoredEvent): boolean => {
    if (!types.has(event.type)) return false
    const enabled: Edge[] = machine.getTransitionData(before, event)
    return enabled.length > 0 && enabled.every(isNote)
  }
}

export const recordedLogic = (machine: AnyStateMachine): RecordedLogic => {
  const isNoted = notesOf(machine)
  let scope: Scope | undefined
  let performed: PreparedTransition | undefined

  const transition: AnyStateMachine['transition'] = (before, event, actorScope) => {
    if (isInternal(event)) return machine.transition(before, event, actorScope)
    const step = performed
    if (!step || step.event !== event || step.before !== before) {
      throw new Error(`${machine.id} was sent ${event.type}, which is not recorded`)
    }
    for (const action of step.actions) actorScope.actionExecutor(action)
    return step.after
  }
  const restoreSnapshot: AnyStateMachine['restoreSnapshot'] = (snapshot, actorScope) => {
    scope = actorScope
    return machine.restoreSnapshot(snapshot, actorScope)
  }

  return {
    logic: Object.assign(Object.create(machine) as AnyStateMachine, { transition, restoreSnapshot }),
    prepare(before, event) {
      if (!scope) throw new Error(`${machine.id} has no actor yet`)
      if (isNoted(before, event)) return { before, event, after: before, actions: [], isUnhandled: false }
      const actions: Action[] = []
      const after = machine.transition(before, event, { ...scope, actionExecutor: action => void actions.push(action) })
      return { before, event, after, actions, isUnhandled: after === before && actions.length === 0 }
    },
    takeStep(prepared, send) {
      if (prepared.after === prepared.before && prepared.actions.length === 0) return
      performed = prepared
      try {
        send()
      } finally {
        performed = undefined
      }
    },
  }
}
