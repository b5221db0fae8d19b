/** The error object of the contract's section Errors, and the two ways it is answered. */
import * as v from 'valibot'
import { anyObject, openObject } from '../json/objects.ts'

export const ErrorObject = openObject({
  code: v.string(),
  message: v.string(),
  details: v.exactOptional(anyObject),
  /** Says what to do next, where svc knows it. */
  hint: v.exactOptional(v.string()),
  /** True when the same request may be sent again without doing anything twice. */
  retriable: v.exactOptional(v.boolean()),
})
export type ErrorObject = v.InferOutput<typeof ErrorObject>

export const HttpFailure = openObject({ ok: v.literal(false), error: ErrorObject })

/** Printed on stdout by a command that failed; the process exits 1. */
export const CliFailure = ErrorObject
