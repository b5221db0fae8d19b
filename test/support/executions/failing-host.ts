/** What the tests of failures share: a host on one fake device, and how far to go for its answer. */
import type { ErrorObject } from '../../../src/contracts/failures/error.ts'
import { type OperatorHost, operatorHost } from '../device/operator-host.ts'
import { sleepStep } from '../device/operator-samples.ts'

/** Of the executions that the tests start, unless they say otherwise. */
export const TIMEOUT_MS = 30_000
export const GRACE_MS = 5_000
export const step = [sleepStep('a')]
export const ways = ['broadcast', 'socket'] as const

export const hostWith = (operator: OperatorHost['device']['operator'] = 'broadcast'): OperatorHost => {
  const host = operatorHost()
  host.device.operator = operator
  return host
}

export const errorOf = (run: ReturnType<OperatorHost['start']>): ErrorObject | undefined =>
  run.outcome?.result.ok === false ? run.outcome.result.error : undefined

/** Moves on to the end of the machine's wait. */
export const toDeadline = async (host: OperatorHost): Promise<void> => {
  await host.later(TIMEOUT_MS + GRACE_MS)
}
