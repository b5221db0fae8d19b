/** Folds a history into a snapshot: the machine's pure transition over its records, and nothing else. */
import { type AnyMachineSnapshot, initialTransition, type StateValue, transition } from 'xstate'
import type { Definition } from '../../machines/definition.ts'
import type { JournalRecord, StoredEvent } from '../contracts/journal.ts'
import type { Checkpoint, Journal } from './journal/journal.ts'

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
  const folded = from ? { ...from } : { snapshot: undefined, n: 0, seq: 0, tail: 0 }
  for (const record of records) {
    folded.snapshot = foldEvent(definition, folded.snapshot, upcast(definition, record))
    folded.n = record.n + 1
    folded.seq = record.seq
    folded.tail += 1
  }
  return folded
}

const BATCH = 1_000

/**
 * A checkpoint of an older version is passed over while the whole history is still there to be upcast. Once retention
 * has taken the beginning, the checkpoint is the best that is known, and every version must go on reading its context.
 */
const isUsable = ({ version }: Definition, journal: Journal, checkpoint: Checkpoint): boolean =>
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
  const usable = isThere && isUsable(definition, journal, checkpoint) ? checkpoint : undefined
  let folded: FoldedActor = usable
    ? { snapshot: restore(definition, usable), n: usable.n, seq: usable.seq, tail: 0 }
    : { snapshot: undefined, n: 0, seq: 0, tail: 0 }
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
