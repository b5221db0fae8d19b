/** The journal as everything above it sees it. The in-memory store is the reference; SQLite must behave the same. */
import type { JournalRecord, Lease, StoredEvent } from '../../contracts/journal.ts'
import type { Receipt } from '../../contracts/receipt.ts'
import type { LeaseRequest, LeaseStore } from '../lease/lease.ts'

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
}

export interface AppendOptions {
  /** The append is refused (reason `fenced`) unless this grant is still the newest one of its key. */
  lease?: { key: string; fence: number } | undefined
  /** The grant ends with this record. */
  release?: boolean
  /** Written in the same transaction as the record; replaces the one with the same executionId. */
  receipt?: StoredReceipt | undefined
}

/** A record that was written under a new grant, or who holds the key instead. */
export type Begun = { granted: true; lease: Lease; record: JournalRecord } | { granted: false; lease: Lease }

/** A receipt as the journal keeps it; `result` is stored by digest beside the bodies. */
export type StoredReceipt = Receipt & { skillRunId?: string | undefined }

export interface RecordQuery {
  actor?: string
  machine?: string
  /** Only records with a greater `seq`. */
  after?: number
  /** Only records of that actor from this `n` on. */
  fromN?: number
  /** At most this many, oldest first; 1,000 unless told. */
  limit?: number
}

export interface ReceiptQuery {
  deviceId?: string
  commandId?: string
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
   * nobody wrote to for so long and whose work is not in flight, and receipts whose execution is decided.
   */
  maxAgeMs: number
  /** Above this size the oldest covered records go, and decided receipts as old as they are; then all decided receipts. */
  maxBytes: number
  now: number
}

export interface Pruned {
  records: number
  bodies: number
  receipts: number
  /** By which the content has shrunk; the file may follow later. */
  bytes: number
}

export interface Subscription {
  /** Ends the delivery at once; safe to call twice. */
  close(): void
}

export interface Journal {
  /** Throws JournalError; then nothing was recorded. */
  append(record: NewRecord, options?: AppendOptions): JournalRecord
  /** Takes a key and appends the first record under it, both or none. Throws JournalError. */
  begin(request: LeaseRequest, record: NewRecord, options?: Pick<AppendOptions, 'receipt'>): Begun
  /**
   * Resolves once all that this process appended is on the disk, which a record outlives its process without; awaited
   * before a dispatch. Rejects with JournalError.
   */
  synced(): Promise<void>
  records(query?: RecordQuery): JournalRecord[]
  /** The newest record of an actor. */
  last(actor: string): JournalRecord | undefined
  /** The newest record of each actor, newest first; `tag` keeps those whose newest record carries it. */
  actors(query?: { machine?: string; tag?: string; limit?: number }): JournalRecord[]
  body(digest: string): unknown
  /** The newest `seq`, 0 when empty. The record that has it is never pruned. */
  head(): number
  checkpoint(actor: string): Checkpoint | undefined
  /** One with an earlier position than the present one is ignored. */
  saveCheckpoint(checkpoint: Checkpoint): void
  receipt(executionId: string): StoredReceipt | undefined
  receipts(query?: ReceiptQuery): StoredReceipt[]
  /** The ids of the same, for whoever does not want to hold all of their results at once. */
  receiptIds(query?: ReceiptQuery): string[]
  /**
   * Every record after `after` (the head unless told), once, in order of `seq`, whichever process wrote it. Batches
   * are delivered from a fresh task, never from inside `append`. A listener that throws ends its own subscription only.
   */
  subscribe(listener: (records: JournalRecord[]) => void, options?: { after?: number }): Subscription
  prune(retention: Retention): Pruned
  readonly leases: LeaseStore
  /** Closing is final; subscriptions end. */
  close(): void
}
