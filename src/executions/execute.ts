/** One execution, from a valid payload to its result: choose the device, own it, journal it, hand it to the operator. */

import type { DeviceEmitted } from '../../machines/device-setup.ts'
import type { Links } from '../adb/links.ts'
import type { LeaseKeyKind } from '../adb/select-device.ts'
import type { ErrorObject } from '../contracts/error.ts'
import type { Execution } from '../contracts/execution.ts'
import type { ExecutionResult } from '../contracts/execution-result.ts'
import type { Claim, Fence } from '../contracts/fence.ts'
import { ENVELOPE_GRACE_MS } from '../contracts/limits.ts'
import { hasRef } from '../contracts/matcher.ts'
import type { Caller } from '../contracts/policy.ts'
import type { ScreenOptions } from '../contracts/screen.ts'
import type { OperatorChoice } from '../operator/choose-operator.ts'
import type { OperatorJob, ScreenshotPolicy, ScreenView } from '../operator/job.ts'
import { type Clock, pause } from '../runtime/clock.ts'
import type { Host } from '../runtime/host.ts'
import type { Ids } from '../runtime/ids.ts'
import type { IdempotencyKey, Journal } from '../runtime/journal/journal.ts'
import { createRefusalPace } from './busy-device.ts'
import { createBegin, type ExecutionPolicy, namedDevice } from './prepare.ts'
import { cancelledEarly, conflictWith, isForQueue, unanswered, unlessCancelled } from './refusals.ts'
import { withKnownSteps } from './told-steps.ts'
import { type Attempt, createWaiting } from './waiting.ts'
import type { WaitingRooms } from './waiting-room.ts'

export interface ExecutorOptions {
  host: Host
  journal: Pick<Journal, 'receipt' | 'last' | 'records' | 'body'>
  links: Links
  clock: Clock
  ids: Ids
  leaseBy: LeaseKeyKind
  operatorChoice: OperatorChoice
  policy: ExecutionPolicy
  fence: Fence
  /** The queues of the devices. */
  rooms: WaitingRooms
}

export interface WaitingPlace {
  executionId: string
  deviceId: string
  place: number
}

/** The epoch is the one under which the host that sent it took this one for the owner of the phone. */
export interface ExecuteRequest extends Claim {
  /** Validated and canonical. */
  execution: Execution
  /** Blank counts as not given. */
  deviceId?: string | undefined
  /** Left out when nobody named one: then the device decides. */
  operatorPackage?: string | undefined
  screenshots: ScreenshotPolicy
  /** The digest of the paths that whoever sent the execution has taken out of it. */
  picturePaths?: string | undefined
  skillRunId?: string | undefined
  /** The caller's wishes about the screen; undefined for none. */
  view?: ScreenOptions | undefined
  /** By which way it came, `cli` unless told; its skill run makes what is not `http` the skill's while it is in flight. */
  caller?: Exclude<Caller, 'skill'> | undefined
  /** The rules of the policy to which a person has said yes. */
  confirmed?: readonly string[] | undefined
  /** The execution whose remaining steps these are. */
  resumes?: string | undefined
  idempotency?: IdempotencyKey | undefined
  /** Chosen by the caller; `executeAs` sees to it that it is used once. */
  executionId?: string | undefined
  /** The listener it came through, and what was asked there where that differs from `execution`. */
  listener?: string | undefined
  input?: unknown
  /** When the caller stops waiting, by `clock.elapsed()`: by then it is answered, and later nothing is sent. */
  answerBy?: number | undefined
  /** Hears under which id it is filed, and on which device, before it is recorded. */
  onRequested?: ((requested: { executionId: string; deviceId: string }) => void) | undefined
  /**
   * The caller cancels: before the dispatch nothing is sent, after it the execution is cancelled as by `cancel`. A caller
   * that only stops waiting has no signal here, and cancels nothing.
   */
  cancel?: AbortSignal | undefined
  /** Hears its place in the queue of the device, where it waits: 1 for the one whose turn is next. */
  onPlace?: ((waiting: WaitingPlace) => void) | undefined
  /** How long it may wait for a device that is busy; without it a busy device refuses at once. */
  waitMs?: number | undefined
  /** Aborted when nobody hears the answer any more: takes it out of the queue, and cancels nothing that was accepted. */
  leave?: AbortSignal | undefined
  /** Its turn in the queue has come. */
  waited?: true | undefined
}

export interface Executed {
  result: ExecutionResult
  /** Present once the execution was accepted, or may have been. */
  executionId?: string
  /** Present once the device is known. */
  deviceId?: string
}

