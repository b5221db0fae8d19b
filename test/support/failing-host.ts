/** What the tests of failures share: a host on one fake device, and how far to go for its answer. */
import type { ErrorObject } from '../../src/contracts/error.ts'
import { type OperatorHost, operatorHost } from './operator-host.ts'
import { sleepStep } from './operator-samples.ts'

/** Of the executions that the tests start, unless they say otherwise. */
export const TIMEOUT_MS = 30_000
export const GRACE_MS = 5_000
const LATE_MS = 2_000
export const step = [sleepStep('a')]
export const ways = ['broadcast', 'socket'] as const

export const hostWith = (operator: OperatorHost['device']['operator'] = 'broadcast'): OperatorHost => {
  const host = operatorHost()
  host.device.operator = operator
  return host
}

export const errorOf = (run: ReturnType<OperatorHost['start']>): ErrorObject | undefined =>
  run.outcome?.result.ok === false ? run.outcome.result.error : undefined

/** Moves on second by second to just after the machine's wait, and the last look that it grants. */
export const toDeadline = async (host: OperatorHost): Promise<void> => {
  for (let second = 0; second < (TIMEOUT_MS + GRACE_MS) / 1_000; second++) await host.later(1_000)
  await host.later(LATE_MS - 1)
}
