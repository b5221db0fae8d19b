/** Runs an execution on whichever host of the fleet has its device; one that another host sent here goes no further. */

import type { Execution } from '../../contracts/executions/execution.ts'
import type { ExecutionSuccess } from '../../contracts/executions/execution-result.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { answerBound } from '../../service/deadline.ts'
import { isCancelRequested } from '../../service/executions/cancel-requests.ts'
import { executionUnder } from '../../service/executions/idempotency.ts'
import type { ExecutionOrder } from '../../service/executions/order.ts'
import { rememberPaths } from '../../service/executions/picture-paths.ts'
import { cancelledEarly } from '../../service/executions/refusals.ts'
import { fileRootsOf, unsendableProblem, withAbsolutePaths } from '../../service/host-paths.ts'
import { sentExecution } from '../../service/local/order-of.ts'
import { deadlineProblem, type Run } from '../../service/local/run.ts'
import type { Parts } from '../../service/parts.ts'
import { fetchPictures, takePicturePaths } from '../../service/pictures.ts'
import { namedIn } from '../../service/remote.ts'
import { failed, type RequestOptions, type Result, type Service } from '../../service/service.ts'
import type { Fleet, FleetRow } from '../fleet.ts'
import { isPlacement } from '../membership/labels.ts'
import { bringFiles, unwritableProblem } from '../parcels/download.ts'
import { sendFilesOf } from '../parcels/upload.ts'
import { draining, executionUnanswered, takesNothing, unreachable } from '../refusals.ts'
import { isWithout, LOOK_MS, sentOn } from './ask-hosts.ts'
import { earlierUse } from './caller-id-in-fleet.ts'
import { firstUseUnanswered, holdFor, isUsed, type KeyUse, keyNotHeld, keyOfOtherDevice, usedFor } from './keys.ts'
import type { LeaseDevice } from './leases.ts'
import { firstIdle, onFirstFree, placeDevice } from './place.ts'

export interface FleetDeps extends Parts {
  fleet: Fleet
  peer(host: string): Service
  /** True for the listener that other hosts and the clients of the fleet come through. */
  isInbound: boolean
}

type Ran = Result<ExecutionSuccess>

/** A device and its host; an epoch where the host is known to own it. */
type Target = Pick<FleetRow, 'host' | 'serial'> & { epoch?: number | undefined }

/** Why this host takes nothing new, for those who are not its own callers; undefined when it does. */
export const refusalHere = (
  { fleet, isInbound, journal, clock }: FleetDeps,
  { context }: RequestOptions,
): ErrorObject | undefined => {
  const { state } = fleet.statusOf(fleet.host) ?? {}
  const isDraining = state === 'draining' || state === 'drained'
  // A caller of this very host needs no fleet, and is told the same once the host drains.
  if (!isDraining && (!isInbound || fleet.isServing())) return undefined
  const key = context.idempotencyKey
  // An answer from the record begins nothing new.
  if (key !== undefined && executionUnder(journal(), key, clock.now()) !== undefined) return undefined
  return isDraining ? draining(fleet.host) : takesNothing(fleet.host)
}

/** True when the caller names the device that holds the key; it may have moved to another host since. */
const namesHolder = ({ deviceId }: ExecutionOrder, { serial, host }: KeyUse, fleet: Fleet, row?: FleetRow): boolean => {
  if (deviceId === undefined || isPlacement(deviceId)) return true
  if (deviceId === serial || deviceId === `${serial}@${host}`) return true
  const placed = fleet.place(`${serial}@${host}`)
  return placed.ok && placed.candidates[0].phone !== undefined && placed.candidates[0].phone === row?.phone
}

