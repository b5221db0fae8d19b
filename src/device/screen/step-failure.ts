/** How one step fails: the engine throws it, and a driver may too when it knows the reason better than `false` can say. */
import type { FailureCode } from '../../contracts/failures/failures.ts'

interface StepFailureExtra {
  /** More entries for the data of the failed step, beside `error` and `message`. */
  data?: Readonly<Record<string, string>>
  /** The remedy, for the caller. */
  hint?: string | undefined
}

/** Ends the step and the list, never the link: whatever else a driver throws ends the whole execution. */
export class StepFailure extends Error {
  readonly code: FailureCode
  readonly data: Readonly<Record<string, string>>
  readonly hint: string | undefined

  /** The reason is one clause without a full stop, as it goes into a sentence. */
  constructor(code: FailureCode, reason: string, extra: StepFailureExtra = {}) {
    super(reason)
    this.name = 'StepFailure'
    this.code = code
    this.data = extra.data ?? {}
    this.hint = extra.hint
  }
}
