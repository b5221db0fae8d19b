/** The history of one actor: folded when it is opened, then written step by step under the lease of its owner. */
import type { AnyMachineSnapshot } from 'xstate'
import { type Definition, IN_FLIGHT, type Step } from '../../machines/definition.ts'
import type { JournalRecord, Ownership } from '../contracts/records/journal.ts'
import { CREATED, type FoldedActor, foldActor, foldEvent, refuseNewerEvents, stepRecord } from './fold.ts'
import { JournalError } from './journal/fault.ts'
import type { BeginOptions, Journal, NewRecord } from './journal/journal.ts'
import { HeldError, type OwnershipRequest } from './ownership/ownership.ts'

interface HistoryOptions {
  id: string
  machine: string
  definition: Definition
  input: unknown
  journal: Journal
  /** The time for the next event. */
  now(): number
  /** Names this run of the machine, where the system does. */
  bootId(): string | undefined
}

export interface ActorHistory {
  /** The snapshot that the records in the journal fold to. */
  snapshot(): AnyMachineSnapshot
  position(): { n: number; seq: number; tail: number }
  /** True when another process has written to the actor since; ask only while it is not busy. */
  isBehind(): boolean
  /** The grant under which it writes while it is in flight. */
  lease(): Ownership | undefined
  /** Records a step, and in the same write the one that follows it. A step that begins work takes the lease that is wanted. */
  record(made: Step, request?: OwnershipRequest, following?: Step): Promise<void>
  /** While this process owns the actor: what others have recorded of it since. Undefined where one of them may not. */
  foreign(): readonly JournalRecord[] | undefined
  /** Takes in a step that another process has recorded. */
  absorb(step: Step, record: JournalRecord): void
  /** Keeps the present state as a checkpoint. */
  checkpoint(): Promise<void>
}

export const isInFlight = (snapshot: AnyMachineSnapshot | undefined) => snapshot?.hasTag(IN_FLIGHT) ?? false

/**
 * An actor that is in flight and has no living owner is marked interrupted first: its effect is not repeated. Rejects with
 * HeldError when it has one, and with JournalError where a newer version of its machine wrote to it.
 */
export const openHistory = async (options: HistoryOptions, wanted: OwnershipRequest): Promise<ActorHistory> => {
  const { id, definition, journal, now, bootId } = options
  let folded: FoldedActor = foldActor(definition, journal, id)
  refuseNewerEvents(id, definition, folded)
  let lease: Ownership | undefined
  const snapshot = () => folded.snapshot as AnyMachineSnapshot

  /** The first record of an actor without a history: written together with the one that follows. */
  let creation: NewRecord | undefined

  const recordOf = (made: Step, n = folded.n): NewRecord => stepRecord(options, n, made)

  const begin = async (request: OwnershipRequest, record: NewRecord, options: BeginOptions) => {
    const begun = await journal.begin(request, record, options)
    if (!begun.granted) throw new HeldError(begun.lease)
    if (!options.settles) lease = begun.lease
    return begun.record
  }

  /** The record that begins the work takes the lease, and the one that ends it gives it back. */
  const write = async (made: Step, request = wanted, following?: Step) => {
    const last = following ?? made
    const record = recordOf(last, folded.n + (following ? 1 : 0))
    const earlier = [...(creation ? [creation] : []), ...(following ? [recordOf(made)] : [])]
    const options = {
      earlier,
      receipt: definition.receipt?.(last) ?? definition.receipt?.(made),
      learned: definition.learned?.(last),
    }
    const [was, is] = [isInFlight(made.before), isInFlight(last.after)]
    if (!lease && (was || is)) return begin(request, record, { ...options, settles: !is })
    const release = lease !== undefined && was && !is
    const grant = lease && { key: lease.key, fence: lease.fence }
    const written = await journal.append(record, { ...options, lease: grant, release })
    if (release) lease = undefined
    return written
  }

  /** Records a step, and in the same write the one that follows it. */
  const record = async (made: Step, request?: OwnershipRequest, following?: Step) => {
    const { n, seq } = await write(made, request, following)
    creation = undefined
    const { version } = definition
    folded = { snapshot: (following ?? made).after, n: n + 1, seq, tail: folded.tail + (following ? 2 : 1), version }
  }

  /** Computes a step before the machine runs: its creation, or the interruption of a dead host's work. */
  const stepTo = (event: Step['event']): Step => {
    const before = folded.snapshot
    const after = foldEvent(definition, before, event)
    if (!after) throw new JournalError('failed', `The first records of ${id} are missing from the journal`)
    return { before, event, after }
  }

  if (!folded.snapshot) {
    const created = stepTo({ type: CREATED, at: now(), input: options.input })
    creation = recordOf(created)
    folded = { snapshot: created.after, n: folded.n + 1, seq: 0, tail: 1, version: definition.version }
  }
  if (isInFlight(folded.snapshot)) await record(stepTo(definition.interrupted(snapshot(), now(), bootId())))

  return {
    snapshot,
    position: () => ({ n: folded.n, seq: folded.seq, tail: folded.tail }),
    isBehind: () => (journal.last(id)?.n ?? -1) >= folded.n,
    lease: () => lease,
    record,
    foreign() {
      const { shared = [], version } = definition
      const records = lease ? journal.records({ actor: id, fromN: folded.n }) : []
      const isTaken = ({ event, version: written, n }: JournalRecord, index: number) =>
        shared.includes(event.type) && written === version && n === folded.n + index
      return records.length > 0 && records.every(isTaken) ? records : undefined
    },
    absorb({ after }, { n, seq }) {
      folded = { ...folded, snapshot: after, n: n + 1, seq, tail: folded.tail + 1 }
    },
    checkpoint: async () => {
      const { value, context, status } = snapshot()
      const { n, seq } = folded
      const kept = { actor: id, n, seq, version: definition.version, snapshot: { value, context, status } }
      folded = { ...folded, tail: 0 }
      await journal.saveCheckpoint(kept)
    },
  }
}
