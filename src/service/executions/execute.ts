/** One execution, from a valid payload to its result: choose the device, own it, journal it, hand it to the operator. */

import type { DeviceEmitted } from '../../../machines/device/device-setup.ts'
import type { ExecutionResult } from '../../contracts/executions/execution-result.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { defined } from '../../contracts/json/json.ts'
import { ENVELOPE_GRACE_MS } from '../../contracts/limits/limits.ts'
import { isReservation } from '../../contracts/reservation-grant.ts'
import type { Links } from '../../device/link/links.ts'
import type { OwnershipKeyKind } from '../../device/link/select-device.ts'
import type { OperatorChoice } from '../../device/operators/choose-operator.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import type { Host } from '../../runtime/host.ts'
import type { Ids } from '../../runtime/ids.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import { endIfOverdue } from '../reservations/end-expired.ts'
import { leaseRefusal, type ReservationSource, reservedConflict } from '../reservations/read-reservation.ts'
import { unlessReserved } from '../reservations/unless-reserved.ts'
import { withKnownSteps } from './completed-steps.ts'
import type { Dispatch } from './dispatch.ts'
import type { AtWorkOptions } from './evidence/still-at-work.ts'
import type { ExecutionPolicy } from './execution-policy.ts'
import type { Fence } from './fence.ts'
import type { Executed, ExecutionOrder } from './order.ts'
import { namedDevice, prepareDispatch } from './prepare.ts'
import { cancelledEarly, conflictWith, createRefusalPace, isForQueue, unanswered, unlessCancelled } from './refusals.ts'
import { type Attempt, createWaiting } from './waiting/waiting.ts'
import type { WaitingRooms } from './waiting/waiting-room.ts'

export interface ExecutorOptions {
  host: Host
  journal: Pick<Journal, 'receipt' | 'last' | 'records' | 'body' | 'leases'>
  links: Links
  clock: Clock
  ids: Ids
  leaseBy: OwnershipKeyKind
  operatorChoice: OperatorChoice
  policy: ExecutionPolicy
  fence: Fence
  /** Asks for executions that are in doubt. */
  learner: AtWorkOptions['learner']
  /** The queues of the devices. */
  rooms: WaitingRooms
}

/** The answer to a request that was cancelled before it was accepted; the process that had it is its holder. */
export const cancelledRequest = (
  { executionId, deviceId, execution: { commandId } }: Pick<ExecutionOrder, 'executionId' | 'deviceId' | 'execution'>,
  { pid, since }: { pid: number; since: number },
): ErrorObject => {
  const named = executionId === undefined ? {} : { executionId }
  return cancelledEarly({ ...named, deviceId, holder: { pid, ...named, commandId, since } })
}

interface Terms {
  executionId: string
  /** When the caller is answered. */
  answerUntil: number
  reservations: ReservationSource
}

/** An execution as its device is asked for it, and the actor that takes it. */
const requestFor = (order: ExecutionOrder, dispatch: Dispatch, { executionId, answerUntil, reservations }: Terms) => {
  const { commandId, taskId, timeoutMs } = order.execution
  const { serial, phone: ownershipKey = serial, operatorPackage } = dispatch
  const { skillRunId, resumes, idempotency, listener, waited, leaseId } = order
  const target = {
    id: `device:${serial}`,
    machine: 'device',
    input: { serial },
    ownershipKey,
    note: { executionId, commandId },
    unless: unlessReserved(ownershipKey, leaseId, reservations),
  }
  const requested = {
    type: 'execution.requested',
    executionId,
    commandId,
    taskId,
    deviceId: serial,
    operatorPackage,
    timeoutMs,
    acceptUntil: answerUntil - timeoutMs,
    answerUntil,
    ...defined({ skillRunId, resumes, idempotency, listener, waited, leaseId }),
    body: dispatch,
  }
  return { target, requested }
}

/** The machine answers within its own limits; this is for where that fails. */
const UNANSWERED_MS = 500

