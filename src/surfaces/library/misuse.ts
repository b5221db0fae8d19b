/** Refuses wrong arguments before anything is sent: the error names the argument, and says what is expected. */
import { asRecord } from './outside.ts'
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
