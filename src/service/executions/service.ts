/** The interface to executions for routes and commands: run one, run one once, cancel one, look one up. */
import type { ErrorObject } from '../../contracts/failures/error.ts'
import type { ReceiptQuery, StoredReceipt } from '../../runtime/journal/journal.ts'
import type { Learner } from './evidence/learn.ts'
import type { Executed, ExecutionOrder } from './order.ts'

/** An execution under an Idempotency-Key. */
export type ExecutedOnce =
  | (Executed & { kind: 'executed' })
  /** The key was used before with the same payload: the first one's answer, waited for if need be. */
  | (Executed & { kind: 'replayed' })
  /** The key, or the chosen id where it is given, was used before with another payload: nothing was done. */
  | { kind: 'reused'; executionId?: string }

export type Cancelled =
  | { kind: 'cancelled'; receipt: StoredReceipt }
  /** The execution was over already: the receipt says how. */
  | { kind: 'settled'; receipt: StoredReceipt }
  /** The process that runs it has not honoured the request. */
  | { kind: 'elsewhere'; receipt: StoredReceipt; pid: number | undefined }
  | { kind: 'unknown' }

/** The remaining steps of an execution, for the same device; or the reason why it cannot go on. */
export type Resumption =
  | {
      ok: true
      order: Pick<ExecutionOrder, 'execution' | 'deviceId' | 'operatorPackage' | 'screenshots'> & { resumes: string }
      executedSteps: readonly string[]
    }
  | { ok: false; error: ErrorObject }

export interface ResumptionChange {
  /** The caller verified it: the steps before this one have happened, it and later ones have not. */
  fromStep?: string
  /** The time of the new execution; that of the old one when left out. */
  timeoutMs?: number
}

/**
 * `undecided` says who was asked, and why that did not end the doubt; `running` is the place of the step that the phone is at;
 * `isFinal`: to ask again would bring no more.
 */
export interface Decided {
  receipt: StoredReceipt
  running?: number | undefined
  undecided?: string | undefined
  isFinal?: boolean | undefined
}

/** How long a resumption may wait for the end of the list that it goes on with. */
export interface WaitForEnd {
  waitMs?: number | undefined
  signal?: AbortSignal | undefined
}

export interface Receipts {
  /** Asks for an execution in doubt, where the phone is there; waits so long for its outcome to be known. */
  decided(receipt: StoredReceipt, wait: WaitForEnd): Promise<Decided>
  /** Settles first what a dead owner left. Rejects with JournalError. */
  receipt(executionId: string): Promise<StoredReceipt | undefined>
  /**
   * Settles first what dead owners left. Newest first, each read when it is asked for: all of their results together may
   * be more than fits into memory.
   */
  receipts(query: ReceiptQuery): Promise<Iterable<StoredReceipt>>
}

export interface Executions extends Receipts {
  /** One with `resumes` runs once for the execution that it resumes, whoever asks and however often. */
  execute(request: ExecutionOrder): Promise<Executed>
  /** Runs nothing. A list that the phone may still be at work on is waited for, or refuses. */
  resumption(executionId: string, change?: ResumptionChange, wait?: WaitForEnd): Promise<Resumption>
  executeOnce(key: string, request: ExecutionOrder): Promise<ExecutedOnce>
  /** The same under an id that the caller has chosen, with or without a key. An id that was refused may be used again. */
  executeAs(executionId: string, request: ExecutionOrder, key?: string): Promise<ExecutedOnce>
  cancel(executionId: string): Promise<Cancelled>
  /** True when this process runs an execution under this id, which its caller chose; it may not be accepted yet. */
  isHere(executionId: string): boolean
  /** Ends doubt that can be ended. */
  readonly learner: Learner
}
