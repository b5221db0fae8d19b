/** What one segment says to the operator, and the two names by which its result is known. */
import { randomBytes } from 'node:crypto'
import type { Action } from '../../contracts/action.ts'
import type { Execution } from '../../contracts/execution.ts'
import { EXECUTION_TIMEOUT_MS, NONCE_HEX_CHARS, OPERATOR_PROTOCOL } from '../../contracts/limits.ts'
import type { OperatorRequest } from '../../contracts/operator.ts'

/** The result that is waited for: only what carries both counts. */
export interface Awaited {
  wireId: string
  nonce: string
}

export const wireIdOf = (executionId: string, segment: number): string => `${executionId}.${segment}`

export const freshNonce = (): string => randomBytes(NONCE_HEX_CHARS / 2).toString('hex')

export interface SegmentRequest {
  execution: Execution
  actions: readonly Action[]
  awaited: Awaited
  /** What is left of the execution's time, so that a later segment does not act on after it. */
  timeLeftMs: number
}

export const operatorRequest = ({ execution, actions, awaited, timeLeftMs }: SegmentRequest): OperatorRequest => ({
  ...execution,
  commandId: awaited.wireId,
  timeoutMs: Math.max(EXECUTION_TIMEOUT_MS.min, Math.min(execution.timeoutMs, Math.floor(timeLeftMs))),
  actions: [...actions],
  nonce: awaited.nonce,
  protocol: OPERATOR_PROTOCOL,
})
