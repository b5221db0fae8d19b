/** Prepares an execution: finds its device, the key under which that is owned, and its operator; and asks the policy. */

import type { ErrorObject } from '../../contracts/failures/error.ts'
import type { CallOptions, Link } from '../../device/link/link.ts'
import type { Links } from '../../device/link/links.ts'
import { deviceOwnershipKey, selectDevice } from '../../device/link/select-device.ts'
import type { RefusedWork } from '../policy/refuse.ts'
import { callerOf } from '../policy/skill-gate.ts'
import { explainChoice } from './device-choice.ts'
import type { ExecutorOptions } from './execute.ts'
import type { Executed, ExecuteRequest } from './order.ts'
import { needsRuleByName, type PolicySubject } from './execution-policy.ts'
import { asFailure } from './refusals.ts'
import type { ForegroundPolicy } from './dispatch.ts'
import { conflictInMemory } from './waiting/busy-device.ts'

/** The device that is ready, and the key under which it is owned; or why there is none. */
export type Reached = { ok: true; deviceId: string; link: Link } | { ok: false; deviceId?: string; error: ErrorObject }

export interface Ready {
  ok: true
  deviceId: string
  link: Link
  ownershipKey: string
  operatorPackage: string
  /** The serials by which a rule of the policy may know the device. */
  serials: readonly string[]
}

/** `phone` says that an execution of this process holds the device, and under which key. */
type Prepared = Ready | { ok: false; deviceId?: string; error: ErrorObject; ownershipKey?: string }

/** Bounds listing the devices and opening the link. */
const PREPARE_MS = 20_000

/** A device that is missing from what is known, or whose link is lost, is looked for by asking. */
const knownDevice = async (links: Links, options: CallOptions): Promise<Reached | undefined> => {
  const known = await links.known(options)
  const selected = known && selectDevice(known.devices, undefined, known.problem)
  const link = selected?.ok ? links.current(selected.serial) : undefined
  return selected?.ok && link ? { ok: true, deviceId: selected.serial, link } : undefined
}

/** A named device that holds a link is there and ready; the listing is for the others, and for saying why not. */
export const reachDevice = async (links: Links, wanted: string | undefined, options: CallOptions): Promise<Reached> => {
  const named = wanted?.trim() ?? ''
  const open = links.current(named)
  if (open) return { ok: true, deviceId: named, link: open }
  const known = named === '' ? await knownDevice(links, options) : undefined
  if (known) return known
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

const createPrepare = (options: ExecutorOptions) => {
  const { host, links, clock, leaseBy, operatorChoice, policy, fence } = options

  const choose = async (request: ExecuteRequest, call: CallOptions): Promise<Prepared> => {
    const reached = await reachDevice(links, request.deviceId, call)
    if (!reached.ok) return { ...reached, error: await explainChoice(reached.error, options, call) }
    const { deviceId, link } = reached
    try {
      const ownershipKey = await deviceOwnershipKey(link, leaseBy, call)
      // Nothing is accepted that could not be dispatched; it is asked again before each dispatch.
      const fenced = fence.refusal(ownershipKey, { ...request, serial: deviceId })
      if (fenced) return { ok: false, deviceId, error: fenced }
      const hasPolicy = policy.concerns(request.execution)
      // A policy comes first, and may ask for the operator.
      const busy = hasPolicy ? undefined : conflictInMemory(host, deviceId)
      if (busy) return { ok: false, deviceId, error: busy, ownershipKey }
      const operatorPackage =
        request.operatorPackage ?? (await operatorChoice.choose(link, call, request.execution.actions))
      // A rule may know it by either serial, whichever the lease goes by.
      const serials = hasPolicy ? [deviceId, await link.hardwareSerial(call)] : [deviceId]
      return { ok: true, deviceId, link, ownershipKey, operatorPackage, serials }
    } catch (error) {
      return { ok: false, deviceId, error: asFailure(error) }
    }
  }

  /** Only reads: nothing touches a device before it is owned. */
  return async (request: ExecuteRequest): Promise<Prepared> => {
    const { cancel, execution, answerBy } = request
    const left = answerBy === undefined ? PREPARE_MS : answerBy - execution.timeoutMs - clock.elapsed()
    const call = { deadline: clock.now() + Math.min(PREPARE_MS, left), signal: cancel }
    try {
      return await choose(request, call)
    } catch (error) {
      return { ok: false, error: await explainChoice(asFailure(error), options, call) }
    }
  }
}

export type Permitted = Ready & { inFront?: ForegroundPolicy; isScreenHidden?: true }
type Refused = Executed & { ok: false; ownershipKey?: string | undefined }

/** The author of an execution, for the policy. */
interface Author {
  who: Pick<PolicySubject, 'caller' | 'skill'>
  work: RefusedWork
}

export const namedDevice = ({ deviceId }: ExecuteRequest) => (deviceId?.trim() ? { deviceId } : {})

export const prepareDispatch = (options: ExecutorOptions) => {
  const { host, journal, policy } = options
  const prepare = createPrepare(options)

  const fromOf = ({ execution, skillRunId, caller = 'cli' }: ExecuteRequest): Author => {
    const who = policy.concerns(execution) ? callerOf(journal, { caller, skillRunId }) : { caller }
    // The run may be one of another host, which alone knows its skill, or be over while its children still live.
    const isOfRun = who.caller === 'cli' && skillRunId !== undefined && needsRuleByName(execution)
    return { who: isOfRun ? { caller: 'skill' } : who, work: { commandId: execution.commandId, skillRunId } }
  }

  const permitted = async (request: ExecuteRequest, { serials, operatorPackage }: Ready, from: Author) => {
    const { execution, view, confirmed, isFollowUp = false } = request
    const asking = { ...from.who, serials, operator: operatorPackage, confirmed }
    return policy.permit({ execution, isObserved: view?.observe === true, isFollowUp, asking, work: from.work })
  }

  /** All that happens before the execution is recorded; only the journal and the device are read. */
  return async (request: ExecuteRequest): Promise<Permitted | Refused> => {
    const from = fromOf(request)
    const broken = await policy.brokenFor(from.who.caller, from.work)
    if (broken) return { ok: false, ...namedDevice(request), result: { ok: false, error: broken } }
    const prepared = await prepare(request)
    if (!prepared.ok) {
      const { deviceId, error, ownershipKey } = prepared
      return { ok: false, ...(deviceId === undefined ? {} : { deviceId }), result: { ok: false, error }, ownershipKey }
    }
    const { deviceId } = prepared
    const permission = await permitted(request, prepared, from)
    if (!permission.ok) return { ok: false, deviceId, result: permission }
    const busy = conflictInMemory(host, deviceId)
    if (busy) return { ok: false, deviceId, result: { ok: false, error: busy }, ownershipKey: prepared.ownershipKey }
    return { ...prepared, ...permission }
  }
}
