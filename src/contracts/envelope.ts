/** The ResultEnvelope: as it is answered, and as an operator sends it. */
import * as v from 'valibot'
import { anyObject, dictionary, openObject } from './objects.ts'

export const EnvelopeStatus = v.picklist(['success', 'failed'])
export type EnvelopeStatus = v.InferOutput<typeof EnvelopeStatus>

export const EnvelopeError = openObject({
  code: v.string(),
  message: v.string(),
  details: v.exactOptional(anyObject),
  hint: v.exactOptional(v.string()),
})
export type EnvelopeError = v.InferOutput<typeof EnvelopeError>

export const StepResult = openObject({
  id: v.string(),
  actionType: v.string(),
  success: v.boolean(),
  data: dictionary(v.string()),
})
export type StepResult = v.InferOutput<typeof StepResult>

export const ResultEnvelope = openObject({
  commandId: v.string(),
  taskId: v.string(),
  status: EnvelopeStatus,
  stepResults: v.array(StepResult),
  error: v.nullable(EnvelopeError),
  errorCode: v.exactOptional(v.string()),
})
export type ResultEnvelope = v.InferOutput<typeof ResultEnvelope>

const asString = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** An operator may put other JSON values where the contract has strings. */
export const WireStepResult = openObject({
  ...StepResult.entries,
  data: v.exactOptional(
    v.pipe(
      anyObject,
      v.transform(data => Object.fromEntries(Object.entries(data).map(([key, value]) => [key, asString(value)]))),
    ),
    {},
  ),
})
export type WireStepResult = v.InferOutput<typeof WireStepResult>

/** `commandId` is the wire id of one segment. An error that is a plain string is understood; the host wraps it. */
export const WireEnvelope = openObject({
  ...ResultEnvelope.entries,
  nonce: v.string(),
  stepResults: v.array(WireStepResult),
  error: v.exactOptional(v.nullable(v.union([v.string(), EnvelopeError])), null),
  errorCode: v.exactOptional(v.nullable(v.string())),
})
export type WireEnvelope = v.InferOutput<typeof WireEnvelope>
