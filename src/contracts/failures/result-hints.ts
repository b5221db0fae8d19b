/** Results as they leave through a door: the failures in them, each with a hint in the words of that door. */

import type { Door } from '../door-words.ts'
import type { ExecutionResult } from '../executions/execution-result.ts'
import type { TestRun } from '../flows/test-run.ts'
import { withErrors } from '../run-errors.ts'
import { withHint } from './hint-words.ts'

export const resultAt = (door: Door, result: ExecutionResult): ExecutionResult => {
  if (!result.ok) return { ...result, error: withHint(door, result.error) }
  const { envelope } = result
  return envelope.error === null
    ? result
    : { ...result, envelope: { ...envelope, error: withHint(door, envelope.error) } }
}

export const runAt = (door: Door, run: TestRun): TestRun => withErrors(run, error => withHint(door, error))
