/** One execution, from a valid payload to its result: choose the device, own it, journal it, hand it to the operator. */

import type { DeviceEmitted } from '../../machines/device-setup.ts'
import { deviceLeaseKey, type LeaseBy } from '../adb/lease-key.ts'
import type { CallOptions, Link } from '../adb/link.ts'
import type { Links } from '../adb/links.ts'
import { selectDevice } from '../adb/select-device.ts'
import type { ErrorObject } from '../contracts/error.ts'
import type { Execution } from '../contracts/execution.ts'
import type { ExecutionResult } from '../contracts/execution-result.ts'
import type { Claim, Fence } from '../contracts/fence.ts'
import { ENVELOPE_GRACE_MS } from '../contracts/limits.ts'
import type { Caller } from '../contracts/policy.ts'
import { hasRef } from '../contracts/ref.ts'
import type { View } from '../contracts/screen.ts'
import type { OperatorChoice } from '../operator/choose-operator.ts'
import type { OperatorJob, ScreenshotPolicy } from '../operator/job.ts'
import type { ScreenView } from '../operator/screens/view.ts'
import { callerOf } from '../policy/caller.ts'
import type { RefusedWork } from '../policy/refuse.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Host } from '../runtime/host.ts'
import type { Ids } from '../runtime/ids.ts'
import type { IdempotencyKey, Journal } from '../runtime/journal/journal.ts'
import type { Asking, ExecutionPolicy } from './policy.ts'
import { asFailure, conflictWith, unanswered } from './refusals.ts'

export interface ExecutorOptions {
  host: Host
  journal: Pick<Journal, 'receipt' | 'last' | 'records'>
  links: Links
  clock: Clock
  ids: Ids
  leaseBy: LeaseBy
  operatorChoice: OperatorChoice
  policy: ExecutionPolicy
  fence: Fence
}

/** The epoch is the one under which the host that sent it took this one for the owner of the phone. */
/** An execution on its way to another host, which has it from `accepted` on. */
export interface Forwarded {
  executionId: string
  host: string
  state: 'asked' | 'accepted' | 'dispatched'
}

export interface ExecuteRequest extends Claim {
  /** Validated and canonical. */
  execution: Execution
  /** Blank counts as not given. */
  deviceId?: string | undefined
  /** Left out when nobody named one: then the device decides. */
  operatorPackage?: string | undefined
  screenshots: ScreenshotPolicy
  skillRunId?: string | undefined
  /** What the caller wants to see of the screen; nothing unless told. */
  view?: View | undefined
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
  /** When the caller stops waiting, in epoch ms: by then it is answered, and later nothing is sent. */
  answerBy?: number | undefined
  /** Hears under which id it is filed, and on which device, before it is recorded. */
  onRequested?: ((requested: { executionId: string; deviceId: string }) => void) | undefined
  /** Hears the same for one that another host of the fleet carries out, and then how far it is there. */
  onForwarded?: ((forwarded: Forwarded) => void) | undefined
  /** Ends the waiting only: a caller that leaves cancels nothing. */
  signal?: AbortSignal | undefined
}

/** Its screenshots go where those of its process go, unless it says where. */
export type UnplacedRequest = Omit<ExecuteRequest, 'screenshots'> & Partial<Pick<ExecuteRequest, 'screenshots'>>

export interface Executed {
  result: ExecutionResult
  /** Present once the execution was accepted, or may have been. */
  executionId?: string
  /** Present once the device is known. */
  deviceId?: string
}

/** The device that is ready, and the key under which it is owned; or why there is none. */
type Reached = { ok: true; deviceId: string; link: Link } | { ok: false; deviceId?: string; error: ErrorObject }
interface Ready {
  ok: true
  deviceId: string
  link: Link
  leaseKey: string
  operatorPackage: string
  serials: readonly string[]
}
type Prepared = Ready | { ok: false; deviceId?: string; error: ErrorObject }

/** Whose execution it is, for the policy. */
interface From {
  who: Pick<Asking, 'caller' | 'skill'>
  work: RefusedWork
}

const namedDevice = ({ deviceId }: ExecuteRequest) => (deviceId?.trim() ? { deviceId } : {})

/** Undefined for an execution that asks nothing of the host but what the contract has. */
const screenViewOf = ({ execution, view }: ExecuteRequest, device: string): ScreenView | undefined => {
  const { format, since, observe = false } = view ?? {}
  const isCompact = format === 'compact' || (since !== undefined && format === undefined)
  if (!isCompact && !observe && since === undefined && !execution.actions.some(hasRef)) return undefined
  return { device, isCompact, isObserved: observe, ...(since === undefined ? {} : { since }) }
}

/** For listing the devices and opening the link. */
const PREPARE_MS = 20_000
/** The machine answers within its own limits; this is for where that fails. */
const UNANSWERED_MS = 500

