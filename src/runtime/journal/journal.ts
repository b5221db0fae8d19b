/** The journal as everything above it sees it. The in-memory store is the reference; SQLite must behave the same. */

import type { LearnedOfReceipt } from '../../../machines/definition.ts'
import type { Receipt } from '../../contracts/executions/receipt.ts'
import type { JournalRecord, Ownership, RecordedOutcome, StoredEvent } from '../../contracts/records/journal.ts'
import type { LeaseStore, OwnershipRequest } from '../ownership/ownership.ts'

export interface NewRecord {
  actor: string
  /** Must be the actor's next position, else another process wrote first: reason `behind`. */
  n: number
  machine: string
  version: number
  at: number
  event: StoredEvent
  /** Large JSON that machines never read (an execution, an envelope). */
  body?: unknown
  from: string
  to: string
  tags: readonly string[]
  /** `records` finds it by its listener. */
  outcome?: RecordedOutcome | undefined
}

export interface AppendOptions {
  /** The append is refused (reason `fenced`) unless this grant is still the newest one of its key. */
  lease?: { key: string; fence: number } | undefined
  /** The grant ends with this record. */
  release?: boolean
  /** Written just before the record, in the same transaction: the records of its actor that lead to it, oldest first. */
  earlier?: readonly NewRecord[] | undefined
  /** Written in the same transaction as the record; replaces the one with the same executionId. */
  receipt?: StoredReceipt | undefined
  /** Written in the same transaction into the receipt that there is; without one it is lost. */
  learned?: LearnedOfReceipt | undefined
}

export interface BeginOptions {
  earlier?: AppendOptions['earlier']
  receipt?: AppendOptions['receipt']
  learned?: AppendOptions['learned']
  /**
   * The record settles what a dead owner of its actor left: the grant ends with it. If the actor is still owned under
   * another key than the one asked for, that key is the one that counts.
   */
  settles?: boolean
}

/** A record that was written under a new grant, or who holds the key instead. */
export type BeginResult =
  | { granted: true; lease: Ownership; record: JournalRecord }
  | { granted: false; lease: Ownership }

/** The Idempotency-Key of an execution and the payload it came with, both as digests. */
export interface IdempotencyKey {
  key: string
  payload: string
}

/**
 * A receipt as the journal keeps it; `result` is stored by digest beside the bodies. A new one is refused (reason
 * `key-used`) while another receipt younger than IDEMPOTENCY_KEEP_MS has its key.
 */
export type StoredReceipt = Receipt & { skillRunId?: string | undefined; idempotency?: IdempotencyKey | undefined }

export interface RecordQuery {
  actor?: string
  machine?: string
  /** Only records of outcomes that came through it. */
  listener?: string
  /** Only records with a greater `seq`. */
  after?: number
  /** Only records of that actor from this `n` on. */
  fromN?: number
  /** At most this many, oldest first; 1,000 unless told. */
  limit?: number
  /**
   * Records that cannot be read are told as one `journal.lost` with their positions; without it they fail the query, as
   * they must where a state is folded from it.
   */
  passesDamage?: boolean
}

export interface ActorQuery {
  machine?: string
  /** Only those whose newest record carries it. */
  tag?: string
  limit?: number
}

export interface ActorName {
  actor: string
  machine: string
}

export interface ReceiptQuery {
  deviceId?: string
  commandId?: string
  taskId?: string
  /** A skill run, an attempt of a flow, or the run of flows: the ids of its attempts begin with its own and a dot. */
  skillRunId?: string
  /** 50 unless told, newest first. */
  limit?: number
}

export interface Checkpoint {
  actor: string
  /** The snapshot includes the records before this position. */
  n: number
  seq: number
  version: number
  /** A persisted snapshot of the machine, as JSON. */
  snapshot: unknown
}

