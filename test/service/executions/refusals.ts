/** How the tests ask for a verdict: the error of a payload that must be refused, or the execution that must not be. */
import { expect } from 'vitest'
import type { Execution } from '../../../src/contracts/executions/execution.ts'
import type { ErrorObject } from '../../../src/contracts/failures/error.ts'
import { isFailureCode } from '../../../src/contracts/failures/failures.ts'
import { validateExecution } from '../../../src/service/executions/validate.ts'

const MESSAGE_CHARS_MAX = 2_000

const CLEAN_TEXT = /^[^\0\p{Cs}]*$/u
const QUOTED = /"(?:[^"\\]|\\.)*"/g
const UNREADABLE = /undefined|\[object|NaN/

/** What every refusal owes its reader. One comparison, because it is asked for tens of thousands of refusals. */
export const expectReadable = ({ code, message, hint = '' }: ErrorObject): void => {
  const isReadable =
    isFailureCode(code) &&
    message !== '' &&
    message.length < MESSAGE_CHARS_MAX &&
    hint.length < MESSAGE_CHARS_MAX &&
    CLEAN_TEXT.test(message) &&
    ![message, hint].some(text => UNREADABLE.test(text.replace(QUOTED, '')))
  if (!isReadable) expect.fail(`a refusal that nobody can read: ${JSON.stringify({ code, message, hint })}`)
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
