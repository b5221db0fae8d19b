/** The options that callers give with a call. */
import type { Signal } from './outside.ts'

/** Of a call that only asks. */
export interface AskOptions {
  /** Ends the call: nothing more is sent, and the promise rejects with EXECUTION_CANCELLED. */
  signal?: Signal | undefined
  /** How long the call may take, in ms: with all its tries, and with the start of a daemon where it needs one. */
  timeoutMs?: number | undefined
}

/** Of a call that acts on a phone. */
export interface CallOptions {
  /** Within 24 hours the same key and the same call act once; later calls get the first answer. Without one, the library makes its own. */
  idempotencyKey?: string | undefined
  /** Answers the screen afterwards as well. */
  observe?: boolean | undefined
  /** Before dispatch, nothing is sent; afterwards the execution is cancelled. */
  signal?: Signal | undefined
  /** How long the action may take on the phone, in ms: 1,000 to 120,000. */
  timeoutMs?: number | undefined
  /** How long to wait for a phone that is busy, in ms; without it a busy phone refuses at once. */
  waitMs?: number | undefined
}
