/** The output of a failed command with its hints as the command line says them; loaded when there is a failure. */

import type { ExecutionResult } from '../../contracts/executions/execution-result.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { withHint } from '../../contracts/failures/hint-words.ts'
import { resultAt } from '../../contracts/failures/result-hints.ts'
import { isObject, type JsonObject } from '../../contracts/json/json.ts'
import type { Command } from './command.ts'
import { failureOf } from './failure-of.ts'
import { meantCall, meantInstead } from './other-tools.ts'

const isFailure = (value: unknown): value is { code: string; message: string; hint?: string } =>
  isObject(value) && typeof value.code === 'string' && typeof value.message === 'string'

type Called = Pick<Command, 'path'> | undefined

const usageHint = (called: Called, args: readonly string[]): string => {
  const suggestion = meantCall(called, args)
  if (suggestion !== undefined) return `Did you mean: ${suggestion}`
  return `Run ${['svc', ...(called?.path ?? []), '--help'].join(' ')} to see the arguments and flags.`
}

/** `called` is undefined as long as the command is not understood. */
export const hintedFailure = <E extends { code: string; hint?: string | undefined }>(
  error: E,
  called?: Called,
  args: readonly string[] = [],
): E =>
  withHint(
    'cli',
    error.code === 'USAGE' && error.hint === undefined ? { ...error, hint: usageHint(called, args) } : error,
  )

export const hintedThrown = (thrown: unknown, called?: Called, args?: readonly string[]): ErrorObject =>
  hintedFailure(failureOf(thrown), called, args)

/** A failure itself, or an envelope that failed. */
export const hintedOutput = (output: unknown, called?: Called, args: readonly string[] = []): unknown => {
  if (isFailure(output)) return hintedFailure(output, called, args)
  const { envelope } = (output ?? {}) as { envelope?: JsonObject }
  if (!isObject(output) || !isFailure(envelope?.error)) return output
  const error = withHint('cli', envelope.error)
  const hint = `${error.hint}${meantInstead(called, args, error)}`
  return { ...output, envelope: { ...envelope, error: { ...error, hint } } }
}

export const hintedReceipt = <R extends { result?: ExecutionResult }>(receipt: R): R =>
  receipt.result === undefined ? receipt : { ...receipt, result: resultAt('cli', receipt.result) }
