/**
 * The options that callers give with a call. Wrong arguments are refused before anything is sent: the error names the
 * argument, and says what is expected.
 */

import { asRecord, type Signal } from './outside.ts'
import { SvcError } from './svc-error.ts'

export const misuse = (message: string): SvcError => new SvcError({ code: 'USAGE', message, dispatched: false })

/** The characters that a request header of the contract can hold. */
const VISIBLE = /^[\x21-\x7e]+$/
const KEY_CHARS_MAX = 255

export const isVisible = (value: unknown): value is string => typeof value === 'string' && VISIBLE.test(value)

const isMs = (value: unknown, least: number): boolean =>
  value === undefined || (typeof value === 'number' && Number.isFinite(value) && value >= least)

const isSignal = (value: unknown): boolean =>
  value === undefined || typeof (value as { addEventListener?: unknown } | null)?.addEventListener === 'function'

/** Checks the options of any call; options that a call does not have are undefined. */
export const checkOptions = (options: unknown): void => {
  const fields = asRecord(options)
  if (fields === undefined) throw misuse('The options of a call must be an object.')
  const { signal, timeoutMs, waitMs, idempotencyKey: key } = fields
  if (!isSignal(signal)) throw misuse('The option signal must be an AbortSignal.')
  if (!isMs(timeoutMs, 1)) throw misuse('The option timeoutMs must be a number of ms, at least 1.')
  if (!isMs(waitMs, 0)) throw misuse('The option waitMs must be a number of ms, at least 0.')
  if (key !== undefined && !(isVisible(key) && key.length <= KEY_CHARS_MAX))
    throw misuse(`The option idempotencyKey must be 1 to ${KEY_CHARS_MAX} visible ASCII characters.`)
}

export const checkSteps = (steps: unknown): void => {
  if (Array.isArray(steps) && steps.every(step => asRecord(step) !== undefined)) return
  throw misuse('The steps of an execution must be a list of actions, such as [{ type: "click", params }].')
}

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
