/** Before an execution is sent: the phone may still be at work on the list of one that ended without an answer. */
import { youngDoubts } from '../../../../machines/device/device-doubts.ts'
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import { defined } from '../../../contracts/json/json.ts'
import { EVIDENCE_ASK_MS } from '../../../contracts/limits/limits.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { Journal } from '../../../runtime/journal/journal.ts'
import type { Fence } from '../fence.ts'
import { recordedExecution } from '../recorded.ts'
import type { Learner } from './learn.ts'

interface AtWork {
  deviceId: string
  executionId: string
  /** Undefined where the phone could not be asked. */
  step: string | undefined
  /** The host of the fleet that has the execution, where it is another one. */
  host?: string | undefined
  hint: string
}

/** The refusal of whatever is to act on the phone meanwhile. */
export const atWorkOn = ({ deviceId, executionId, step, host, hint }: AtWork): ErrorObject => {
  const whose = host === undefined ? '' : ` of host ${host}`
  const which = `execution ${executionId}${whose}, which ended without an answer`
  const message =
    step === undefined
      ? `Device ${deviceId} may still be at work on ${which}.`
      : `Device ${deviceId} is still at work on ${which}: it is at step "${step}".`
  const interrupted = { executionId, ...defined({ step, host }) }
  const details = { deviceId, interrupted, dispatched: false }
  return failure('EXECUTION_CONFLICT_IN_FLIGHT', `${message} Nothing was sent.`, { details, hint })
}

const hintUntil = (executionId: string, busyUntil: number): string =>
  `See \`GET /executions/${executionId}\` for its steps, or wait for the device with \`waitMs\`: it is free when the list has ended, at ${new Date(busyUntil).toISOString()} at the latest.`

export interface AtWorkOptions {
  journal: Pick<Journal, 'receipt' | 'records' | 'last' | 'body'>
  clock: Clock
  learner: Pick<Learner, 'learn' | 'askFor'>
  fence: Pick<Fence, 'leftOn'>
  signal?: AbortSignal | undefined
}

/** A phone of this host, the key under which it is owned, and the context of its actor. */
export interface DeviceToAsk {
  deviceId: string
  phone: string | undefined
  context: unknown
}

/** True where something has to be asked: most phones are in no doubt. */
export const mayBeLeft = (
  { phone, context }: Omit<DeviceToAsk, 'deviceId'>,
  { fence, clock }: Pick<AtWorkOptions, 'fence' | 'clock'>,
): boolean => youngDoubts(context, clock.now()).length > 0 || (phone !== undefined && fence.leftOn(phone) !== undefined)

/** Asks for the executions that are in doubt, all of them within EVIDENCE_ASK_MS. The refusal where one of them still runs on the phone. */
export const stillAtWork = async (
  { deviceId, phone, context }: DeviceToAsk,
  { journal, clock, learner, fence, signal }: AtWorkOptions,
): Promise<ErrorObject | undefined> => {
  const until = clock.elapsed() + EVIDENCE_ASK_MS
  for (const { executionId, busyUntil } of youngDoubts(context, clock.now()).toReversed()) {
    const withinMs = until - clock.elapsed()
    const receipt = withinMs > 0 ? journal.receipt(executionId) : undefined
    if (!receipt) continue
    const answer = await learner.learn(receipt, { withinMs, signal })
    if (answer?.kind !== 'running' || clock.now() >= busyUntil) continue
    const step = recordedExecution(journal, receipt)?.dispatch.execution.actions[answer.step]?.id ?? ''
    return atWorkOn({ deviceId, executionId, step, hint: hintUntil(executionId, busyUntil) })
  }
  const list = phone === undefined ? undefined : await fence.leftOn(phone)
  const withinMs = until - clock.elapsed()
  if (!list || phone === undefined || withinMs <= 0) return undefined
  const { executionId, host, busyUntil, steps, forget } = list
  const answer = await learner.askFor({ deviceId, phone, executionId }, list, { withinMs, signal })
  if (answer.kind === 'result' || answer.kind === 'unknown') forget()
  if (answer.kind !== 'running' || clock.now() >= busyUntil) return undefined
  return atWorkOn({
    deviceId,
    executionId,
    host,
    step: steps[answer.step] ?? '',
    hint: hintUntil(executionId, busyUntil),
  })
}
