/**
 * Runs one valid execution in this process, under the conditions of its caller, and turns exceptions of the parts
 * below into failures.
 */

import type { ScreenOptions } from '../../contracts/device/screen.ts'
import { ANSWER_WITHIN_HEADER } from '../../contracts/doors/headers.ts'
import type { RequestContext } from '../../contracts/doors/request-context.ts'
import type { Execution } from '../../contracts/executions/execution.ts'
import type { ExecutionSuccess } from '../../contracts/executions/execution-result.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { type FailureCode, failure } from '../../contracts/failures/failures.ts'
import { isSameJson } from '../../contracts/json/json.ts'
import { answerBound } from '../deadline.ts'
import { namedExecution } from '../executions/last-execution.ts'
import type { ExecutionOrder } from '../executions/order.ts'
import type { ExecutedOnce } from '../executions/service.ts'
import { describeError, errorOf, isKnownError } from '../executions/to-error.ts'
import { elsewhereProblem, fileRootsOf, hostPathProblem, isOfAnotherMachine, withAbsolutePaths } from '../host-paths.ts'
import { placePictures } from '../pictures.ts'
import { failed, type RequestOptions, type Result, type ResultFacts, success } from '../service.ts'
import type { LocalDeps } from './deps.ts'
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

/** A valid execution, and how it is to be run. */
export interface Work {
  readonly execution: Execution
  /** The execution as the caller sent it, for listeners of events. */
  readonly input: unknown
  readonly deviceId?: string | undefined
  /** Null when nobody named one, whatever this process was started with. */
  readonly operatorPackage?: string | null | undefined
  readonly view?: ScreenOptions | undefined
  /** How long it may wait for a device that is busy. */
  readonly waitMs?: number | undefined
  /** Pictures with no path of their own go here, in place of the usual folder. */
  readonly pictureFolder?: string | undefined
  /** Present when the execution resumes another one: the id of that one, and where its screenshots go. */
  readonly resumed?: Pick<ExecutionOrder, 'resumes' | 'screenshots'> | undefined
}