export interface Retention {
  /**
   * Records older than this many ms and covered by a checkpoint go, but for the newest of each actor; so do actors that
   * nobody wrote to for so long, whose work is not in flight and of which no change waits to be put back, and receipts whose execution is decided. A receipt
   * with a key is kept for IDEMPOTENCY_KEEP_MS in any case.
   */
  maxAgeMs: number
  /** Above this size the oldest covered records go, and decided receipts as old as they are; then all decided receipts. */
  maxBytes: number
  now: number
  /** Where one that ended early has come to, as it said: this one looks for what makes the journal too large from there on. */
  after?: PrunePosition | undefined
}

/** The last record and the last row of receipts that were looked at. */
export interface PrunePosition {
  seq: number
  row: number
}

export interface PruneCounts {
  records: number
  /** Counts bodies of more than BODY_INLINE_BYTES; smaller ones are stored and removed with their record or receipt. */
  bodies: number
  receipts: number
  /** By which the content has shrunk. */
  bytes: number
}

export interface PruneResult extends PruneCounts {
  /** The size of the file afterwards, which is more than `maxBytes` if more than that has to be kept. Without the WAL. */
  fileBytes: number
  /** Set when it ended early. */
  endedAt?: PrunePosition
}

export interface Subscription {
  /** Ends the delivery at once; safe to call twice. */
  close(): void
}

/** Writes are queued: those of one turn of the event loop share a commit, and none of them waits for a lock or the disk. */
export interface Journal {
  /** Rejects with JournalError; then nothing was recorded. */
  append(record: NewRecord, options?: AppendOptions): Promise<JournalRecord>
  /** Takes a key and appends the first record under it, both or none. Rejects with JournalError. */
  begin(request: OwnershipRequest, record: NewRecord, options?: BeginOptions): Promise<BeginResult>
  /**
   * Resolves once all that this process appended is on the disk, which a record outlives its process without; awaited
   * before a dispatch. Rejects with JournalError.
   */
  synced(): Promise<void>
  /** Writes at once what is queued, unless another process keeps it out: for a record that the next act waits for. */
  flush(): void
  records(query?: RecordQuery): JournalRecord[]
  /** The newest record of an actor. */
  last(actor: string): JournalRecord | undefined
  /** The newest record of each actor, newest first. An actor whose newest record cannot be read is not among them. */
  actors(query?: ActorQuery): JournalRecord[]
  /** The actors whose newest record carries the tag, whether it can be read or not. */
  withTag(tag: string): ActorName[]
  /** The body that the record names by its digest; undefined once retention has removed it. */
  body(record: Pick<JournalRecord, 'seq' | 'digest'>): unknown
  /** The newest `seq`, 0 when empty. The record that has it is never pruned. */
  head(): number
  checkpoint(actor: string): Checkpoint | undefined
  /** One with an earlier position than the present one is ignored. Rejects with JournalError. */
  saveCheckpoint(checkpoint: Checkpoint): Promise<void>
  receipt(executionId: string): StoredReceipt | undefined
  /** The newest receipt that has an Idempotency-Key, however old. */
  receiptByKey(key: string): StoredReceipt | undefined
  receipts(query?: ReceiptQuery): StoredReceipt[]
  /** The ids of the same, for callers that do not want to hold all of their results at once. */
  receiptIds(query?: ReceiptQuery): string[]
  /**
   * Every record after `after` (the head unless told), once, in order of `seq`, whichever process wrote it. Batches
   * are delivered from a fresh task, never from inside `append`. A record that cannot be read is told as `journal.lost`. A
   * listener that throws is reported, and hears the next records.
   */
  subscribe(listener: (records: JournalRecord[]) => void, options?: { after?: number }): Subscription
  /** In short writes; ends early once `isOver` says so. */
  prune(retention: Retention, isOver?: () => boolean): Promise<PruneResult>
  readonly leases: LeaseStore
  /**
   * Brings what a thread has left of the WAL into the file, so that the next write begins it anew. Waits for the disk, for a
   * moment where little is left.
   */
  finishWal(): void
  /** Writes what is queued if it can be written at once. Closing is final; subscriptions end. */
  close(): void
}
