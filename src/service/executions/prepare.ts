/** Prepares an execution: finds its device, the key under which that is owned, and its operator; and asks the policy. */

import { IN_FLIGHT } from '../../../machines/definition.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import type { CallOptions, Link } from '../../device/link/link.ts'
import type { Links } from '../../device/link/links.ts'
import { deviceOwnershipKey, selectDevice } from '../../device/link/select-device.ts'
import { pause } from '../../runtime/clock.ts'
import { callerOf } from '../policy/gates.ts'
import type { RefusedWork } from '../policy/refuse.ts'
import { explainChoice } from './device-choice.ts'
import { type Dispatch, dispatchOf } from './dispatch.ts'
import { mayBeLeft, stillAtWork } from './evidence/still-at-work.ts'
import type { ExecutorOptions } from './execute.ts'
import { needsRuleByName, type PolicySubject } from './execution-policy.ts'
import type { Executed, ExecutionOrder } from './order.ts'
import { asFailure, conflictInMemory } from './refusals.ts'
import { deviceTarget } from './waiting/waiting-room.ts'

/** An open link to the device, or why there is none. */
export type Reached = { ok: true; deviceId: string; link: Link } | { ok: false; deviceId?: string; error: ErrorObject }

/** `ownershipKey` says that an execution of this process holds the device, and under which key. */
type Refused = Executed & { ok: false; ownershipKey?: string }

/** Bounds listing the devices and opening the link. */
const PREPARE_MS = 20_000

/** Somebody else in this process may be settling it at the same moment. */
const SETTLE_TRIES = 20
const SETTLE_APART_MS = 50

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

/** The author of an execution, for the policy. */
interface Author {
  who: Pick<PolicySubject, 'caller' | 'skill'>
  work: RefusedWork
}

export const namedDevice = ({ deviceId }: ExecutionOrder) => (deviceId?.trim() ? { deviceId } : {})

export const prepareDispatch = (options: ExecutorOptions) => {
  const { host, journal, links, clock, leaseBy, operatorChoice, policy, fence, learner } = options

  const refused = (error: ErrorObject, where: { deviceId?: string; ownershipKey?: string } = {}): Refused => ({
    ok: false,
    ...where,
    result: { ok: false, error },
  })

  const authorOf = ({ execution, skillRunId, caller = 'cli' }: ExecutionOrder): Author => {
    const who = policy.concerns(execution) ? callerOf(journal, { caller, skillRunId }) : { caller }
    // The run may be one of another host, which alone knows its skill, or be over while its children still live.
    const isOfRun = who.caller === 'cli' && skillRunId !== undefined && needsRuleByName(execution)
    return { who: isOfRun ? { caller: 'skill' } : who, work: { commandId: execution.commandId, skillRunId } }
  }

  /** A request that may wait for the device hears here that it is at work, and not once the execution is accepted. */
  const leftAtWork = async (
    { waitMs }: ExecutionOrder,
    { deviceId, ownershipKey }: { deviceId: string; ownershipKey: string },
    { signal }: CallOptions,
  ) => {
    const target = deviceTarget(deviceId)
    const look = () => host.follow(target).look().snapshot
    let snapshot = host.snapshot(target.id) ?? (waitMs ? look() : undefined)
    // Its owner may have died: then it is settled here, and not once this execution is accepted.
    const isLeft = () => snapshot?.hasTag(IN_FLIGHT) === true && journal.leases.owner(ownershipKey) === undefined
    for (let tries = 0; waitMs && isLeft() && tries < SETTLE_TRIES; tries += 1) {
      if (tries > 0) await pause(clock, SETTLE_APART_MS, signal)
      await host.recover({ actor: target.id })
      snapshot = host.snapshot(target.id) ?? look()
    }
    const device = { deviceId, phone: ownershipKey, context: snapshot?.context }
    const asking = { journal, clock, learner, fence, signal }
    return mayBeLeft(device, asking) ? stillAtWork(device, asking) : undefined
  }

  /** The key under which the device is owned, its operator, and the serials by which a rule of the policy may know it. */
  const choose = async (order: ExecutionOrder, deviceId: string, link: Link, call: CallOptions) => {
    const ownershipKey = await deviceOwnershipKey(link, leaseBy, call)
    // Nothing is accepted that could not be dispatched; it is asked again before each dispatch.
    const fenced = fence.refusal(ownershipKey, { ...order, serial: deviceId })
    if (fenced) return refused(fenced, { deviceId })
    const hasPolicy = policy.concerns(order.execution)
    // A policy comes first, and may ask for the operator.
    const busy =
      (hasPolicy ? undefined : conflictInMemory(host, deviceId)) ??
      (await leftAtWork(order, { deviceId, ownershipKey }, call))
    if (busy) return refused(busy, { deviceId, ownershipKey })
    const operatorPackage = order.operatorPackage ?? (await operatorChoice.choose(link, call, order.execution.actions))
    // A rule may know it by either serial, whichever the lease goes by.
    const serials = hasPolicy ? [deviceId, await link.hardwareSerial(call)] : [deviceId]
    return { ok: true as const, deviceId, link, ownershipKey, operatorPackage, serials }
  }

  /** Only reads: nothing touches a device before it is owned. */
  const found = async (order: ExecutionOrder) => {
    const { cancel, execution, answerBy } = order
    const left = answerBy === undefined ? PREPARE_MS : answerBy - execution.timeoutMs - clock.elapsed()
    const call = { deadline: clock.now() + Math.min(PREPARE_MS, left), signal: cancel }
    const explained = async (error: ErrorObject, where?: { deviceId: string }) =>
      refused(await explainChoice(error, options, call), where)
    try {
      const reached = await reachDevice(links, order.deviceId, call)
      if (!reached.ok) {
        return await explained(
          reached.error,
          reached.deviceId === undefined ? undefined : { deviceId: reached.deviceId },
        )
      }
      const { deviceId, link } = reached
      return await choose(order, deviceId, link, call).catch(error => refused(asFailure(error), { deviceId }))
    } catch (error) {
      return await explained(asFailure(error))
    }
  }

  /** All that happens before the execution is recorded; only the journal and the device are read. */
  return async (order: ExecutionOrder): Promise<{ ok: true; dispatch: Dispatch; link: Link } | Refused> => {
    const { execution, view, confirmed, isFollowUp = false } = order
    const { who, work } = authorOf(order)
    const broken = await policy.brokenFor(who.caller, work)
    if (broken) return refused(broken, namedDevice(order))
    const device = await found(order)
    if (!device.ok) return device
    const { deviceId, link, ownershipKey, operatorPackage, serials } = device
    const undue = order.refusal && (await order.refusal())
    if (undue) return refused(undue, { deviceId })
    const asking = { ...who, serials, operator: operatorPackage, confirmed }
    const permission = await policy.permit({ execution, isObserved: view?.observe === true, isFollowUp, asking, work })
    if (!permission.ok) return refused(permission.error, { deviceId })
    const busy = conflictInMemory(host, deviceId)
    if (busy) return refused(busy, { deviceId, ownershipKey })
    const { inFront, isScreenHidden } = permission
    const epoch = order.epoch ?? fence.epochOf(ownershipKey)
    const dispatch = dispatchOf(order, {
      operatorPackage,
      serial: deviceId,
      phone: ownershipKey,
      epoch,
      inFront,
      isScreenHidden,
    })
    return { ok: true, dispatch, link }
  }
}
