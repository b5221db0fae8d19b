/** How everything about skills says no: as a value that holds one row of the failure table. */
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { type FailureCode, type FailureExtra, failure } from '../../contracts/failures/failures.ts'

export interface Refusal {
  ok: false
  error: ErrorObject
}

/** The limit of a quotation from a file or a frame: nobody reads megabytes of it. */
const SAID_CHARS_MAX = 2_000

const clipped = (text: string): string =>
  text.length > SAID_CHARS_MAX ? `${text.slice(0, SAID_CHARS_MAX).replace(/\p{Cs}$/u, '')}...` : text

export const refuse = (code: FailureCode, message: string, { details, hint }: FailureExtra = {}): Refusal => ({
  ok: false,
  error: failure(code, clipped(message), { details, hint: hint === undefined ? undefined : clipped(hint) }),
})
