/** Reads a run of flows: how each flow ended, by which attempt, and how long that took. */
import type { FlowAttempt, FlowError, TestFlow, TestRun, Verdict } from './test-run.ts'

/** A flow is judged by its last attempt. */
export const lastAttempt = ({ attempts }: Pick<TestFlow, 'attempts'>): FlowAttempt | undefined => attempts.at(-1)

/** The flow passed after an attempt that did not. */
export const isFlaky = ({ verdict, attempts }: Pick<TestFlow, 'verdict' | 'attempts'>): boolean =>
  verdict === 'passed' && attempts.length > 1

/** The error of an attempt, else that of the last command that has one. */
export const attemptError = ({ error, commands = [] }: FlowAttempt): FlowError | undefined =>
  error ?? commands.findLast(command => command.error && command.verdict !== 'ignored')?.error

export const flowError = (flow: TestFlow): FlowError | undefined => {
  const last = lastAttempt(flow)
  return last && attemptError(last)
}

/** The last execution of the command that the attempt failed at. */
export const failedExecution = ({ commands = [] }: FlowAttempt): string | undefined =>
  commands.findLast(({ error, verdict }) => error && verdict !== 'ignored')?.executionIds.at(-1)

/** Milliseconds; 0 where the end is not known or the clock was set back meanwhile. */
export const tookMs = (span: Pick<FlowAttempt, 'startedAt' | 'endedAt'> | undefined): number =>
  span?.endedAt === undefined ? 0 : Math.max(0, span.endedAt - span.startedAt)

/** A flow that was not judged counts as `unfinished`. */
export type FlowOutcome = Verdict | 'unfinished'

export const outcomeOf = ({ verdict }: { readonly verdict: Verdict | null }): FlowOutcome => verdict ?? 'unfinished'

export type OutcomeCounts = Readonly<Record<FlowOutcome | 'flaky', number>>

export const countOutcomes = ({ flows }: Pick<TestRun, 'flows'>): OutcomeCounts => {
  const counts = { passed: 0, failed: 0, indeterminate: 0, skipped: 0, cancelled: 0, unfinished: 0, flaky: 0 }
  for (const flow of flows) {
    counts[outcomeOf(flow)] += 1
    if (isFlaky(flow)) counts.flaky += 1
  }
  return counts
}