export const createExecutor = (options: ExecutorOptions) => {
  const { host, journal, clock, ids, operatorChoice } = options
  const begin = prepareDispatch(options)
  const paceOf = createRefusalPace(clock)
  const { rooms } = options
  const wait = createWaiting({ host, journal, clock, rooms })

  /** Waits for the turn of a refusal; false when the caller has cancelled by then. */
  const turnToRefuse = async ({ cancel, answerBy }: ExecutionOrder, deviceId: string): Promise<boolean> => {
    const leftMs = (answerBy ?? Number.POSITIVE_INFINITY) - clock.elapsed()
    const waitMs = Math.min(paceOf(deviceId), leftMs)
    if (waitMs > 0) await pause(clock, waitMs, cancel)
    return cancel?.aborted !== true
  }

  /** Says that the device is busy, and by which key it is owned; nothing is recorded then. */
  const attempt = async (order: ExecutionOrder): Promise<Attempt> => {
    const { execution, cancel } = order
    const since = clock.now()
    const cancelled = (where: Pick<Executed, 'deviceId'>): Attempt => ({
      executed: {
        ...where,
        result: { ok: false, error: cancelledRequest({ ...order, ...where }, { pid: host.holder.pid, since }) },
      },
    })
    const begun = await unlessCancelled(begin(order), cancel)
    if (!begun) return cancelled(namedDevice(order))
    if (!begun.ok) {
      const { ok: _, ownershipKey, ...executed } = begun
      const { deviceId = '' } = executed
      if (ownershipKey === undefined) return { executed }
      if (order.waitMs) return { executed, busy: { deviceId, ownershipKey } }
      return (await turnToRefuse(order, deviceId)) ? { executed } : cancelled({ deviceId })
    }
    if (order.leave?.aborted) return cancelled({ deviceId: begun.dispatch.serial })
    const { dispatch, link } = begun
    const { serial: deviceId, phone: ownershipKey = deviceId } = dispatch
    const now = clock.now()
    const leftMs = (order.answerBy ?? Number.POSITIVE_INFINITY) - clock.elapsed()
    const answerUntil = now + Math.floor(Math.min(execution.timeoutMs + ENVELOPE_GRACE_MS, leftMs))
    const executionId = order.executionId ?? ids.at(now)
    const { target, requested } = requestFor(order, dispatch, { executionId, answerUntil, reservations: options })
    order.onRequested?.({ executionId, deviceId })
    const outcome = await host.ask<DeviceEmitted>(target, requested, {
      matches: emitted => emitted.type !== 'execution.accepted' && emitted.executionId === executionId,
      until: answerUntil + UNANSWERED_MS,
      withdrawal: cancel && { signal: cancel, event: { type: 'execution.cancelled', executionId } },
    })
    if (outcome.kind === 'withdrawn') return cancelled({ deviceId })
    if (outcome.kind === 'answered' && outcome.emitted.type === 'execution.answered') {
      const result = outcome.emitted.result as ExecutionResult
      if (order.operatorPackage == null && lacksOperator(result)) operatorChoice.forget(link)
      return { executed: { executionId, deviceId, result: endedResult(result, executionId, journal) } }
    }
    if (outcome.kind === 'unrecorded' && outcome.error.reason === 'unheld')
      return {
        executed: { deviceId, result: { ok: false, error: leaseRefusal(order.leaseId ?? '', deviceId, options) } },
      }
    if (outcome.kind === 'held' && isReservation(outcome.lease) && (await endIfOverdue(outcome.lease, options)))
      return attempt(order)
    const conflict =
      outcome.kind === 'held' && isReservation(outcome.lease)
        ? reservedConflict(deviceId, outcome.lease, options)
        : conflictWith(outcome, deviceId, host.holder.pid, journal)
    if (conflict) {
      const busy = { deviceId, ownershipKey, isPromised: isForQueue(outcome) }
      return { executed: { deviceId, result: { ok: false, error: conflict } }, busy }
    }
    const error = unanswered(outcome, executionId, journal)
    const filed = outcome.kind === 'unrecorded' ? {} : { executionId }
    return { executed: { ...filed, deviceId, result: { ok: false, error } } }
  }

  /** A device that is free is not for those that come while others wait, unless all of these are dead. */
  const unlessDead = async (order: ExecutionOrder, { executed, busy }: Attempt): Promise<Attempt> => {
    if (!busy?.isPromised || !(await rooms.settleDead(busy.deviceId).catch(() => false))) return { executed, busy }
    return attempt(order)
  }

  return async (order: ExecutionOrder): Promise<Executed> => {
    const { waitMs } = order
    if (!waitMs) {
      const first = await attempt(order)
      return (first.busy ? await unlessDead(order, first) : first).executed
    }
    // The execution has its id at once, by which it can be cancelled while it waits.
    const { executionId = ids.at(clock.now()), onRequested } = order
    let isTold = false
    // Each attempt says it, and the caller hears it once.
    const tellOnce: typeof onRequested = requested => {
      if (!isTold) onRequested?.(requested)
      isTold = true
    }
    const waiting = { ...order, waitMs, executionId, onRequested: tellOnce }
    const { executed, busy } = await unlessDead(waiting, await attempt(waiting))
    return busy ? wait(waiting, { executed, busy }, attempt) : executed
  }
}

/** Only a failure is looked into. */
const endedResult = (
  result: ExecutionResult,
  executionId: string,
  journal: ExecutorOptions['journal'],
): ExecutionResult => (result.ok ? result : { ...result, error: withKnownSteps(result.error, executionId, journal) })

const LACKING_OPERATOR: readonly (string | undefined)[] = [
  'OPERATOR_NOT_INSTALLED',
  'OPERATOR_START_FAILED',
  'EXECUTION_ACTION_UNSUPPORTED',
]

const lacksOperator = (result: ExecutionResult): boolean =>
  LACKING_OPERATOR.includes(result.ok ? result.envelope.errorCode : result.error.code)

export type Executor = ReturnType<typeof createExecutor>
