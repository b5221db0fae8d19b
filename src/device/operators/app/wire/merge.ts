/** Joins the parts of one execution into the envelope that the caller gets, under the caller's own ids. */

import type { WireEnvelope } from '../../../../contracts/device/operator.ts'
import type { UiTree } from '../../../../contracts/device/ui-tree.ts'
import type { Execution } from '../../../../contracts/executions/execution.ts'
import type { EnvelopeError, ResultEnvelope, StepResult } from '../../../../contracts/executions/execution-result.ts'
import { stepHint } from '../../../../contracts/failures/step-hints.ts'
import { withoutFullStop } from '../../../../runtime/text/without-end.ts'

/** The result of one segment, from the operator or the host. */
export interface SegmentResult {
  stepResults: readonly StepResult[]
  /** Null for a part that succeeded; it then ends with no failed step. */
  error: EnvelopeError | null
  errorCode?: string
  /** The screen on which the step failed, where the host performed it and has seen it. */
  tree?: UiTree | undefined
}

const CODE = /^[A-Z][A-Z0-9_]*$/
const UNNAMED_FAILURE = 'ACTION_FAILED'

const isCode = (text: string | null | undefined): text is string => typeof text === 'string' && CODE.test(text)

/** The code and message of the failed step, from its own data. */
const failedStep = (stepResults: readonly StepResult[]) => {
  const step = stepResults.find(({ success }) => !success)
  if (!step) return undefined
  const reason = step.data.message ?? 'no reason was given'
  return {
    code: step.data.error,
    message: `Step "${step.id}" (${step.actionType}) failed: ${withoutFullStop(reason)}.`,
  }
}

/** An operator may give its error as an object, as a sentence, as a bare code, or in the failed step only. */
export const partOf = ({ status, stepResults, error, errorCode }: WireEnvelope): SegmentResult => {
  const step = failedStep(stepResults)
  if (status === 'success' && !step) return { stepResults, error: null }
  const reported = typeof error === 'string' ? { code: error, message: error } : error
  const code = [errorCode, reported?.code, step?.code].find(isCode) ?? UNNAMED_FAILURE
  const message = reported?.message ?? step?.message ?? 'The operator reported a failure and gave no reason.'
  const details = reported && 'details' in reported ? reported.details : undefined
  const hint = reported && 'hint' in reported ? reported.hint : undefined
  return {
    stepResults,
    error: {
      code: isCode(reported?.code) ? reported.code : code,
      message,
      ...(details ? { details } : {}),
      ...(hint ? { hint } : {}),
    },
    errorCode: code,
  }
}

/** The failed part, if any, is the last. */
export const mergedEnvelope = ({ commandId, taskId }: Execution, parts: readonly SegmentResult[]): ResultEnvelope => {
  const failed = parts.find(({ error }) => error !== null)
  const stepResults = parts.flatMap(part => part.stepResults)
  const envelope = { commandId, taskId, stepResults }
  if (!failed?.error) return { ...envelope, status: 'success', error: null }
  const errorCode = failed.errorCode ?? failed.error.code
  const hint = failed.error.hint ?? stepHint(errorCode, failed.stepResults.find(({ success }) => !success)?.actionType)
  return { ...envelope, status: 'failed', error: { ...failed.error, ...(hint ? { hint } : {}) }, errorCode }
}
