/** The journal's record of one accepted event, which makes "did my tap happen?" answerable. */
import * as v from 'valibot'
import { count } from '../json/scalars.ts'

/** A journal event as it is stored: small, JSON, without its body. */
export const StoredEvent = v.looseObject({ type: v.pipe(v.string(), v.minLength(1)) })
export type StoredEvent = v.InferOutput<typeof StoredEvent>

/** On a record that ends an execution, or refuses one: through which listener it came, which is to tell it. */
export const RecordedOutcome = v.strictObject({ listener: v.string(), executionId: v.optional(v.string()) })
export type RecordedOutcome = v.InferOutput<typeof RecordedOutcome>

export const JournalRecord = v.strictObject({
  /** Position in the whole journal; grows, is never used twice. */
  seq: count,
  actor: v.string(),
  /** Position in the actor's own history, without gaps, from 0. */
  n: count,
  machine: v.string(),
  /** Version of the machine's vocabulary when this was written; older ones are upcast on reading. */
  version: count,
  at: count,
  event: StoredEvent,
  /** Digest of the event's body (an execution, an envelope), kept apart because it is large; null without one. */
  digest: v.nullable(v.string()),
  /** The actor's state before and after, as dotted paths; equal for an event that moves nothing. */
  from: v.string(),
  to: v.string(),
  tags: v.array(v.string()),
  outcome: v.optional(RecordedOutcome),
})
export type JournalRecord = v.InferOutput<typeof JournalRecord>

/** The process that owns an actor while its work cannot be repeated. */
export const OwnershipHolder = v.strictObject({
  pid: count,
  /** Start time of that process: a number that a later process with the same pid does not have. */
  started: v.string(),
  /** Random per host instance, so that two hosts in one process are told apart. */
  instance: v.string(),
})
export type OwnershipHolder = v.InferOutput<typeof OwnershipHolder>

export const Ownership = v.strictObject({
  key: v.string(),
  /** Grows with every grant of this key. A write that carries an older one is refused. */
  fence: count,
  holder: OwnershipHolder,
  since: count,
  /** The holder describes its work (executionId, commandId) for callers that are refused. */
  note: v.record(v.string(), v.unknown()),
})
export type Ownership = v.InferOutput<typeof Ownership>

/** A tag of the newest record of a device's changes while some are not put back: retention keeps such an actor. */
export const OPEN_CHANGES = 'open-changes'
/** The same for what sessions and flows have to undo on a phone. */
export const UNDO_OPEN = 'undo-open'
