/** The answers of the execution endpoints: the contract's Execution result. */
import * as v from 'valibot'
import { ResultEnvelope } from './envelope.ts'
import { HttpFailure } from './error.ts'
import { openObject } from './objects.ts'
import { Observed } from './screen.ts'

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
  observed: v.exactOptional(Observed),
})
export type ExecutionSuccess = v.InferOutput<typeof ExecutionSuccess>

export const ExecutionResult = v.variant('ok', [ExecutionSuccess, HttpFailure])
export type ExecutionResult = v.InferOutput<typeof ExecutionResult>