export const createExecutor = (options: ExecutorOptions) => {
  const { host, journal, links, clock, ids, leaseBy, operatorChoice, policy, fence } = options

  const fromOf = ({ execution, skillRunId, caller = 'cli' }: ExecuteRequest): From => {
    const who = policy.isThere() ? callerOf(journal, { caller, skillRunId }) : { caller }
    return { who, work: { commandId: execution.commandId, skillRunId } }
  }

  /** A named device that holds a link is there and ready; the listing is for the others, and for saying why not. */
  const reach = async (wanted: string | undefined, options: CallOptions): Promise<Reached> => {
    const named = wanted?.trim() ?? ''
    const open = links.current(named)
    if (open) return { ok: true, deviceId: named, link: open }
    await links.probe(named, options)
    const opened = links.current(named)
    if (opened) return { ok: true, deviceId: named, link: opened }
    const { devices, problem } = await links.list(options)
    const selected = selectDevice(devices, wanted, problem)
    if (!selected.ok) return selected
    const deviceId = selected.serial
    try {
      return { ok: true, deviceId, link: await links.get(deviceId, options) }
    } catch (error) {
      return { ok: false, deviceId, error: asFailure(error) }
    }
  }

  const choose = async (request: ExecuteRequest, options: CallOptions): Promise<Prepared> => {
    const reached = await reach(request.deviceId, options)
    if (!reached.ok) return reached
    const { deviceId, link } = reached
    try {
      const leaseKey = await deviceLeaseKey(link, leaseBy, options)
      // Nothing is accepted that could not be dispatched; it is asked again before each dispatch.
      const fenced = fence.refusal(leaseKey, { ...request, serial: deviceId })
      if (fenced) return { ok: false, deviceId, error: fenced }
      const operatorPackage =
        request.operatorPackage ?? (await operatorChoice.choose(link, options, request.execution.actions))
      // A rule may know it by either serial, whichever the lease goes by.
      const serials = policy.isThere() ? [deviceId, await link.hardwareSerial(options)] : [deviceId]
      return { ok: true, deviceId, link, leaseKey, operatorPackage, serials }
    } catch (error) {
      return { ok: false, deviceId, error: asFailure(error) }
    }
  }

  /** Only reads: nothing touches a device before it is owned. */
  const prepare = async (request: ExecuteRequest): Promise<Prepared> => {
    const { signal, execution, answerBy } = request
    const latest = answerBy === undefined ? Number.POSITIVE_INFINITY : answerBy - execution.timeoutMs
    try {
      return await choose(request, { deadline: Math.min(clock.now() + PREPARE_MS, latest), signal })
    } catch (error) {
      return { ok: false, error: asFailure(error) }
    }
  }

  const permitted = async (request: ExecuteRequest, { serials, operatorPackage }: Ready, from: From) => {
    const { execution, view, confirmed } = request
    const asking = { ...from.who, serials, operator: operatorPackage, confirmed }
    return policy.permit({ execution, isObserved: view?.observe === true, asking, work: from.work })
  }

  return async (request: ExecuteRequest): Promise<Executed> => {
    const { execution, screenshots, signal } = request
    const from = fromOf(request)
    const broken = await policy.brokenFor(from.who.caller, from.work)
    if (broken) return { ...namedDevice(request), result: { ok: false, error: broken } }
    const prepared = await prepare(request)
    if (!prepared.ok) {
      const { deviceId, error } = prepared
      return { ...(deviceId === undefined ? {} : { deviceId }), result: { ok: false, error } }
    }
    const { deviceId, leaseKey, operatorPackage } = prepared
    const permission = await permitted(request, prepared, from)
    if (!permission.ok) return { deviceId, result: permission }
    const { commandId, taskId, timeoutMs } = execution
    const now = clock.now()
    const answerUntil = Math.min(now + timeoutMs + ENVELOPE_GRACE_MS, request.answerBy ?? Number.POSITIVE_INFINITY)
    const executionId = request.executionId ?? ids.at(now)
    const owned = { phone: leaseKey, epoch: request.epoch ?? fence.epochOf(leaseKey) }
    const job: OperatorJob = { execution, operatorPackage, serial: deviceId, screenshots, ...owned }
    Object.assign(job, given(request, ['input', 'isSent']))
    const view = screenViewOf(request, leaseKey)
    if (view) job.view = view
    if (permission.inFront) job.inFront = permission.inFront
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
      ...given(request, ['skillRunId', 'resumes', 'idempotency', 'listener']),
      body: job,
    }
    request.onRequested?.({ executionId, deviceId })
    const asked = await host.ask<DeviceEmitted>(target, requested, {
      matches: emitted => emitted.type !== 'execution.accepted' && emitted.executionId === executionId,
      until: answerUntil + UNANSWERED_MS,
      ...(signal ? { signal } : {}),
    })
    if (asked.kind === 'answered' && asked.emitted.type === 'execution.answered') {
      const result = asked.emitted.result as ExecutionResult
      if (request.operatorPackage === undefined && lacksOperator(result)) operatorChoice.forget(prepared.link)
      return { executionId, deviceId, result }
    }
    const conflict = conflictWith(asked, deviceId)
    if (conflict) return { deviceId, result: { ok: false, error: conflict } }
    const error = unanswered(asked, executionId, journal)
    return { ...(asked.kind === 'unrecorded' ? {} : { executionId }), deviceId, result: { ok: false, error } }
  }
}

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
