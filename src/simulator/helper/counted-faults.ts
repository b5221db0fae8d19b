/** Faults that are counted by what they hit: installations, requests to the helper, texts to its keyboard. */
import type { Fault, FaultKind } from '../scenario/fault.ts'

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
