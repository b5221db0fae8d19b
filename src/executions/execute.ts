/** One execution, from a valid payload to its result: choose the device, own it, journal it, hand it to the operator. */

import type { DeviceEmitted } from '../../machines/device-setup.ts'
import { createInteractiveCheck } from '../adb/interactive.ts'
import type { CallOptions, Link } from '../adb/link.ts'
import { LinkError } from '../adb/link-error.ts'
import type { Links } from '../adb/links.ts'
import { selectDevice } from '../adb/select-device.ts'
import type { ErrorObject } from '../contracts/error.ts'
import type { Execution } from '../contracts/execution.ts'
import type { ExecutionResult } from '../contracts/execution-result.ts'
import { failure, isFailureCode } from '../contracts/failures.ts'
import { ENVELOPE_GRACE_MS, LATE_ANSWER_MS } from '../contracts/limits.ts'
import type { OperatorJob, ScreenshotPolicy } from '../operator/job.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Host } from '../runtime/host.ts'
import type { Ids } from '../runtime/ids.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import { conflictWith, unanswered } from './refusals.ts'

export interface ExecutorOptions {
  host: Host
  journal: Pick<Journal, 'receipt'>
  links: Links
  clock: Clock
  ids: Ids
  /** Phones that share a hardware serial are told apart by how the debug bridge lists them. */
  leaseBy: 'hardware-serial' | 'adb-serial'
}

export interface ExecuteRequest {
  /** Validated and canonical. */
  execution: Execution
  /** Blank counts as not given. */
  deviceId?: string | undefined
  operatorPackage: string
  screenshots: ScreenshotPolicy
  skillRunId?: string | undefined
  /** Minted by the caller when it must be known beforehand. */
  executionId?: string | undefined
  /** Ends the waiting only: a caller that leaves cancels nothing. */
  signal?: AbortSignal | undefined
}

export interface Executed {
  result: ExecutionResult
  /** Present once the execution was accepted. */
  executionId?: string
  /** Present once the device is known. */
  deviceId?: string
}

/** The device that is ready, and the key under which it is owned; or why there is none. */
type Reached = { ok: true; deviceId: string; link: Link } | { ok: false; deviceId?: string; error: ErrorObject }
type Prepared = { ok: true; deviceId: string; leaseKey: string } | { ok: false; deviceId?: string; error: ErrorObject }

/** For listing the devices, opening the link and looking at the screen. */
const PREPARE_MS = 20_000
/** Between acceptance and the first dispatch. */
const ACCEPT_MS = 15_000

const asFailure = (error: unknown): ErrorObject => {
  if (!(error instanceof LinkError)) throw error
  if (isFailureCode(error.code)) {
    const details = error.code === 'DEVICE_LINK_LOST' ? { details: { dispatched: false } } : {}
    return failure(error.code, error.message, details)
  }
  if (error.code === 'LINK_CANCELLED')
    return failure('EXECUTION_CANCELLED', 'The caller left before anything was sent.')
  return failure('DEVICE_SHELL_UNAVAILABLE', error.message)
}

export const createExecutor = ({ host, journal, links, clock, ids, leaseBy }: ExecutorOptions) => {
  const checkInteractive = createInteractiveCheck(clock)

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

  const choose = async (wanted: string | undefined, options: CallOptions): Promise<Prepared> => {
    const reached = await reach(wanted, options)
    if (!reached.ok) return reached
    const { deviceId, link } = reached
    try {
      const interactive = await checkInteractive(link, options)
      if (!interactive.ok) return { ...interactive, deviceId }
      const owned = leaseBy === 'adb-serial' ? deviceId : await link.hardwareSerial(options)
      return { ok: true, deviceId, leaseKey: `device:${owned}` }
    } catch (error) {
      return { ok: false, deviceId, error: asFailure(error) }
    }
  }

  const prepare = async ({ deviceId, signal }: ExecuteRequest): Promise<Prepared> => {
    try {
      return await choose(deviceId, { deadline: clock.now() + PREPARE_MS, signal })
    } catch (error) {
      return { ok: false, error: asFailure(error) }
    }
  }

  return async (request: ExecuteRequest): Promise<Executed> => {
    const { execution, operatorPackage, screenshots, skillRunId, signal } = request
    const prepared = await prepare(request)
    if (!prepared.ok) {
      const { deviceId, error } = prepared
      return { ...(deviceId === undefined ? {} : { deviceId }), result: { ok: false, error } }
    }
    const { deviceId, leaseKey } = prepared
    const { commandId, taskId, timeoutMs } = execution
    const now = clock.now()
    const executionId = request.executionId ?? ids.at(now)
    const job: OperatorJob = { execution, operatorPackage, serial: deviceId, screenshots }
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
      timeoutMs,
      acceptUntil: now + ACCEPT_MS,
      ...(skillRunId === undefined ? {} : { skillRunId }),
      body: job,
    }
    const asked = await host.ask<DeviceEmitted>(target, requested, {
      matches: emitted => emitted.type !== 'execution.accepted' && emitted.executionId === executionId,
      // The machine answers within its own limits; this one only keeps the wait from being endless.
      until: now + ACCEPT_MS + timeoutMs + ENVELOPE_GRACE_MS + 2 * LATE_ANSWER_MS,
      ...(signal ? { signal } : {}),
    })
    if (asked.kind === 'answered' && asked.emitted.type === 'execution.answered') {
      return { executionId, deviceId, result: asked.emitted.result as ExecutionResult }
    }
    const conflict = conflictWith(asked, deviceId)
    if (conflict) return { deviceId, result: { ok: false, error: conflict } }
    return { executionId, deviceId, result: { ok: false, error: unanswered(asked, executionId, journal) } }
  }
}

export type Executor = ReturnType<typeof createExecutor>
