/** Turns an exception of the parts below into the failure that a caller gets, and notes what nobody expected. */
import type { FailureCode } from '../../contracts/failures.ts'
import { describeError, errorOf, isKnownError } from '../../executions/error-of.ts'
import { failed, type Result } from '../service.ts'

/** `what` completes "... failed with an internal error". */
export const answering = async <T>(
  work: () => Promise<Result<T>>,
  { what, note, code = 'INTERNAL_ERROR' }: { what: string; note: (text: string) => void; code?: FailureCode },
): Promise<Result<T>> => {
  try {
    return await work()
  } catch (thrown) {
    if (!isKnownError(thrown)) note(`${what} failed with an internal error: ${describeError(thrown)}`)
    return failed(errorOf(thrown, code))
  }
}
