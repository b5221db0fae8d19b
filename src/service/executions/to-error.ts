/** Turns an exception into the error of an answer: known failures keep their codes, all others hide their internals. */

import type { ErrorObject } from '../../contracts/failures/error.ts'
import { type FailureCode, failure, isFailureCode } from '../../contracts/failures/failures.ts'
import { LinkError } from '../../device/link/link.ts'
import { JournalError } from '../../runtime/journal/fault.ts'

export const isKnownError = (thrown: unknown): boolean => thrown instanceof JournalError || thrown instanceof LinkError

/** Describes it for the log, which may show internals. */
export const describeError = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return String(thrown)
  return isKnownError(thrown) ? thrown.message : (thrown.stack ?? thrown.message)
}

/** `otherwise` is the code of what nobody foresaw. */
export const errorOf = (thrown: unknown, otherwise: FailureCode): ErrorObject => {
  if (thrown instanceof JournalError) {
    const { message, reason, hint } = thrown
    return failure('JOURNAL_UNAVAILABLE', `${message}.`, { details: { reason }, hint })
  }
  if (thrown instanceof LinkError) {
    if (thrown.code === 'LINK_CANCELLED') {
      const message = 'Interrupted before the devices answered.'
      return failure('EXECUTION_CANCELLED', message, { details: { dispatched: false } })
    }
    // To callers, an unknown error of a link is a failure of the debug bridge.
    return failure(isFailureCode(thrown.code) ? thrown.code : 'ADB_SERVER_FAILED', thrown.message)
  }
  return failure(otherwise, 'An internal error occurred; the log of the server has the details.')
}