export const createFleetRun = (ownRun: Run, deps: FleetDeps, leaseDevice: LeaseDevice): Run => {
  const { fleet, peer, screenshots } = deps

  const isOwn = (executionId: string) =>
    deps.executions().isHere(executionId) || deps.journal().receipt(executionId) !== undefined

  /** Under an id that was used before at another host, the answer is that host's. */
  const once = async (order: ExecutionOrder, serial: string | undefined, call: RequestOptions): Promise<Ran> => {
    const { executionId, idempotencyKey } = call.context
    const ownOrder = { ...order, deviceId: serial ?? order.deviceId }
    if (executionId === undefined || idempotencyKey !== undefined || isOwn(executionId)) return ownRun(ownOrder, call)
    const use = await earlierUse(executionId, ownOrder.deviceId?.trim() ?? '', call, deps)
    if (use.kind === 'none') return ownRun(ownOrder, call)
    if (use.kind === 'unknown') return failed(use.error, { executionId })
    const { host, mirrored } = use.location
    if (fleet.isAlive(host)) return there(order, { host, serial: ownOrder.deviceId ?? '' }, undefined, call)
    return failed(executionUnanswered(host, mirrored ?? { executionId }), { executionId, host })
  }

  /** A device of this host; each dispatch asks again whether this host still owns it. */
  const here = async (order: ExecutionOrder, serial: string | undefined, call: RequestOptions): Promise<Ran> => {
    const refusal = refusalHere(deps, call)
    return refusal ? failed(refusal) : once(order, serial, call)
  }

  /**
   * The other host may not know what was cancelled here, or may have run it for a caller of its own: it is told first.
   * Undefined where it then answers for the id, and runs nothing new under it.
   */
  const cancelledThere = async (
    executionId: string,
    host: string,
    call: RequestOptions,
  ): Promise<ErrorObject | undefined> => {
    const { caller } = call.context
    const options = sentOn({ context: { caller, answerWithinMs: LOOK_MS } }, fleet)
    const cancelled = await peer(host)['executions.cancel']({ executionId }, options)
    if (cancelled.ok) return undefined
    if (!isWithout(cancelled)) return cancelled.error
    return cancelled.error.details?.cancelled === true ? undefined : cancelledEarly({ executionId })
  }

  /** Requests about files are no part of the execution: nothing about it goes with them. */
  const forFiles = ({ context: { caller }, signal }: RequestOptions): RequestOptions =>
    sentOn({ context: { caller }, signal }, fleet)

  /** The files that its steps read are brought to the host first; its paths are absolute. */
  const filesSent = async (execution: Execution, host: string, call: RequestOptions): Promise<Result<Execution>> => {
    const { context } = call
    const fileRoots = fileRootsOf(context)
    const problem =
      (await unsendableProblem(execution, context, host)) ?? (await unwritableProblem(execution, fileRoots))
    if (problem) return failed(problem)
    const sent = await sendFilesOf(execution, { fileRoots, service: peer(host), call: forFiles(call) })
    return !sent.ok && call.signal?.aborted ? failed(cancelledEarly({ executionId: context.executionId })) : sent
  }

  /** The host that has the device; with the pictures it takes, where they are wanted here. */
  const there = async (
    order: ExecutionOrder,
    target: Target,
    use: KeyUse | undefined,
    call: RequestOptions,
  ): Promise<Ran> => {
    const { host, serial, epoch } = target
    const { context, signal } = call
    const { relativeTo } = screenshots
    const named = withAbsolutePaths(order.execution, relativeTo)
    const withFiles = await filesSent(named, host, call)
    if (!withFiles.ok) return withFiles
    const { execution, paths, conditions } = takePicturePaths(withFiles.value, context, relativeTo)
    const { operatorPackage, waitMs } = order
    const input = {
      execution: execution === order.execution ? sentExecution(order) : execution,
      deviceId: serial,
      ...(operatorPackage == null ? {} : { operatorPackage }),
      ...order.view,
      ...(waitMs === undefined ? {} : { waitMs }),
    }
    const executionId = context.executionId ?? (use?.isNew ? use.executionId : undefined) ?? fleet.newExecutionId()
    const sent = { from: fleet.host, ...(epoch === undefined ? {} : { epoch }) }
    await rememberPaths(screenshots.newFilesIn, executionId, paths)
    const isNew = context.executionId !== undefined && fleet.sentTo(executionId) === undefined
    if (isNew && isCancelRequested(deps.journal(), executionId)) {
      const refusal = await cancelledThere(executionId, host, call)
      if (refusal) return failed(refusal, { executionId, host })
    }
    const result = await peer(host).execute(input as Parameters<Service['execute']>[0], {
      ...call,
      context: {
        ...context,
        ...conditions,
        answerWithinMs: answerBound(execution.timeoutMs, context),
        executionId,
        sent,
      },
    })
    if (result.ok) {
      if (context.fetchesPictures) return result
      const folder = order.screenshots.newFilesIn
      const accepted = result.executionId ?? executionId
      const steps = execution.actions.length
      const brought = await bringFiles(result, named, {
        fileRoots: fileRootsOf(context),
        service: peer(host),
        call: forFiles(call),
      })
      const { ownerOnlyIn } = screenshots
      return fetchPictures(brought, {
        host,
        executionId: accepted,
        paths,
        steps,
        folder,
        ownerOnlyIn,
        service: peer(host),
        call,
      })
    }
    if (isUsed(use) && result.unanswered) {
      const error = await firstUseUnanswered(use, result.error, fleet)
      return failed(error, namedIn(error))
    }
    if (signal?.aborted && result.error.details?.dispatched === false) return failed(cancelledEarly({ executionId }))
    return result
  }

  const toHolder = (order: ExecutionOrder, use: KeyUse, call: RequestOptions): Promise<Ran> | Ran => {
    if (use.host === fleet.host) return here(order, use.serial, call)
    return fleet.isUp() ? there(order, use, use, call) : failed(unreachable(use.host))
  }

  const toRow = (
    order: ExecutionOrder,
    row: FleetRow,
    use: KeyUse | undefined,
    call: RequestOptions,
  ): Promise<Ran> | Ran => {
    if (row.host === fleet.host) return here(order, row.serial, call)
    if (!fleet.isUp()) return failed(unreachable(row.host))
    if (row.isDraining && !isUsed(use)) return failed(draining(row.host))
    return there(order, row, use, call)
  }

  /** To the device that was chosen, or to the one that the key was used for before: what was done under it is there. */
  const underKey = async (key: string, order: ExecutionOrder, row: FleetRow, call: RequestOptions): Promise<Ran> => {
    const { host, serial } = row
    const isHere = host === fleet.host
    // A request that repeats this one finds the execution by this id, also while its host is silent.
    const executionId = isHere ? undefined : (call.context.executionId ?? fleet.newExecutionId())
    const chosen = { host, serial, ...(executionId === undefined ? {} : { executionId }) }
    const use = await holdFor(key, chosen, deps)
    if (!use) return failed(isHere ? keyNotHeld(deps) : unreachable(host))
    const isChosen = use.host === host && use.serial === serial
    if (!isChosen && !namesHolder(order, use, fleet, row)) return failed(keyOfOtherDevice(use))
    const result = await (isChosen ? toRow(order, row, use, call) : toHolder(order, use, call))
    // The key of an execution that was not accepted is free again, for the same device at once and for others after a day.
    if (result.executionId === undefined) await use.free?.().catch(() => {})
    return result
  }

  /** With a lease and without a device, the request is for the reserved one, wherever that is. */
  const onLeasedDevice = async (order: ExecutionOrder, call: RequestOptions): Promise<ExecutionOrder> => {
    const { leaseId } = call.context
    if (leaseId === undefined || (order.deviceId !== undefined && !isPlacement(order.deviceId.trim()))) return order
    return { ...order, deviceId: (await leaseDevice(leaseId, call)) ?? order.deviceId }
  }

  return async (requested, call) => {
    const { sent, leaseId, idempotencyKey: key } = call.context
    if (sent) return here(requested, undefined, call)
    const order = leaseId === undefined ? requested : await onLeasedDevice(requested, call)
    // Nobody has it: this host says so.
    if (leaseId !== undefined && order.deviceId === undefined) return once(order, undefined, call)
    const unfit = deadlineProblem(order.execution.timeoutMs, call.context)
    if (unfit) return failed(unfit)
    const placement = await placeDevice(order.deviceId, deps)
    if (placement.kind !== 'candidates') {
      const use = key === undefined ? undefined : await usedFor(key, deps)
      if (use && namesHolder(order, use, fleet)) return toHolder(order, use, call)
      if (key !== undefined && !fleet.isUp()) return failed(keyNotHeld(deps))
      if (placement.kind === 'refused') return failed(placement.error)
      return once(order, placement.serial, call)
    }
    const { candidates } = placement
    if (key === undefined) return onFirstFree(candidates, fleet, async row => toRow(order, row, undefined, call))
    // The key is claimed for one device, and the request goes to no other: so that one is looked for before.
    const row = candidates.length === 1 ? candidates[0] : await firstIdle(candidates, call, deps)
    return fleet.sending.during(row, () => underKey(key, order, row, call))
  }
}
