/** One execution, from a valid payload to its result: choose the device, own it, journal it, hand it to the operator. */

import type { DeviceEmitted } from '../../../machines/device/device-setup.ts'
import type { ExecutionResult } from '../../contracts/executions/execution-result.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
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
import { leaseRefusal, reservedConflict } from '../reservations/read-reservation.ts'
import { withKnownSteps } from './completed-steps.ts'
import type { Executed, ExecuteRequest } from './order.ts'
import type { ExecutionPolicy } from './execution-policy.ts'
import type { Fence } from './fence.ts'
import { namedDevice, prepareDispatch } from './prepare.ts'
import { cancelledEarly, conflictWith, isForQueue, unanswered, unlessCancelled } from './refusals.ts'
import { requestFor } from './request-event.ts'
import { createRefusalPace } from './waiting/busy-device.ts'
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
  /** The queues of the devices. */
  rooms: WaitingRooms
}

/** The answer to a request that was cancelled before it was accepted; the process that had it is its holder. */
export const cancelledRequest = (
  { executionId, deviceId, execution: { commandId } }: Pick<ExecuteRequest, 'executionId' | 'deviceId' | 'execution'>,
  { pid, since }: { pid: number; since: number },
): ErrorObject => {
  const named = executionId === undefined ? {} : { executionId }
  return cancelledEarly({ ...named, deviceId, holder: { pid, ...named, commandId, since } })
}

/** The machine answers within its own limits; this is for where that fails. */
const UNANSWERED_MS = 500

export const createExecutor = (options: ExecutorOptions) => {
  const { host, journal, clock, ids, operatorChoice, fence } = options
  const begin = prepareDispatch(options)
  const paceOf = createRefusalPace(clock)
  const { rooms } = options
  const wait = createWaiting({ host, journal, clock, rooms })

  /** Waits for the turn of a refusal; false when the caller has cancelled by then. */
  const turnToRefuse = async ({ cancel, answerBy }: ExecuteRequest, deviceId: string): Promise<boolean> => {
    const leftMs = (answerBy ?? Number.POSITIVE_INFINITY) - clock.elapsed()
    const waitMs = Math.min(paceOf(deviceId), leftMs)
    if (waitMs > 0) await pause(clock, waitMs, cancel)
    return cancel?.aborted !== true
  }

  /** Says that the device is busy, and by which key it is owned; nothing is recorded then. */
  const attempt = async (request: ExecuteRequest): Promise<Attempt> => {
    const { execution, cancel } = request
    const since = clock.now()
    const cancelled = (where: Pick<Executed, 'deviceId'>): Attempt => ({
      executed: {
        ...where,
        result: { ok: false, error: cancelledRequest({ ...request, ...where }, { pid: host.holder.pid, since }) },
      },
    })
    const begun = await unlessCancelled(begin(request), cancel)
    if (!begun) return cancelled(namedDevice(request))
    if (!begun.ok) {
      const { ok: _, ownershipKey, ...executed } = begun
      const { deviceId = '' } = executed
      if (ownershipKey === undefined) return { executed }
      if (request.waitMs) return { executed, busy: { deviceId, ownershipKey } }
      return (await turnToRefuse(request, deviceId)) ? { executed } : cancelled({ deviceId })
    }
    if (request.leave?.aborted) return cancelled({ deviceId: begun.deviceId })
    const { deviceId, link, ownershipKey } = begun
    const now = clock.now()
    const leftMs = (request.answerBy ?? Number.POSITIVE_INFINITY) - clock.elapsed()
    const answerUntil = now + Math.floor(Math.min(execution.timeoutMs + ENVELOPE_GRACE_MS, leftMs))
    const executionId = request.executionId ?? ids.at(now)
    const epoch = request.epoch ?? fence.epochOf(ownershipKey)
    const { target, requested } = requestFor(request, begun, {
      executionId,
      answerUntil,
      epoch,
      reservations: options,
    })
    request.onRequested?.({ executionId, deviceId })
    const outcome = await host.ask<DeviceEmitted>(target, requested, {
      matches: emitted => emitted.type !== 'execution.accepted' && emitted.executionId === executionId,
      until: answerUntil + UNANSWERED_MS,
      withdrawal: cancel && { signal: cancel, event: { type: 'execution.cancelled', executionId } },
    })
    if (outcome.kind === 'withdrawn') return cancelled({ deviceId })
    if (outcome.kind === 'answered' && outcome.emitted.type === 'execution.answered') {
      const result = outcome.emitted.result as ExecutionResult
      if (request.operatorPackage === undefined && lacksOperator(result)) operatorChoice.forget(link)
      return { executed: { executionId, deviceId, result: endedResult(result, executionId, journal) } }
    }
    if (outcome.kind === 'unrecorded' && outcome.error.reason === 'unheld')
      return {
        executed: { deviceId, result: { ok: false, error: leaseRefusal(request.leaseId ?? '', deviceId, options) } },
      }
    if (outcome.kind === 'held' && isReservation(outcome.lease) && (await endIfOverdue(outcome.lease, options)))
      return attempt(request)
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
  const unlessDead = async (request: ExecuteRequest, { executed, busy }: Attempt): Promise<Attempt> => {
    if (!busy?.isPromised || !(await rooms.settleDead(busy.deviceId).catch(() => false))) return { executed, busy }
    return attempt(request)
  }

  return async (request: ExecuteRequest): Promise<Executed> => {
    const { waitMs } = request
    if (!waitMs) {
      const first = await attempt(request)
      return (first.busy ? await unlessDead(request, first) : first).executed
    }
    // The execution has its id at once, by which it can be cancelled while it waits.
    const { executionId = ids.at(clock.now()), onRequested } = request
    let isTold = false
    // Each attempt says it, and the caller hears it once.
    const tellOnce: typeof onRequested = requested => {
      if (!isTold) onRequested?.(requested)
      isTold = true
    }
    const waiting = { ...request, waitMs, executionId, onRequested: tellOnce }
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
