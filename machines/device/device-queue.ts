/** The requests that wait for a device, in the order in which they came, and the receipts of those that wait. */
import type { DeviceEvent, LeftBecause } from '../../src/contracts/events/device.ts'
import { QUEUE_EVENTS } from '../../src/contracts/events/device.ts'
import type { ExecutionResult } from '../../src/contracts/executions/execution-result.ts'
import type { Receipt } from '../../src/contracts/executions/receipt.ts'
import { failure } from '../../src/contracts/failures/failures.ts'
import { WAITING_MAX } from '../../src/contracts/limits/limits.ts'
import type { OwnershipHolder, StoredEvent } from '../../src/contracts/records/journal.ts'
import type { Definition, Step } from '../definition.ts'

/** A request that waits for the device. Its payload stays with the process that has it. */
export interface WaitingExecution {
  executionId: string
  commandId: string
  taskId: string
  deviceId: string
  /** When it began to wait. */
  acceptedAt: number
  waitMs: number
  holder: OwnershipHolder
  skillRunId: string | null
  resumes: string | null
  idempotency: { key: string; payload: string } | null
  /** The reservation that it belongs to. Entries of version 2 have none. */
  leaseId?: string | null
}

type Queue = readonly WaitingExecution[]

export const isQueueEvent = ({ type }: StoredEvent): boolean => (QUEUE_EVENTS as readonly string[]).includes(type)

/** The queue of a snapshot; those of version 1 have none. */
export const queueOf = (snapshot: { context: unknown } | undefined): Queue =>
  (snapshot?.context as { queue?: Queue } | undefined)?.queue ?? []

/** 1 for the request whose turn is next; undefined for one that does not wait. */
export const placeIn = (queue: Queue, executionId: string): number | undefined =>
  queue.findIndex(one => one.executionId === executionId) + 1 || undefined

/** Those that may have their turn: while the phone is reserved, the requests of that reservation alone. */
export const inTurn = (queue: Queue, reservedBy: string | undefined): Queue =>
  reservedBy === undefined ? queue : queue.filter(({ leaseId }) => leaseId === reservedBy)

/** A free device takes the first that waits and no other; one that has left the queue runs never. */
export const mayRun = (queue: Queue = [], event: DeviceEvent): boolean => {
  if (event.type !== 'execution.requested') return false
  // Recorded only while its reservation holds the phone, which keeps all others from it.
  const line = inTurn(queue, event.leaseId)
  return line.length === 0 ? event.waited !== true : line[0]?.executionId === event.executionId
}

/** The first of those behind which the request would have to wait. */
export const firstBefore = (queue: Queue = [], event: DeviceEvent): WaitingExecution | undefined =>
  inTurn(queue, event.type === 'execution.requested' ? event.leaseId : undefined)[0]

export const mayJoin = (
  { current, queue = [] }: { current: { executionId: string } | null; queue?: Queue },
  event: DeviceEvent,
): boolean =>
  event.type === 'execution.queued' &&
  queue.length < WAITING_MAX &&
  current?.executionId !== event.executionId &&
  !queue.some(({ executionId }) => executionId === event.executionId)

const NOBODY: Queue = []

export const queueAfter = (queue: Queue = NOBODY, event: DeviceEvent): Queue => {
  if (event.type === 'execution.queued') {
    const { executionId, commandId, taskId, deviceId, waitMs, holder, at } = event
    const { skillRunId = null, resumes = null, idempotency = null, leaseId = null } = event
    const named = { executionId, commandId, taskId, deviceId, skillRunId, resumes, idempotency, leaseId }
    return [...queue, { ...named, acceptedAt: at, waitMs, holder }]
  }
  if (queue.length === 0 || (event.type !== 'execution.left' && event.type !== 'execution.requested')) return queue
  return queue.filter(({ executionId }) => executionId !== event.executionId)
}

/** By the wall clock, which may have been set meanwhile. Null for a request that did not wait. */
export const waitedMs = (queue: Queue = NOBODY, event: DeviceEvent): number | null => {
  if (event.type !== 'execution.requested' || queue.length === 0) return null
  const waiting = queue.find(({ executionId }) => executionId === event.executionId)
  return waiting ? Math.max(0, event.at - waiting.acceptedAt) : null
}

type Left = Pick<WaitingExecution, 'executionId' | 'deviceId' | 'commandId' | 'acceptedAt' | 'holder'>

const REASONS: Readonly<Record<LeftBecause, string>> = {
  overdue: 'The device did not become free in time',
  cancelled: 'The execution was cancelled while it waited for its device',
  gone: 'The process that had the request ended while it waited for its device',
  missed: 'The device was free, and the process that had the request did not take it in time',
  refused: 'The execution was refused when its turn had come',
}

const CODES = {
  overdue: 'EXECUTION_CONFLICT_IN_FLIGHT',
  cancelled: 'EXECUTION_CANCELLED',
  gone: 'EXECUTION_INTERRUPTED',
  missed: 'EXECUTION_CONFLICT_IN_FLIGHT',
  refused: 'EXECUTION_CONFLICT_IN_FLIGHT',
} as const satisfies Record<LeftBecause, string>

/** The answer to a request that left the queue, where its own process has not given another one. */
export const leftResult = (
  { executionId, deviceId, commandId, acceptedAt: since, holder: { pid } }: Left,
  why: LeftBecause,
): ExecutionResult => ({
  ok: false,
  error: failure(CODES[why], `${REASONS[why]}; nothing was sent to the device.`, {
    details: {
      executionId,
      deviceId,
      ...(why === 'cancelled' ? { holder: { pid, executionId, commandId, since } } : {}),
      dispatched: false,
    },
    hint: 'Nothing runs under this id any more: to run it, send it again under a new id.',
  }),
})

const entryOf = (snapshot: Step['before'], executionId: unknown): WaitingExecution | undefined =>
  queueOf(snapshot).find(one => one.executionId === executionId)

/** The receipt of a request that joins or leaves the queue. Who leaves frees the Idempotency-Key. */
export const waitingReceipt: NonNullable<Definition['receipt']> = ({ before, event, after }) => {
  const [was, is] = [entryOf(before, event.executionId), entryOf(after, event.executionId)]
  const waiting = is ?? was
  if (!waiting || (was && is)) return undefined
  const { executionId, commandId, taskId, deviceId, skillRunId, resumes, acceptedAt, idempotency } = waiting
  const receipt: Receipt & { skillRunId?: string } = {
    executionId,
    commandId,
    taskId,
    deviceId,
    state: 'waiting',
    ...(resumes === null ? {} : { resumes }),
    ...(skillRunId === null ? {} : { skillRunId }),
    accepted: false,
    acceptedAt,
  }
  if (is) return { ...receipt, ...(idempotency ? { idempotency } : {}) }
  const { why } = event as DeviceEvent & { type: 'execution.left' }
  return {
    ...receipt,
    state: 'settled',
    settledAt: event.at,
    waitedMs: Math.max(0, event.at - acceptedAt),
    result: (event.body as ExecutionResult | undefined) ?? leftResult(waiting, why),
  }
}