/** The answer to a request that was cancelled before it was accepted; the process that had it is its holder. */
export const cancelledRequest = (
  { executionId, deviceId, execution: { commandId } }: Pick<ExecuteRequest, 'executionId' | 'deviceId' | 'execution'>,
  { pid, since }: { pid: number; since: number },
): ErrorObject => {
  const named = executionId === undefined ? {} : { executionId }
  return cancelledEarly({ ...named, deviceId, holder: { pid, ...named, commandId, since } })
}

/** Undefined for an execution that asks nothing of the host but what the contract has. */
const screenViewOf = ({ execution, view }: ExecuteRequest, device: string): ScreenView | undefined => {
  const { format, since, observe = false } = view ?? {}
  const isCompact = format === 'compact' || (since !== undefined && format === undefined)
  if (!isCompact && !observe && since === undefined && !execution.actions.some(hasRef)) return undefined
  return { device, isCompact, isObserved: observe, ...(since === undefined ? {} : { since }) }
}

/** The machine answers within its own limits; this is for where that fails. */
const UNANSWERED_MS = 500

export const createExecutor = (options: ExecutorOptions) => {
  const { host, journal, clock, ids, operatorChoice, fence } = options
  const begin = createBegin(options)
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
    const { execution, screenshots, cancel } = request
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
      const { ok: _, phone, ...executed } = begun
      const { deviceId = '' } = executed
      if (phone === undefined) return { executed }
      if (request.waitMs) return { executed, busy: { deviceId, phone } }
      return (await turnToRefuse(request, deviceId)) ? { executed } : cancelled({ deviceId })
    }
    if (request.leave?.aborted) return cancelled({ deviceId: begun.deviceId })
    const { deviceId, link, leaseKey, operatorPackage, inFront, isScreenHidden } = begun
    const { commandId, taskId, timeoutMs } = execution
    const now = clock.now()
    const leftMs = (request.answerBy ?? Number.POSITIVE_INFINITY) - clock.elapsed()
    const answerUntil = now + Math.floor(Math.min(timeoutMs + ENVELOPE_GRACE_MS, leftMs))
    const executionId = request.executionId ?? ids.at(now)
    const owned = { phone: leaseKey, epoch: request.epoch ?? fence.epochOf(leaseKey) }
    const job: OperatorJob = { execution, operatorPackage, serial: deviceId, screenshots, ...owned }
    Object.assign(job, given(request, ['input', 'isSent']))
    const view = screenViewOf(request, leaseKey)
    if (view) job.view = view
    if (inFront) job.inFront = inFront
    if (isScreenHidden) job.isScreenHidden = isScreenHidden
    const target = {
      id: `device:${deviceId}`,
      machine: 'device',
      input: { serial: deviceId },
      leaseKey,
      note: { executionId, commandId },
    }
    const requested = {
      type: 'execution.requested',
      executionId,
      commandId,
      taskId,
      deviceId,
      operatorPackage,
      timeoutMs,
      acceptUntil: answerUntil - timeoutMs,
      answerUntil,
      ...given(request, ['skillRunId', 'resumes', 'idempotency', 'listener', 'waited']),
      body: job,
    }
    request.onRequested?.({ executionId, deviceId })
    const asked = await host.ask<DeviceEmitted>(target, requested, {
      matches: emitted => emitted.type !== 'execution.accepted' && emitted.executionId === executionId,
      until: answerUntil + UNANSWERED_MS,
      withdrawal: cancel && { signal: cancel, event: { type: 'execution.cancelled', executionId } },
    })
    if (asked.kind === 'withdrawn') return cancelled({ deviceId })
    if (asked.kind === 'answered' && asked.emitted.type === 'execution.answered') {
      const result = asked.emitted.result as ExecutionResult
      if (request.operatorPackage === undefined && lacksOperator(result)) operatorChoice.forget(link)
      return { executed: { executionId, deviceId, result: endedResult(result, executionId, journal) } }
    }
    const conflict = conflictWith(asked, deviceId, host.holder.pid, journal)
    if (conflict) {
      const busy = { deviceId, phone: leaseKey, isPromised: isForQueue(asked) }
      return { executed: { deviceId, result: { ok: false, error: conflict } }, busy }
    }
    const error = unanswered(asked, executionId, journal)
    const filed = asked.kind === 'unrecorded' ? {} : { executionId }
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
    // It has its id at once, by which it can be cancelled while it waits.
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

/** The fields of a request that were given. */
const given = <K extends keyof ExecuteRequest>(request: ExecuteRequest, keys: readonly K[]): Pick<ExecuteRequest, K> =>
  Object.fromEntries(keys.filter(key => request[key] !== undefined).map(key => [key, request[key]])) as Pick<
    ExecuteRequest,
    K
  >

export type Executor = ReturnType<typeof createExecutor>
