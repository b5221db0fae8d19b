/** How the tests ask for a verdict: the error of a payload that must be refused, or the execution that must not be. */
import { expect } from 'vitest'
import type { ErrorObject } from '../../src/contracts/error.ts'
import type { Execution } from '../../src/contracts/execution.ts'
import { isFailureCode } from '../../src/contracts/failures.ts'
import { validateExecution } from '../../src/executions/validate.ts'

const MESSAGE_CHARS_MAX = 2_000

/** What every refusal owes its reader. */
export const expectReadable = (error: ErrorObject): void => {
  expect(isFailureCode(error.code)).toBe(true)
  expect(error.message).not.toBe('')
  expect(error.message.length).toBeLessThan(MESSAGE_CHARS_MAX)
  expect(error.hint?.length ?? 0).toBeLessThan(MESSAGE_CHARS_MAX)
  expect(error.message).toMatch(/^[^\0\p{Cs}]*$/u)
  for (const said of [error.message, error.hint ?? '']) {
    expect(said.replace(/"(?:[^"\\]|\\.)*"/g, '')).not.toMatch(/undefined|\[object|NaN/)
  }
}

export const refusal = (input: unknown): ErrorObject => {
  const result = validateExecution(input)
  if (result.ok) throw new Error(`accepted: ${JSON.stringify(input).slice(0, 500)}`)
  expectReadable(result.error)
  return result.error
}

export const acceptance = (input: unknown): Execution => {
  const result = validateExecution(input)
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.error)}`)
  return result.execution
}
