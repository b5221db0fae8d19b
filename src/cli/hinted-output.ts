/** The output of a failed command with its hints as the command line says them; loaded when there is a failure. */
import type { ExecutionResult } from '../contracts/execution-result.ts'
import { withHint } from '../contracts/hint-words.ts'
import { isObject, type JsonObject } from '../contracts/json.ts'
import { resultAt } from '../contracts/result-hints.ts'
import { usageHint } from './failure-of.ts'

const isFailure = (value: unknown): value is { code: string; message: string; hint?: string } =>
  isObject(value) && typeof value.code === 'string' && typeof value.message === 'string'

/** `command` is what was called, as far as it was understood. */
export const hintedFailure = <E extends { code: string; hint?: string | undefined }>(error: E, command: string): E =>
  withHint('cli', error.code === 'USAGE' && error.hint === undefined ? { ...error, hint: usageHint(command) } : error)

/** A failure itself, or an envelope that failed. */
export const hintedOutput = (output: unknown, command: string): unknown => {
  if (isFailure(output)) return hintedFailure(output, command)
  const { envelope } = (output ?? {}) as { envelope?: JsonObject }
  if (!isObject(output) || !isFailure(envelope?.error)) return output
  return { ...output, envelope: { ...envelope, error: withHint('cli', envelope.error) } }
}

export const hintedReceipt = <R extends { result?: ExecutionResult }>(receipt: R): R =>
  receipt.result === undefined ? receipt : { ...receipt, result: resultAt('cli', receipt.result) }
