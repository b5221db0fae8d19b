/** Builds the answer to the caller, for each way in which an execution can end. */

import { SHELL_OPERATOR_PACKAGE } from '../../../contracts/device/operator.ts'
import type { ObservedScreen } from '../../../contracts/device/screen.ts'
import { type ExecutionResult, TERMINAL_SOURCE } from '../../../contracts/executions/execution-result.ts'
import { unknownOutcomeHint } from '../../../contracts/executions/receipt.ts'
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { type FailureCode, failure } from '../../../contracts/failures/failures.ts'
import { mergedEnvelope, type SegmentResult } from '../../../device/operators/app/wire/merge.ts'
import type { UndoneSegment } from '../../../device/operators/segment-outcome.ts'
import { traitsOf } from '../../../device/operators/traits.ts'
import { capitalised } from '../../../runtime/message-of.ts'
import { withoutFullStop } from '../../../runtime/text/without-end.ts'
import type { Dispatch } from '../dispatch.ts'

export interface ExecutionProgress {
  executionId: string
  dispatch: Dispatch
  /** The parts of the segments that are done. */
  parts: readonly SegmentResult[]
  /** When the first segment left, or would have. */
  dispatchedAt: number
  /** How long ago that was. */
  elapsedMs: number
}

const HINTS: Partial<Record<FailureCode, (dispatch: Dispatch) => string>> = {
  OPERATOR_NOT_INSTALLED: ({ operatorPackage }) =>
    `${traitsOf(operatorPackage).installHint}, or use the operator package ${SHELL_OPERATOR_PACKAGE}, which needs none.`,
}

const failed = (
  code: FailureCode,
  message: string,
  { executionId, parts, dispatch }: ExecutionProgress,
  details: { dispatched: boolean; inDoubt?: false } & Record<string, unknown>,
): ExecutionResult => {
  const isInDoubt = details.dispatched && details.inDoubt !== false
  const completed = parts.flatMap(({ stepResults }) => stepResults.map(({ id }) => id))
  const error = failure(code, message, {
    details: { executionId, ...details, ...(completed.length === 0 ? {} : { completedSteps: completed }) },
    hint: HINTS[code]?.(dispatch) ?? (isInDoubt ? unknownOutcomeHint(executionId) : undefined),
  })
  return { ok: false, error: details.dispatched ? { ...error, retriable: false } : error }
}

/** The whole list was performed, or ended at a step that failed. */
export const answerWithEnvelope = (
  { dispatch, parts }: ExecutionProgress,
  observed?: ObservedScreen,
): ExecutionResult => ({
  ok: true,
  deviceId: dispatch.serial,
  terminalSource: TERMINAL_SOURCE,
  operatorPackage: dispatch.operatorPackage,
  envelope: mergedEnvelope(dispatch.execution, parts),
  ...(observed === undefined ? {} : { observed }),
})

export const answerOverdue = (standing: ExecutionProgress, lastLogLines: readonly string[]): ExecutionResult => {
  const { dispatch, dispatchedAt, elapsedMs } = standing
  return failed('RESULT_ENVELOPE_TIMEOUT', 'No result envelope arrived in time; it may have executed.', standing, {
    dispatched: true,
    commandId: dispatch.execution.commandId,
    dispatchedAt,
    elapsedMs,
    lastLogLines,
  })
}

/** The device cannot be worked on now: nothing of the execution was sent. */
export const answerUnready = (error: ErrorObject, { executionId }: ExecutionProgress): ExecutionResult => ({
  ok: false,
  error: { ...error, details: { ...error.details, executionId, dispatched: false } },
})

/** The caller has heard that already; it ends the machine's wait for the device. */
export const answerCancelled = (standing: ExecutionProgress): ExecutionResult =>
  failed('EXECUTION_CANCELLED', 'The execution was cancelled; it may have executed.', standing, { dispatched: true })

/** The answer for a segment that brought no part. */
export const answerUndelivered = (
  delivery: Exclude<UndoneSegment, { code: 'STOPPED' }>,
  standing: ExecutionProgress,
): ExecutionResult => {
  if (delivery.kind === 'not sent') {
    const dispatched = standing.parts.length > 0
    const doubt = dispatched ? 'earlier steps were executed' : 'nothing was executed'
    // A refused segment is known not to have run, also where earlier segments did.
    const known = dispatched ? { dispatched, inDoubt: false as const } : { dispatched }
    return failed(delivery.code, `${capitalised(withoutFullStop(delivery.message))}; ${doubt}.`, standing, known)
  }
  switch (delivery.code) {
    case 'RESULT_ENVELOPE_TIMEOUT':
      return answerOverdue(standing, delivery.lastLogLines)
    case 'RESULT_ENVELOPE_MALFORMED':
      return failed(
        delivery.code,
        `The result envelope is damaged: ${delivery.reason}; it may have executed.`,
        standing,
        { commandId: standing.dispatch.execution.commandId, dispatched: true, missingIndexes: delivery.missing },
      )
    default:
      return failed(
        delivery.code,
        `${capitalised(delivery.reason)}; the request was sent and may have executed.`,
        standing,
        { dispatched: true },
      )
  }
}
