/** What routes and commands ask about executions: run one, run one once, cancel one, look one up. */
import type { ReceiptQuery, StoredReceipt } from '../runtime/journal/journal.ts'
import type { Executed, ExecuteRequest } from './execute.ts'

/** An execution under an Idempotency-Key. */
export type ExecutedOnce =
  | (Executed & { kind: 'executed' })
  /** The key was used before with the same payload: the first one's answer, waited for if need be. */
  | (Executed & { kind: 'replayed' })
  /** The key was used before with another payload: nothing was done. */
  | { kind: 'reused' }

export type Cancelled =
  | { kind: 'cancelled'; receipt: StoredReceipt }
  /** It was over already: the receipt says how. */
  | { kind: 'settled'; receipt: StoredReceipt }
  /** The process that runs it has not honoured the request. */
  | { kind: 'elsewhere'; receipt: StoredReceipt; pid: number | undefined }
  | { kind: 'unknown' }

export interface Receipts {
  /** Settles first what a dead owner left. Rejects with JournalError. */
  receipt(executionId: string): Promise<StoredReceipt | undefined>
  /**
   * Settles first what dead owners left. Newest first, each read when it is asked for: all of their results together may
   * be more than fits into memory.
   */
  receipts(query: ReceiptQuery): Promise<Iterable<StoredReceipt>>
}

export interface Executions extends Receipts {
  execute(request: ExecuteRequest): Promise<Executed>
  executeOnce(key: string, request: ExecuteRequest): Promise<ExecutedOnce>
  cancel(executionId: string): Promise<Cancelled>
}
