/** The answer of an execution for each way it can end, and its receipt for each step of the device machine. */
import type { AnyMachineSnapshot } from 'xstate'
import type { DeviceEvent } from '../../src/contracts/events/device.ts'
import type { ExecutionResult } from '../../src/contracts/executions/execution-result.ts'
import { type Receipt, unknownOutcomeHint } from '../../src/contracts/executions/receipt.ts'
import { failure } from '../../src/contracts/failures/failures.ts'
import type { StoredEvent } from '../../src/contracts/records/journal.ts'
import type { Definition } from '../definition.ts'
import { isQueueEvent, waitingReceipt } from './device-queue.ts'

/** The execution that the device is busy with. Its payload travels on the event, never in here. */
export interface CurrentExecution {
  executionId: string
  commandId: string
  taskId: string
  deviceId: string
  operatorPackage: string | null
  skillRunId: string | null
  resumes: string | null
  timeoutMs: number
  acceptedAt: number
  acceptUntil: number
  answerUntil: number
  idempotency: { key: string; payload: string } | null
  listener: string | null
  /** How long it waited for the device; null for one that did not wait. */
  waitedMs: number | null
  dispatchedAt: number | null
  /** The newest segment that was sent. Contexts of version 3 have none. */
  sent?: SentSegment | null
}

export interface SentSegment {
  segment: number
  /** The step of the list with which it begins. */
  step: number
  /** By which the operator app can be asked for its result; null where the host performs it. */
  nonce: string | null
}

/** Every failure after the acceptance says whether the request was sent, and, where it was, what to do next. */
const failed = (
  code: Parameters<typeof failure>[0],
  message: string,
  details: { executionId: string; dispatched: boolean } & Record<string, unknown>,
) => ({
  ok: false as const,
  error: failure(code, message, {
    details,
    ...(details.dispatched ? { hint: unknownOutcomeHint(details.executionId) } : {}),
  }),
})

/** The result that the caller gets; an envelope is passed on as the operator port reported it. */
export const answerTo = (event: DeviceEvent, current: CurrentExecution | null): ExecutionResult => {
  const dispatched = current?.dispatchedAt != null
  const executionId = current?.executionId ?? ''
  const doubt = dispatched ? 'it may have executed' : 'nothing was sent to the device'
  switch (event.type) {
    case 'execution.settled':
      return event.body as ExecutionResult
    case 'execution.cancelled':
      return failed('EXECUTION_CANCELLED', `The execution was cancelled; ${doubt}.`, { executionId, dispatched })
    case 'execution.interrupted':
      return failed(
        'EXECUTION_INTERRUPTED',
        `The host ended before the result arrived; ${event.dispatched ? 'it may have executed' : 'nothing was sent to the device'}.`,
        { executionId, dispatched: event.dispatched },
      )
    case 'deadline.passed':
      return dispatched
        ? failed('RESULT_ENVELOPE_TIMEOUT', `No result envelope arrived in time; ${doubt}.`, {
            executionId,
            dispatched,
            commandId: current?.commandId,
            dispatchedAt: current?.dispatchedAt,
            elapsedMs: Math.max(0, event.at - (current?.dispatchedAt ?? event.at)),
            lastLogLines: [],
          })
        : failed('DEVICE_LINK_LOST', 'The link to the device did not open in time; nothing was sent to the device.', {
            executionId,
            dispatched,
          })
    default:
      return failed(
        'INTERNAL_ERROR',
        `The driver failed (${event.type === 'port.failed' ? event.message : event.type}); ${doubt}.`,
        {
          executionId,
          dispatched,
        },
      )
  }
}

/** When the first segment left, unless the device has refused it: then nothing was dispatched after all. */
export const dispatchedAt = (event: StoredEvent, current: CurrentExecution | null): number | null =>
  event.type === 'execution.settled' && event.dispatched === false ? null : (current?.dispatchedAt ?? null)

const currentOf = (snapshot: AnyMachineSnapshot | undefined) =>
  (snapshot?.context as { current: CurrentExecution | null } | undefined)?.current ?? null

/** True in the states whose end is what the receipt waits for; a draining execution was answered already. */
const isOpen = (snapshot: AnyMachineSnapshot | undefined) =>
  snapshot?.matches('running') === true && !snapshot.matches({ running: 'draining' })

/** The receipt that a step opens, marks dispatched or settles; nothing for a step that changes none. */
export const receiptOf: NonNullable<Definition['receipt']> = ({ before, event, after }) => {
  if (isQueueEvent(event)) return waitingReceipt({ before, event, after })
  const was = isOpen(before)
  const is = isOpen(after)
  const current = currentOf(is ? after : before)
  if (!current || (!was && !is)) return undefined
  const wasDispatched = currentOf(before)?.dispatchedAt != null
  if (was && is && wasDispatched === (current.dispatchedAt !== null)) return undefined
  const left = dispatchedAt(event, current)
  const receipt: Receipt = {
    executionId: current.executionId,
    commandId: current.commandId,
    taskId: current.taskId,
    deviceId: current.deviceId,
    ...(current.operatorPackage == null ? {} : { operatorPackage: current.operatorPackage }),
    state: is ? (current.dispatchedAt === null ? 'accepted' : 'dispatched') : 'settled',
    ...(current.resumes == null ? {} : { resumes: current.resumes }),
    acceptedAt: current.acceptedAt,
    ...(current.waitedMs == null ? {} : { waitedMs: current.waitedMs }),
    ...(left === null ? {} : { dispatchedAt: left }),
  }
  const { skillRunId, idempotency } = current
  const stored = { ...receipt, ...(skillRunId === null ? {} : { skillRunId }), ...(idempotency ? { idempotency } : {}) }
  if (is) return stored
  return {
    ...stored,
    state: event.type === 'execution.interrupted' ? 'interrupted' : 'settled',
    settledAt: event.at,
    result: answerTo(event as DeviceEvent, current),
  }
}

/** The outcome of the execution that a step has answered, if it came through a listener. */
export const outcomeOf: NonNullable<Definition['outcome']> = ({ before, after }) => {
  const ended = isOpen(before) && !isOpen(after) ? currentOf(before) : null
  return ended?.listener ? { listener: ended.listener, executionId: ended.executionId } : undefined
}

/** The event that recovery records for an execution whose host died. */
export const interruptedDevice: Definition['interrupted'] = (snapshot, at, boot) => {
  const current = currentOf(snapshot)
  const dispatched = current?.dispatchedAt != null
  return {
    type: 'execution.interrupted',
    at,
    executionId: current?.executionId ?? '',
    dispatched,
    ...(dispatched && boot !== undefined ? { boot } : {}),
  }
}
