/** The failure of a command, thrown through the blocks and subflows it stands in. */
import { withoutStepIds } from '../../../contracts/chosen-step-ids.ts'
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { failureHint } from '../../../contracts/failures/failure-hints.ts'
import { type FailureCode, failure } from '../../../contracts/failures/failures.ts'
import { isFaultOfHost } from '../../../contracts/flows/flow-faults.ts'
import type { FlowError } from '../../../contracts/flows/test-run.ts'

export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
  readonly error: FlowError
  /** The position of the command that failed; null until a command has taken it. */
  readonly index: number | null
  constructor(error: FlowError, index: number | null = null) {
    super(error.message)
    this.error = error
    this.index = index
  }
  /** A flow goes on after these where it says so: `optional`, `retry`. */
  get isOfApp(): boolean {
    return !isFaultOfHost(this.error.code)
  }
}

/** The journal does not take what is about to happen, or the attempt has been cancelled: nothing more is done. */
export class AttemptStopped extends Error {
  override readonly name = 'AttemptStopped'
}

export const flowErrorOf = (error: ErrorObject): FlowError => {
  const { code, message, hint, details } = withoutStepIds(error)
  return { code, message, hint: hint ?? failureHint(code), ...(details === undefined ? {} : { details }) }
}

export const failed = (
  code: FailureCode,
  message: string,
  details?: Record<string, unknown>,
  hint?: string,
): CommandFailed => new CommandFailed(flowErrorOf(failure(code, message, { details, hint })))
