/** How everything about skills says no: as a value that holds one row of the failure table. */
import type { ErrorObject } from '../contracts/error.ts'
import { failure } from '../contracts/failures.ts'

export interface Refusal {
  ok: false
  error: ErrorObject
}

export const refuse = (...reason: Parameters<typeof failure>): Refusal => ({ ok: false, error: failure(...reason) })
