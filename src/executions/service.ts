/** What the mouths may ask about executions: run one, run one once, cancel one, look one up. */
import type { ExecutionResult } from '../contracts/execution-result.ts'
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
  /** Another process runs it: only that one can cancel it. */
  | { kind: 'elsewhere'; receipt: StoredReceipt; pid: number | undefined }
  | { kind: 'unknown' }

export interface Executions {
  execute(request: ExecuteRequest): Promise<Executed>
  executeOnce(key: string, request: ExecuteRequest): Promise<ExecutedOnce>
  cancel(executionId: string): Promise<Cancelled>
  receipt(executionId: string): StoredReceipt | undefined
  /** Newest first, each read when it is asked for: all of their results together may be more than fits into memory. */
  receipts(query: ReceiptQuery): Iterable<StoredReceipt>
}

/** Heard for every execution that was tried on a known device, refused and invalid ones included. */
export interface Outcome {
  deviceId: string
  executionId?: string | undefined
  /** What the caller sent, valid or not. */
  input: unknown
  result: ExecutionResult
}
