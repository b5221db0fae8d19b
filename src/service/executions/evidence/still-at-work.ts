/** Before an execution is sent: the phone may still be at work on the list of one that ended without an answer. */
import { type Doubt, youngDoubts } from '../../../../machines/device/device-doubts.ts'
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import { EVIDENCE_ASK_MS } from '../../../contracts/limits/limits.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { Journal } from '../../../runtime/journal/journal.ts'
import { recordedExecution } from '../recorded.ts'
import type { Learner } from './learn.ts'

const atWork = (deviceId: string, { executionId, busyUntil }: Doubt, step: string): ErrorObject =>
  failure(
    'EXECUTION_CONFLICT_IN_FLIGHT',
    `Device ${deviceId} is still at work on execution ${executionId}, which ended without an answer: it is at step "${step}". Nothing was sent.`,
    {
      details: { deviceId, interrupted: { executionId, step }, dispatched: false },
      hint: `Wait for the device with \`waitMs\`: it is free when the list has ended, at ${new Date(busyUntil).toISOString()} at the latest.`,
    },
  )

export interface AtWorkOptions {
  journal: Pick<Journal, 'receipt' | 'records' | 'last' | 'body'>
  clock: Clock
  learner: Pick<Learner, 'learn'>
  signal?: AbortSignal | undefined
}

/** Asks for the executions that are in doubt, all of them within EVIDENCE_ASK_MS. The refusal where one of them still runs on the phone. */
export const stillAtWork = async (
  deviceId: string,
  context: unknown,
  { journal, clock, learner, signal }: AtWorkOptions,
): Promise<ErrorObject | undefined> => {
  const until = clock.elapsed() + EVIDENCE_ASK_MS
  for (const doubt of youngDoubts(context, clock.now()).toReversed()) {
    const withinMs = until - clock.elapsed()
    const receipt = withinMs > 0 ? journal.receipt(doubt.executionId) : undefined
    if (!receipt) continue
    const answer = await learner.learn(receipt, { withinMs, signal })
    if (answer?.kind !== 'running' || clock.now() >= doubt.busyUntil) continue
    const step = recordedExecution(journal, receipt)?.dispatch.execution.actions[answer.step]?.id ?? ''
    return atWork(deviceId, doubt, step)
  }
  return undefined
}
