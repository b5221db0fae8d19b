/**
 * The context, ports, actions and guards of the device machine, with the answer and the receipt of an execution for
 * each way it can end.
 */
import { type AnyMachineSnapshot, assign, emit, sendTo, setup } from 'xstate'
import type { DeviceEvent } from '../src/contracts/events/device.ts'
import type { ExecutionResult } from '../src/contracts/execution-result.ts'
import { failure } from '../src/contracts/failures.ts'
import type { StoredEvent } from '../src/contracts/journal.ts'
import { ENVELOPE_GRACE_MS, LATE_ANSWER_MS } from '../src/contracts/limits.ts'
import { type Receipt, unknownOutcomeHint } from '../src/contracts/receipt.ts'
import type { Definition } from './definition.ts'
import { type DeadlineInput, port } from './port.ts'

/** The execution that the device is busy with. Its payload travels on the event, never in here. */
interface CurrentExecution {
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
  dispatchedAt: number | null
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
const answerTo = (event: DeviceEvent, current: CurrentExecution | null): ExecutionResult => {
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
export const interruptedDevice: Definition['interrupted'] = (snapshot, at) => {
  const current = currentOf(snapshot)
  return {
    type: 'execution.interrupted',
    at,
    executionId: current?.executionId ?? '',
    dispatched: current?.dispatchedAt != null,
  }
}

interface DeviceContext {
  serial: string
  current: CurrentExecution | null
}

export interface OperatorInput {
  executionId: string
  /** The body of `execution.requested`. */
  body: unknown
  /** Nothing leaves for the device after this unless something has left before. */
  acceptUntil: number
}

export type DeviceEmitted =
  | { type: 'execution.accepted'; executionId: string }
  | { type: 'execution.refused'; executionId: string; holder: CurrentExecution | null }
  | { type: 'execution.answered'; executionId: string; by: DeviceEvent['type']; result: unknown; dispatched: boolean }

/** When the caller is answered, whatever has become of the execution. Older histories do not say it. */
const answerDeadline = (current: CurrentExecution | null) =>
  current?.answerUntil || (current?.acceptedAt ?? 0) + (current?.timeoutMs ?? 0) + ENVELOPE_GRACE_MS

/** A wall clock that was set between the request and its record makes no wait longer than an execution can last. */
const sinceAccepted = (current: CurrentExecution | null, until: number): DeadlineInput => {
  const { acceptedAt = 0, timeoutMs = 0 } = current ?? {}
  return { since: acceptedAt, ms: Math.min(until - acceptedAt, timeoutMs + ENVELOPE_GRACE_MS) }
}

/** When an execution that was not dispatched is given up. */
export const acceptDeadline = (current: CurrentExecution | null): DeadlineInput =>
  sinceAccepted(current, current?.acceptUntil ?? 0)

/** When the operator port is asked for what it has seen, if no envelope has come. */
export const dispatchDeadline = (current: CurrentExecution | null): DeadlineInput => {
  const { since, ms } = sinceAccepted(current, answerDeadline(current))
  return { since, ms: ms - LATE_ANSWER_MS }
}

export const deviceSetup = setup({
  types: {
    context: {} as DeviceContext,
    events: {} as DeviceEvent,
    input: {} as { serial: string },
    emitted: {} as DeviceEmitted,
    tags: {} as 'in-flight',
  },
  actors: {
    operator: port<OperatorInput>('operator'),
    deadline: port<DeadlineInput>('deadline'),
  },
  actions: {
    accept: assign({
      current: ({ context, event }) =>
        event.type !== 'execution.requested'
          ? context.current
          : {
              executionId: event.executionId,
              commandId: event.commandId,
              taskId: event.taskId,
              deviceId: event.deviceId,
              skillRunId: event.skillRunId ?? null,
              resumes: event.resumes ?? null,
              timeoutMs: event.timeoutMs,
              acceptedAt: event.at,
              acceptUntil: event.acceptUntil,
              answerUntil: event.answerUntil ?? 0,
              idempotency: event.idempotency ?? null,
              operatorPackage: event.operatorPackage ?? null,
              listener: event.listener ?? null,
              dispatchedAt: null,
            },
    }),
    confirm: emit(({ event }) => ({
      type: 'execution.accepted' as const,
      executionId: event.type === 'execution.requested' ? event.executionId : '',
    })),
    refuse: emit(({ context, event }) => ({
      type: 'execution.refused' as const,
      executionId: event.type === 'execution.requested' ? event.executionId : '',
      holder: context.current,
    })),
    markDispatched: assign({
      current: ({ context, event }) => context.current && { ...context.current, dispatchedAt: event.at },
    }),
    answer: emit(({ context, event }) => ({
      type: 'execution.answered' as const,
      executionId: context.current?.executionId ?? '',
      by: event.type,
      result: answerTo(event, context.current),
      dispatched: dispatchedAt(event, context.current) !== null,
    })),
    tellOperator: sendTo('operator', ({ event }) => event),
    release: assign({ current: null }),
    ignore: () => {},
  },
  guards: {
    isCurrent: ({ context, event }) => 'executionId' in event && event.executionId === context.current?.executionId,
  },
})
