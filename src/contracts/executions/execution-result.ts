/** The result of an execution: the envelope, the answer of the execution endpoints, and the output of device commands. */
import * as v from 'valibot'
import { ObservedScreen } from '../device/screen.ts'
import { HttpFailure } from '../failures/error.ts'
import { anyObject, dictionary, openObject } from '../json/objects.ts'
import { count } from '../json/scalars.ts'
import { Action } from './action.ts'
import { Execution } from './execution.ts'

export const EnvelopeStatus = v.picklist(['success', 'failed'])

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

export const TERMINAL_SOURCE = 'svc_result'

/** Its envelope may have failed all the same: `envelope.status` says so. */
export const ExecutionSuccess = openObject({
  ok: v.literal(true),
  deviceId: v.string(),
  terminalSource: v.literal(TERMINAL_SOURCE),
  /** The operator that carried it out. */
  operatorPackage: v.exactOptional(v.string()),
  envelope: ResultEnvelope,
  /** Describes the screen after the execution, for a caller who asked for it. */
  observed: v.exactOptional(ObservedScreen),
})
export type ExecutionSuccess = v.InferOutput<typeof ExecutionSuccess>

export const ExecutionResult = v.variant('ok', [ExecutionSuccess, HttpFailure])
export type ExecutionResult = v.InferOutput<typeof ExecutionResult>

export const DeviceCommandOutput = openObject({
  envelope: ResultEnvelope,
  deviceId: v.string(),
  terminalSource: v.literal(TERMINAL_SOURCE),
  isCanonicalTerminal: v.literal(true),
  /** Names its receipt. */
  executionId: v.exactOptional(v.string()),
  observed: v.exactOptional(ObservedScreen),
})
export type DeviceCommandOutput = v.InferOutput<typeof DeviceCommandOutput>

export const ValidateOnlyOutput = openObject({ ok: v.literal(true), validated: v.literal(true), execution: Execution })
export type ValidateOnlyOutput = v.InferOutput<typeof ValidateOnlyOutput>

export const DryRunOutput = openObject({
  ok: v.literal(true),
  dryRun: v.literal(true),
  plan: openObject({
    commandId: v.string(),
    timeoutMs: count,
    actionCount: count,
    actions: v.array(Action),
  }),
})
export type DryRunOutput = v.InferOutput<typeof DryRunOutput>
