/** Chooses the faults that hit an execution or an occasion. */
import type { Fault, FaultKind } from '../scenario/fault.ts'

/** Segments of an execution follow each other closely, so older executions need not be known. */
const EXECUTIONS_KNOWN = 1_000

/** `<executionId>.<segment>`; anything else is an execution of its own. */
const executionOf = (wireId: string): string | undefined => /^(.+)\.\d+$/.exec(wireId)?.[1]

export const createFaultPlan = (faults: readonly Fault[]) => {
  const indexes = new Map<string, number>()
  let seen = 0
  const indexOf = (wireId: string): number => {
    const execution = executionOf(wireId)
    const known = execution === undefined ? undefined : indexes.get(execution)
    if (known !== undefined) return known
    const index = seen
    seen += 1
    if (execution !== undefined) indexes.set(execution, index)
    const oldest = indexes.keys().next().value
    if (indexes.size > EXECUTIONS_KNOWN && oldest !== undefined) indexes.delete(oldest)
    return index
  }
  return {
    /** The faults of the execution that a request belongs to. */
    of(wireId: string) {
      const index = indexOf(wireId)
      return faults.filter(({ after, times }) => index >= after && index < after + times)
    },
  }
}

/** Says which of the faults hit this occasion, and counts it. */
export type NextFaults = () => readonly Fault[]

export const countedFaults = (faults: readonly Fault[], kinds: readonly FaultKind[]): NextFaults => {
  const mine = faults.filter(fault => kinds.includes(fault.do))
  let seen = 0
  return () => {
    const index = seen++
    return mine.filter(({ after, times }) => index >= after && index < after + times)
  }
}
