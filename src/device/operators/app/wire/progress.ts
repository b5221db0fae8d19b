/** Reads what an operator tells of a request while its result is awaited: which of its steps have ended. */

import * as v from 'valibot'
import { PROGRESS_PREFIX, WireProgress } from '../../../../contracts/device/operator.ts'
import type { Awaited } from '../segment-request.ts'
import { isFor, parseJson } from './messages.ts'

export interface StepEnd {
  /** The index of the step in its request. */
  step: number
  success: boolean
}

export type OnStepEnd = (end: StepEnd) => void

/**
 * Takes each step of a request once, in order, and none behind a failed one. A log may be read twice and may lose lines: a
 * step that is left out has ended too, and with success.
 */
export const inOrder = (stepCount: number, take: OnStepEnd): OnStepEnd => {
  let next = 0
  return ({ step, success }) => {
    if (step < next || step >= stepCount) return
    next = success ? step + 1 : stepCount
    take({ step, success })
  }
}

/** Undefined for every other line, and for one of another request. */
export const progressIn = (line: string, awaited: Awaited): StepEnd | undefined => {
  if (!line.startsWith(PROGRESS_PREFIX) || !line.includes(awaited.nonce)) return undefined
  const progress = v.safeParse(WireProgress, parseJson(line.slice(PROGRESS_PREFIX.length))?.value, { abortEarly: true })
  if (!progress.success || !isFor(progress.output, awaited)) return undefined
  return { step: progress.output.step, success: progress.output.success }
}
