/**
 * Runs one valid execution in this process, under the conditions of its caller, and turns exceptions of the parts
 * below into failures.
 */

import { ANSWER_WITHIN_HEADER } from '../../contracts/doors/headers.ts'
import type { RequestContext } from '../../contracts/doors/request-context.ts'
import type { ExecutionSuccess } from '../../contracts/executions/execution-result.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { type FailureCode, failure } from '../../contracts/failures/failures.ts'
import { answerBound } from '../deadline.ts'
import { namedExecution } from '../executions/last-execution.ts'
import type { ExecutionOrder } from '../executions/order.ts'
import type { ExecutedOnce } from '../executions/service.ts'
import { describeError, errorOf, isKnownError } from '../executions/to-error.ts'
import { elsewhereProblem, hostPathProblem, isOfAnotherMachine, withAbsolutePaths } from '../host-paths.ts'
import type { Parts } from '../parts.ts'
import { placePictures } from '../pictures.ts'
import { failed, type RequestOptions, type Result, type ResultFacts, success } from '../service.ts'
import { sentExecution } from './order-of.ts'
import { localPicture } from './picture.ts'

/** `what` completes "... failed with an internal error". */
export const answering = async <T>(
  work: () => Promise<Result<T>>,
  { what, note, code = 'INTERNAL_ERROR' }: { what: string; note: (text: string) => void; code?: FailureCode },
): Promise<Result<T>> => {
  try {
    return await work()
  } catch (thrown) {
    if (!isKnownError(thrown)) note(`${what} failed with an internal error: ${describeError(thrown)}`)
    return failed(errorOf(thrown, code))
  }
}

/** Gives an order its end, under the conditions of the call that it was made from. */
export type Run = (order: ExecutionOrder, call: RequestOptions) => Promise<Result<ExecutionSuccess>>

/** A caller over the network may not wait for less than the work may take: it would be told a failure of its own making. */
export const deadlineProblem = (
  timeoutMs: number,
  { answerWithinMs, isStranger }: RequestContext,
): ErrorObject | undefined =>
  !isStranger || answerWithinMs === undefined || answerWithinMs >= timeoutMs
    ? undefined
    : failure(
        'INVALID_BODY',
        `The header ${ANSWER_WITHIN_HEADER} must be at least the timeoutMs of the execution, ${timeoutMs}.`,
      )

/** In a fleet these failures name the host whose process has the device or may still finish the execution. */
const NAMING_HOST: readonly string[] = ['EXECUTION_CONFLICT_IN_FLIGHT', 'EXECUTION_CANCELLED']

/** Names the host, unless a host that was asked in turn has named itself, and the receipt once there is one. */
const located = (error: ErrorObject, host: string | undefined, executionId: string | undefined): ErrorObject => {
  const details = {
    ...(host !== undefined && NAMING_HOST.includes(error.code) ? { host } : {}),
    ...error.details,
    ...(executionId === undefined ? {} : { executionId }),
  }
  return Object.keys(details).length === 0 ? error : { ...error, details }
}

const reusedKey = (executionId: string | undefined): ErrorObject =>
  executionId === undefined
    ? failure('IDEMPOTENCY_KEY_REUSED', 'The key was used before with another payload.', {
        hint: 'Use a new key for another payload.',
      })
    : failure('IDEMPOTENCY_KEY_REUSED', `The id ${executionId} was used before with another payload.`, {
        details: { executionId },
        hint: 'Use a new id for another payload.',
      })

/** This is longer than any execution takes. */
const SECRETS_KEPT_MS = 10 * 60_000

