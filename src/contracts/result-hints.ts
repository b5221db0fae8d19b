/** The result of an execution as it leaves through a door: its failure, or that of its envelope, with a hint. */
import type { ExecutionResult } from './execution-result.ts'
import { type Door, withHint } from './hint-words.ts'

export const resultAt = (door: Door, result: ExecutionResult): ExecutionResult => {
  if (!result.ok) return { ...result, error: withHint(door, result.error) }
  const { envelope } = result
  return envelope.error === null
    ? result
    : { ...result, envelope: { ...envelope, error: withHint(door, envelope.error) } }
}
