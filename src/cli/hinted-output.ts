/** The output of a failed command with its hints as the command line says them; loaded when there is a failure. */
import type { ErrorObject } from '../contracts/error.ts'
import type { ExecutionResult } from '../contracts/execution-result.ts'
import { withHint } from '../contracts/hint-words.ts'
import { isObject, type JsonObject } from '../contracts/json.ts'
import { resultAt } from '../contracts/result-hints.ts'
import type { Command } from './command.ts'
import { failureOf } from './failure-of.ts'

const isFailure = (value: unknown): value is { code: string; message: string; hint?: string } =>
  isObject(value) && typeof value.code === 'string' && typeof value.message === 'string'

type Called = Pick<Command, 'path'> | undefined

const usageHint = (called: Called): string =>
  `Run ${['svc', ...(called?.path ?? []), '--help'].join(' ')} to see the arguments and flags.`

/** `called` is undefined as long as the command is not understood. */
export const hintedFailure = <E extends { code: string; hint?: string | undefined }>(error: E, called?: Called): E =>
  withHint('cli', error.code === 'USAGE' && error.hint === undefined ? { ...error, hint: usageHint(called) } : error)

export const hintedThrown = (thrown: unknown, called?: Called): ErrorObject => hintedFailure(failureOf(thrown), called)

/** A failure itself, or an envelope that failed. */
export const hintedOutput = (output: unknown, called?: Called): unknown => {
  if (isFailure(output)) return hintedFailure(output, called)
  const { envelope } = (output ?? {}) as { envelope?: JsonObject }
  if (!isObject(output) || !isFailure(envelope?.error)) return output
  return { ...output, envelope: { ...envelope, error: withHint('cli', envelope.error) } }
}

export const hintedReceipt = <R extends { result?: ExecutionResult }>(receipt: R): R =>
  receipt.result === undefined ? receipt : { ...receipt, result: resultAt('cli', receipt.result) }
