/** Runs the execution of a route, answers with the id of its receipt, and tells those who listen. */
import { isAbsolute, join } from 'node:path'
import type { ErrorObject } from '../contracts/error.ts'
import type { Execution } from '../contracts/execution.ts'
import type { ExecutionResult } from '../contracts/execution-result.ts'
import { failure, httpStatusOf } from '../contracts/failures.ts'
import { ANSWER_WITHIN_HEADER, EXECUTION_ID_HEADER } from '../contracts/headers.ts'
import type { RequestContext } from '../contracts/request-context.ts'
import type { ScreenOptions } from '../contracts/screen.ts'
import { describeError, errorOf, isKnownError } from '../executions/error-of.ts'
import type { ExecuteRequest } from '../executions/execute.ts'
import type { ExecutedOnce } from '../executions/service.ts'
import { screenshotPathProblem } from '../operator/screenshot-file.ts'
import { answerText, refuse } from './answer.ts'
import type { HttpDeps } from './deps.ts'
import type { RouteContext } from './module.ts'
import { resultText, withExecutionId } from './result-text.ts'

export interface PerformRequest {
  execution: Execution
  /** The execution as the caller sent it, for listeners of events. */
  input: unknown
  deviceId: string | undefined
  /** Null when nobody named one, whatever this listener was started with. */
  operatorPackage: string | null | undefined
  /** Present when the execution resumes another one: the id of that one, and where its screenshots go. */
  resumed?: Pick<ExecuteRequest, 'resumes' | 'screenshots'> | undefined
  view?: ScreenOptions | undefined
  context: RequestContext
}

/** Undefined for a body that asks for nothing of it. */
export const viewIn = ({ format, since, observe }: ScreenOptions): ScreenOptions | undefined => {
  const view = {
    ...(format === undefined ? {} : { format }),
    ...(since === undefined ? {} : { since }),
    ...(observe === undefined ? {} : { observe }),
  }
  return Object.keys(view).length === 0 ? undefined : view
}

/** A blank one counts as not given. */
export const namedDevice = (deviceId: string | undefined): string | undefined =>
  deviceId === undefined || deviceId.trim() === '' ? undefined : deviceId

/** Resolves a path as this listener does, and says why no screenshot may go there. */
export const pathProblem = (path: string, { screenshots }: HttpDeps): Promise<string | undefined> =>
  screenshotPathProblem(isAbsolute(path) ? path : join(screenshots.relativeTo, path))

/** An execution that was not valid: told to those who listen if the caller named a device. */
export const refuseExecution = (
  { outcomes }: RouteContext,
  { input, deviceId, error }: { input: unknown; deviceId: string | undefined; error: ErrorObject },
): Response => {
  if (deviceId !== undefined) outcomes.refuse({ deviceId, input, result: { ok: false, error } })
  return refuse(error)
}

/** Leaves time for the answer to travel back. */
const WAY_BACK_MS = 200

/** A caller over the network may not wait for less than the execution may take: it would be told a failure of its own making. */
const deadlineProblem = (
  { timeoutMs }: Execution,
  { answerWithinMs }: RequestContext,
  { isPrivate }: Pick<HttpDeps, 'isPrivate'>,
): ErrorObject | undefined =>
  isPrivate || answerWithinMs === undefined || answerWithinMs >= timeoutMs
    ? undefined
    : failure(
        'INVALID_BODY',
        `The header ${ANSWER_WITHIN_HEADER} must be at least the timeoutMs of the execution, ${timeoutMs}.`,
      )

/** In a fleet these failures name the host whose process has the device or may still finish the execution. */
const NAMING_HOST: readonly string[] = ['EXECUTION_CONFLICT_IN_FLIGHT', 'EXECUTION_CANCELLED']

/** A host that was asked in turn has named itself. */
const namingHost = (result: ExecutionResult, host: string | undefined): ExecutionResult => {
  if (host === undefined || result.ok || !NAMING_HOST.includes(result.error.code)) return result
  return { ok: false, error: { ...result.error, details: { host, ...result.error.details } } }
}

export const perform = async ({ deps, outcomes }: RouteContext, asked: PerformRequest): Promise<Response> => {
  const { execution, input, deviceId, context } = asked
  const { executions, screenshots, note, listener, clock } = deps
  const { executionId: chosenId, idempotencyKey, skillRunId, answerWithinMs, sent, caller, confirmed } = context
  const unfit = deadlineProblem(execution, context, deps)
  if (unfit) return refuse(unfit)
  // A resumed execution keeps the operator that it had, also for a caller that named none.
  const isUnnamed = asked.operatorPackage === null || (context.isOperatorUnnamed && !asked.resumed)
  const isAsGiven = input === execution || JSON.stringify(input) === JSON.stringify(execution)
  const request = {
    execution,
    deviceId,
    operatorPackage: isUnnamed ? undefined : (asked.operatorPackage ?? deps.operatorPackage),
    screenshots,
    ...asked.resumed,
    skillRunId,
    view: asked.view,
    caller,
    ...(confirmed === undefined ? {} : { confirmed }),
    ...(sent === undefined ? {} : { isSent: true }),
    ...(sent?.epoch === undefined ? {} : { epoch: sent.epoch }),
    listener,
    ...(isAsGiven ? {} : { input }),
    // A request that cannot be sent in time is not sent.
    answerBy: answerWithinMs === undefined ? undefined : clock.elapsed() + answerWithinMs - WAY_BACK_MS,
  }

  const run = async (): Promise<ExecutedOnce> => {
    try {
      // No signal is passed: a caller who leaves cancels nothing.
      if (chosenId !== undefined) return await executions.executeAs(chosenId, request, idempotencyKey)
      if (idempotencyKey !== undefined) return await executions.executeOnce(idempotencyKey, request)
      return { kind: 'executed', ...(await executions.execute(request)) }
    } catch (thrown) {
      if (!isKnownError(thrown)) note(`an execution failed with an internal error: ${describeError(thrown)}`)
      return { kind: 'executed', result: { ok: false, error: errorOf(thrown, 'INTERNAL_ERROR') } }
    }
  }

  const executed = await run()
  if (executed.kind === 'reused') {
    const hint = 'Use a new key for another payload.'
    return refuse(failure('IDEMPOTENCY_KEY_REUSED', 'The key was used before with another payload.', { hint }))
  }
  const { executionId } = executed
  const result = withExecutionId(namingHost(executed.result, deps.fleet?.host), executionId)
  const known = executed.deviceId ?? deviceId
  // An accepted execution is told by the record that ends it.
  if (executionId === undefined && known !== undefined) outcomes.refuse({ deviceId: known, input, result })
  return answerText(
    resultText(result).json,
    result.ok ? 200 : httpStatusOf(result.error.code),
    executionId === undefined ? {} : { [EXECUTION_ID_HEADER]: executionId },
  )
}
