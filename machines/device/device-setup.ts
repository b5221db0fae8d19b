/** The context, ports, actions and guards of the device machine. */
import { assign, emit, sendTo, setup } from 'xstate'
import type { DeviceEvent } from '../../src/contracts/events/device.ts'
import { ENVELOPE_GRACE_MS, LATE_ANSWER_MS } from '../../src/contracts/limits/limits.ts'
import { type DeadlineInput, ignore, port } from '../port.ts'
import { answerTo, type CurrentExecution, dispatchedAt } from './device-answers.ts'
import { type Doubt, doubtsAfterEnd, doubtsAfterEvidence, isNews, sentSegment } from './device-doubts.ts'
import { firstBefore, mayJoin, mayRun, queueAfter, type WaitingExecution, waitedMs } from './device-queue.ts'

interface DeviceContext {
  serial: string
  current: CurrentExecution | null
  /** First come, first served. Contexts of version 1 have none. */
  queue?: readonly WaitingExecution[]
  /** The newest last. Contexts of version 3 have none. */
  doubts?: readonly Doubt[]
}

export interface OperatorInput {
  executionId: string
  /** The body of `execution.requested`. */
  body: unknown
  /** Nothing leaves for the device after this unless something has left before. */
  acceptUntil: number
  /** The executions before it that are in doubt: the phone is asked for them first. */
  doubts: readonly Doubt[]
}

export type DeviceEmitted =
  | { type: 'execution.accepted'; executionId: string }
  | {
      type: 'execution.refused'
      executionId: string
      /** The execution that has the device, or the first that waits for it. */
      holder: CurrentExecution | WaitingExecution | null
    }
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
              waitedMs: waitedMs(context.queue, event),
              dispatchedAt: null,
              sent: null,
            },
      queue: ({ context, event }) => queueAfter(context.queue, event),
    }),
    join: assign({ queue: ({ context, event }) => queueAfter(context.queue, event) }),
    leave: assign({ queue: ({ context, event }) => queueAfter(context.queue, event) }),
    confirm: emit(({ event }) => ({
      type: 'execution.accepted' as const,
      executionId: event.type === 'execution.requested' ? event.executionId : '',
    })),
    refuse: emit(({ context, event }) => ({
      type: 'execution.refused' as const,
      executionId: 'executionId' in event ? event.executionId : '',
      holder: context.current ?? firstBefore(context.queue, event) ?? null,
    })),
    markDispatched: assign({
      current: ({ context: { current }, event }) =>
        current && event.type === 'execution.dispatched'
          ? { ...current, dispatchedAt: current.dispatchedAt ?? event.at, sent: sentSegment(event) }
          : current,
    }),
    answer: emit(({ context, event }) => ({
      type: 'execution.answered' as const,
      executionId: context.current?.executionId ?? '',
      by: event.type,
      result: answerTo(event, context.current),
      dispatched: dispatchedAt(event, context.current) !== null,
    })),
    tellOperator: sendTo('operator', ({ event }) => event),
    release: assign({
      current: null,
      doubts: ({ context, event }) => doubtsAfterEnd(context.doubts, context.current, event),
    }),
    learn: assign({ doubts: ({ context, event }) => doubtsAfterEvidence(context.doubts, event) }),
    ignore,
  },
  guards: {
    isCurrent: ({ context, event }) => 'executionId' in event && event.executionId === context.current?.executionId,
    mayRun: ({ context, event }) => mayRun(context.queue, event),
    mayJoin: ({ context, event }) => mayJoin(context, event),
    isNews: ({ context, event }) => isNews(context.doubts, event),
    isWaiting: ({ context, event }) =>
      event.type === 'execution.left' && context.queue?.some(one => one.executionId === event.executionId) === true,
  },
})