export type Run = (work: Work, call: RequestOptions) => Promise<Result<ExecutionSuccess>>

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
  listener,
  clock,
  host,
  note,
  onRefused,
  ...deps
}: LocalDeps): Run => {
  const requestOf = (work: Work, { context, signal, leave, onProgress }: RequestOptions): ExecutionOrder => {
    const { execution, input, deviceId, pictureFolder: newFilesIn } = work
    const { skillRunId, leaseId, sent, caller, confirmed, picturePaths } = context
    const boundMs = answerBound(execution.timeoutMs, context)
    // A resumed execution keeps the operator that it had, also for a caller that named none.
    const fileRoots = fileRootsOf(context)
    const isUnnamed = work.operatorPackage === null || (context.isOperatorUnnamed && !work.resumed)
    const isAsGiven = input === execution || isSameJson(input, execution)
    return {
      execution,
      deviceId,
      operatorPackage: isUnnamed ? undefined : (work.operatorPackage ?? deps.operatorPackage),
      screenshots: newFilesIn === undefined ? screenshots : { ...screenshots, newFilesIn },
      ...work.resumed,
      picturePaths,
      skillRunId,
      ...(leaseId === undefined ? {} : { leaseId }),
      view: work.view,
      caller,
      ...(fileRoots === undefined ? {} : { fileRoots }),
      ...(confirmed === undefined ? {} : { confirmed }),
      ...(context.isFollowUp ? { isFollowUp: true } : {}),
      ...(sent === undefined ? {} : { isSent: true }),
      ...(sent?.epoch === undefined ? {} : { epoch: sent.epoch }),
      listener,
      ...(isAsGiven ? {} : { input }),
      // A request that cannot be sent in time is not sent.
      answerBy: boundMs === undefined ? undefined : clock.elapsed() + boundMs,
      ...(signal === undefined ? {} : { cancel: signal }),
      ...(work.waitMs ? { waitMs: work.waitMs, leave } : {}),
      ...(onProgress === undefined
        ? {}
        : {
            onRequested: ({ executionId, deviceId: serial }) =>
              onProgress({ kind: 'begun', actor: `device:${serial}`, executionId }),
            onPlace: waiting => onProgress({ kind: 'waiting', ...waiting }),
          }),
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

  const executed = async (work: Work, call: RequestOptions): Promise<ExecutedOnce> => {
    const { executionId, idempotencyKey } = call.context
    const request = requestOf(work, call)
    if (executionId !== undefined) return executions().executeAs(executionId, request, idempotencyKey)
    if (idempotencyKey !== undefined) return executions().executeOnce(idempotencyKey, request)
    return { kind: 'executed', ...(await executions().execute(request)) }
  }

  const placed = (answer: Result<ExecutionSuccess>, { execution, pictureFolder }: Work, call: RequestOptions) =>
    placePictures(answer, execution, {
      host,
      service: { 'executions.picture': localPicture(deps) },
      relativeTo: screenshots.relativeTo,
      folder: pictureFolder ?? screenshots.newFilesIn,
      ownerOnlyIn: screenshots.ownerOnlyIn,
      call,
    })

  /** With a lease and without a device, the request is for the reserved one. The record that begins it judges once more. */
  const onLeasedDevice = (
    work: Work,
    { leaseId }: RequestContext,
  ): { ok: true; work: Work } | { ok: false; error: ErrorObject } => {
    if (leaseId === undefined) return { ok: true, work }
    const held = deps.reservations().check(leaseId)
    return held.ok ? { ok: true, work: { ...work, deviceId: work.deviceId ?? held.lease.deviceId } } : held
  }

  /** `last` is the newest execution before this one; over the network it would be that of somebody else. */
  const withNamedSince = (
    work: Work,
    { caller }: RequestContext,
  ): { ok: true; work: Work } | { ok: false; error: ErrorObject } => {
    const { view, deviceId } = work
    if (view?.since === undefined || caller === 'http') return { ok: true, work }
    const found = namedExecution(deps.journal(), view.since, deviceId?.trim() || undefined)
    return found.ok ? { ok: true, work: { ...work, view: { ...view, since: found.executionId } } } : found
  }

  const refused = (error: ErrorObject, { input, deviceId }: Pick<Work, 'input' | 'deviceId'>, facts?: ResultFacts) => {
    onRefused?.({ deviceId: deviceId ?? '', input, result: { ok: false, error } })
    return failed(error, facts)
  }

  return (requested, call) =>
    answering<ExecutionSuccess>(
      async () => {
        const unfit = deadlineProblem(requested.execution.timeoutMs, call.context)
        if (unfit) return refused(unfit, requested)
        const execution = withAbsolutePaths(requested.execution, screenshots.relativeTo)
        // The paths of one that is resumed are of the host that has its record.
        const elsewhere = isOfAnotherMachine(call.context) && !requested.resumed
        const closed =
          (elsewhere ? elsewhereProblem(execution, host ?? 'another') : undefined) ??
          (await hostPathProblem(execution, call.context))
        if (closed) return refused(closed, requested)
        const leased = onLeasedDevice(requested, call.context)
        if (!leased.ok) return refused(leased.error, requested)
        const named = withNamedSince({ ...leased.work, execution }, call.context)
        if (!named.ok) return refused(named.error, leased.work)
        const { work } = named
        // An undoing is such a request itself.
        const undoing = call.context.isFollowUp
          ? undefined
          : deps.undo?.().beforeUse(work.deviceId?.trim() || undefined, call.context.leaseId)
        if (undoing !== undefined) await undoing
        const ran = await withSecrets(call.context, () => executed(work, call))
        if (ran.kind === 'reused') {
          return refused(reusedKey(ran.executionId), work)
        }
        const { result, executionId, deviceId = work.deviceId } = ran
        const facts = { executionId, deviceId }
        if (result.ok) {
          const answer = success(result, facts)
          return ran.kind === 'replayed' ? placed(answer, work, call) : answer
        }
        const error = located(result.error, host, executionId)
        // An accepted execution is told by the record that ends it.
        return executionId === undefined ? refused(error, { input: work.input, deviceId }, facts) : failed(error, facts)
      },
      { what: 'an execution', note },
    )
}
