/** Adds to a step that found no application the installed one whose name is nearest. */

import { stepHint } from '../../../contracts/failures/step-hints.ts'
import { FAILURE_ANSWER_MS, FAILURE_LOOK_MS } from '../../../contracts/limits/limits.ts'
import { nearestInstalled } from '../../../device/apps/nearest-app.ts'
import type { SegmentResult } from '../../../device/operators/app/wire/merge.ts'
import type { ExecutionRun } from '../run/execution-run.ts'
import type { FailedStep } from './failure-look.ts'

const CODE = 'APP_NOT_FOUND'
const OVER = 'the look is over'

const wantedBy = ({ action }: FailedStep): string | undefined => {
  const { applicationId } = (action?.params ?? {}) as { applicationId?: unknown }
  return typeof applicationId === 'string' ? applicationId : undefined
}

/** The part as it was where no name is near, or the device does not say in time. */
export const withNearestApp = async (
  { session, control, clock }: ExecutionRun,
  failed: FailedStep,
): Promise<SegmentResult> => {
  const { part } = failed
  const wanted = wantedBy(failed)
  const code = part.errorCode ?? part.error?.code
  const ms = Math.floor(Math.min(FAILURE_LOOK_MS, control.answerLeftMs() - FAILURE_ANSWER_MS))
  if (part.error === null || code !== CODE || wanted === undefined || ms <= 0 || control.halt.aborted) return part
  const over = new AbortController()
  const forget = control.halt.onAbort(() => over.abort(OVER))
  const call = { deadline: clock.now() + ms, signal: over.signal }
  const near = await session
    .link(call)
    .then(link => nearestInstalled(link, wanted, call))
    .catch(() => undefined)
    .finally(forget)
  if (near === undefined) return part
  const hint = [`Did you mean ${near}?`, part.error.hint ?? stepHint(CODE)].join(' ')
  return { ...part, error: { ...part.error, hint } }
}
