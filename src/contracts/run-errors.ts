/** The errors of a run of flows, each changed in its place. */
import type { FlowError, TestRun } from './flows/test-run.ts'

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