export const createRun = ({
  executions,
  screenshots,
  clock,
  fleetHost: host,
  note,
  onRefused,
  ...deps
}: Parts): Run => {
  /** Nothing that is not sent by `answerBy` is sent, and this process has a word where the caller named no operator. */
  const withBounds = (order: ExecutionOrder, { context }: RequestOptions): ExecutionOrder => {
    const boundMs = answerBound(order.execution.timeoutMs, context)
    // A resumed execution keeps the operator that it had, also for a caller that named none.
    const isUnnamed = order.operatorPackage === null || (context.isOperatorUnnamed && order.resumes === undefined)
    return {
      ...order,
      operatorPackage: isUnnamed ? null : (order.operatorPackage ?? deps.operatorPackage),
      answerBy: boundMs === undefined ? undefined : clock.elapsed() + boundMs,
    }
  }

  /** A device may tell of a cancelled execution after it was answered. */
  const withSecrets = async <T>({ secrets, executionId }: RequestContext, work: () => Promise<T>): Promise<T> => {
    const isOwner = secrets !== undefined && executionId !== undefined
    const forget = isOwner ? deps.secrets?.borrow(executionId, secrets) : undefined
    try {
      return await work()
    } finally {
      if (forget) deps.secrets?.forgetLater(forget, SECRETS_KEPT_MS, clock)
    }
  }

  const executed = async (order: ExecutionOrder, call: RequestOptions): Promise<ExecutedOnce> => {
    const { executionId, idempotencyKey } = call.context
    const bounded = withBounds(order, call)
    if (executionId !== undefined) return executions().executeAs(executionId, bounded, idempotencyKey)
    if (idempotencyKey !== undefined) return executions().executeOnce(idempotencyKey, bounded)
    return { kind: 'executed', ...(await executions().execute(bounded)) }
  }

  const placed = (
    answer: Result<ExecutionSuccess>,
    { execution, screenshots: { relativeTo, newFilesIn: folder, ownerOnlyIn } }: ExecutionOrder,
    call: RequestOptions,
  ) =>
    placePictures(answer, execution, {
      host,
      service: { 'executions.picture': localPicture(deps) },
      relativeTo,
      folder,
      ownerOnlyIn,
      call,
    })

  /** With a lease and without a device, the request is for the reserved one. The record that begins it judges once more. */
  const onLeasedDevice = (
    order: ExecutionOrder,
  ): { ok: true; order: ExecutionOrder } | { ok: false; error: ErrorObject } => {
    const { leaseId } = order
    if (leaseId === undefined) return { ok: true, order }
    const held = deps.reservations().check(leaseId)
    return held.ok ? { ok: true, order: { ...order, deviceId: order.deviceId ?? held.lease.deviceId } } : held
  }

  /** `last` is the newest execution before this one; over the network it would be that of somebody else. */
  const withNamedSince = (
    order: ExecutionOrder,
  ): { ok: true; order: ExecutionOrder } | { ok: false; error: ErrorObject } => {
    const { view, deviceId, caller } = order
    if (view?.since === undefined || caller === 'http') return { ok: true, order }
    const found = namedExecution(deps.journal(), view.since, deviceId?.trim() || undefined)
    return found.ok ? { ok: true, order: { ...order, view: { ...view, since: found.executionId } } } : found
  }

  /** Where paths become absolute, listeners of events still hear the execution as it was sent. */
  const withFullPaths = (order: ExecutionOrder): ExecutionOrder => {
    const execution = withAbsolutePaths(order.execution, screenshots.relativeTo)
    return execution === order.execution ? order : { ...order, execution, input: sentExecution(order) }
  }

  const refused = (error: ErrorObject, order: ExecutionOrder, facts?: ResultFacts) => {
    onRefused?.({ deviceId: order.deviceId ?? '', input: sentExecution(order), result: { ok: false, error } })
    return failed(error, facts)
  }

  return (requested, call) =>
    answering<ExecutionSuccess>(
      async () => {
        const unfit = deadlineProblem(requested.execution.timeoutMs, call.context)
        if (unfit) return refused(unfit, requested)
        const full = withFullPaths(requested)
        // The paths of one that is resumed are of the host that has its record.
        const elsewhere = isOfAnotherMachine(call.context) && requested.resumes === undefined
        const closed =
          (elsewhere ? elsewhereProblem(full.execution, host ?? 'another') : undefined) ??
          (await hostPathProblem(full.execution, call.context))
        if (closed) return refused(closed, requested)
        const leased = onLeasedDevice(full)
        if (!leased.ok) return refused(leased.error, requested)
        const named = withNamedSince(leased.order)
        if (!named.ok) return refused(named.error, leased.order)
        const { order } = named
        // An undoing is such a request itself.
        const undoing = order.isFollowUp
          ? undefined
          : deps.undo?.().beforeUse(order.deviceId?.trim() || undefined, order.leaseId)
        if (undoing !== undefined) await undoing
        const ran = await withSecrets(call.context, () => executed(order, call))
        if (ran.kind === 'reused') {
          return refused(reusedKey(ran.executionId), order)
        }
        const { result, executionId, deviceId = order.deviceId } = ran
        const facts = { executionId, deviceId }
        if (result.ok) {
          const answer = success(result, facts)
          return ran.kind === 'replayed' ? placed(answer, order, call) : answer
        }
        const error = located(result.error, host, executionId)
        // An accepted execution is told by the record that ends it.
        return executionId === undefined ? refused(error, { ...order, deviceId }, facts) : failed(error, facts)
      },
      { what: 'an execution', note },
    )
}
