/** Results as they leave through a door: the failures in them, each with a hint in the words of that door. */

import type { Door } from './door-words.ts'
import type { ExecutionResult } from './execution-result.ts'
import { withHint } from './hint-words.ts'
import type { FlowError, TestRun } from './test-run.ts'

export const resultAt = (door: Door, result: ExecutionResult): ExecutionResult => {
  if (!result.ok) return { ...result, error: withHint(door, result.error) }
  const { envelope } = result
  return envelope.error === null
    ? result
    : { ...result, envelope: { ...envelope, error: withHint(door, envelope.error) } }
}

type ErrorChange = (error: FlowError) => FlowError

const changed = <T extends { error?: FlowError }>(holder: T, change: ErrorChange): T =>
  holder.error === undefined ? holder : { ...holder, error: change(holder.error) }

/** A run of flows with the errors of its attempts and commands changed. */
export const withErrors = (run: TestRun, change: ErrorChange): TestRun => ({
  ...changed(run, change),
  flows: run.flows.map(flow => ({
    ...flow,
    attempts: flow.attempts.map(attempt => {
      const { commands } = attempt
      return changed(
        { ...attempt, ...(commands ? { commands: commands.map(command => changed(command, change)) } : {}) },
        change,
      )
    }),
  })),
})

export const runAt = (door: Door, run: TestRun): TestRun => withErrors(run, error => withHint(door, error))
