/** An execution on one line: when it was, what it did, where, and how it ended. */
import type { ExecutionSummary } from '../../../../contracts/doors/viewer.ts'
import { agoText } from './shown-text.ts'

const STEPS_SHOWN = 3

const stepsOf = ({ steps, executionId }: ExecutionSummary): string => {
  if (steps.length === 0) return executionId
  const more = steps.length - STEPS_SHOWN
  return [...steps.slice(0, STEPS_SHOWN), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

export const summaryLine = (summary: ExecutionSummary, now: number): string => {
  const { acceptedAt, deviceId, code, state, inDoubt } = summary
  const end = inDoubt && state !== 'dispatched' ? 'it may have happened' : (code ?? state)
  return `${agoText(now - acceptedAt)}: ${stepsOf(summary)} on ${deviceId}, ${end}`
}
