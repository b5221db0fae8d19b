/** The request for one segment, and the ids by which its result is known. */
import type { OperatorRequest } from '../../../contracts/device/operator.ts'
import type { Action } from '../../../contracts/executions/action.ts'
import type { Execution } from '../../../contracts/executions/execution.ts'
import { EXECUTION_TIMEOUT_MS, NONCE_HEX_CHARS, OPERATOR_PROTOCOL } from '../../../contracts/limits/limits.ts'
import type { Ids } from '../../../runtime/ids.ts'

/** The result that is waited for: only what carries both counts. */
export interface Awaited {
  wireId: string
  nonce: string
}

export const wireIdOf = (executionId: string, segment: number): string => `${executionId}.${segment}`

/** The random digits of a UUID: all but the dashes, its version and its variant. */
const randomHex = (uuid: string): string =>
  uuid.slice(0, 8) + uuid.slice(9, 13) + uuid.slice(15, 18) + uuid.slice(20, 23) + uuid.slice(24)

/** Node keeps random UUIDs in store; bytes asked for one by one are a call into the system each. */
export const freshNonce = (ids: Pick<Ids, 'instance'>): string =>
  (randomHex(ids.instance()) + randomHex(ids.instance())).slice(0, NONCE_HEX_CHARS)

interface SegmentRequest {
  execution: Execution
  actions: readonly Action[]
  awaited: Awaited
  /** The time left for the execution, so that a later segment does not act beyond it. */
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
