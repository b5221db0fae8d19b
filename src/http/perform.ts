/** What the three execution routes share: run it, answer it with its receipt's id, tell those who listen. */
import type { IncomingMessage } from 'node:http'
import { isAbsolute, join } from 'node:path'
import { CALLER_HEADER, CHOSEN_ID_HEADER, CONFIRMED_HEADER } from '../contracts/daemon-headers.ts'
import type { ErrorObject } from '../contracts/error.ts'
import type { Execution } from '../contracts/execution.ts'
import type { ExecutionResult } from '../contracts/execution-result.ts'
import { failure, httpStatusOf } from '../contracts/failures.ts'
import { FLEET_EPOCH_HEADER, FLEET_FROM_HEADER } from '../contracts/fleet-headers.ts'
import { EXECUTION_ID_HEADER } from '../contracts/literals.ts'
import type { View } from '../contracts/screen.ts'
import { isSkillRunId, SKILL_RUN_HEADER } from '../contracts/skill-run-id.ts'
import { describeError, errorOf, isKnownError } from '../executions/error-of.ts'
import type { ExecuteRequest } from '../executions/execute.ts'
import type { ExecutedOnce } from '../executions/service.ts'
import { screenshotPathProblem } from '../operator/screenshot-file.ts'
import { isId } from '../runtime/ids.ts'
import { answerText, refuse } from './answer.ts'
import type { HttpDeps } from './deps.ts'
import { headerOf } from './headers.ts'
import type { RouteContext } from './module.ts'
import { resultText, withExecutionId } from './result-text.ts'

export interface PerformRequest {
  execution: Execution
  /** As the caller sent it, for those who listen. */
  input: unknown
  deviceId: string | undefined
  /** Null when the caller says that nobody named one, whatever this listener was started with. */
  operatorPackage: string | null | undefined
  idempotencyKey?: string | undefined
  /** The skill run that causes it, by the header of that name. */
  skillRunId?: string | undefined
  /** Of an execution that goes on with another one: that one's id, and where its screenshots go. */
  resumed?: Pick<ExecuteRequest, 'resumes' | 'screenshots'> | undefined
  /** How long the caller waits, by the header of that name. */
  answerWithin?: string | undefined
  view?: View | undefined
  from: From
}

/** By which way the caller was asked, what a person has confirmed to it, and what another host says of the execution. */
export type From = Required<Pick<ExecuteRequest, 'caller'>> &
  Pick<ExecuteRequest, 'confirmed' | 'executionId' | 'epoch' | 'isSent'>

const decoded = (id: string): string[] => {
  try {
    return [decodeURIComponent(id.trim())]
  } catch {
    return []
  }
}

/** Whoever reaches this listener over a network is an HTTP caller, whatever it says. */
export const readFrom = ({ headers }: IncomingMessage, { isPrivate }: Pick<HttpDeps, 'isPrivate'>): From => {
  if (!isPrivate) return { caller: 'http' }
  const { [CALLER_HEADER]: caller, [CONFIRMED_HEADER]: confirmed, [CHOSEN_ID_HEADER]: executionId } = headers
  const epoch = headers[FLEET_EPOCH_HEADER]
  const fleet = {
    ...(typeof executionId === 'string' ? { executionId } : {}),
    ...(headers[FLEET_FROM_HEADER] === undefined ? {} : { isSent: true }),
    ...(typeof epoch === 'string' && /^\d{1,15}$/.test(epoch) ? { epoch: Number(epoch) } : {}),
  }
  if (caller !== 'cli' && caller !== 'mcp') return { caller: 'http', ...fleet }
  return {
    caller,
    ...(typeof confirmed === 'string' ? { confirmed: confirmed.split(',').flatMap(decoded) } : {}),
    ...fleet,
  }
}

/** Undefined for a body that asks for nothing of it. */
export const viewIn = ({ format, since, observe }: View): View | undefined => {
  const view = {
    ...(format === undefined ? {} : { format }),
    ...(since === undefined ? {} : { since }),
    ...(observe === undefined ? {} : { observe }),
  }
  return Object.keys(view).length === 0 ? undefined : view
}

export type SkillRunRead = { ok: true; skillRunId: string | undefined } | { ok: false; error: ErrorObject }

export const readSkillRun = (incoming: IncomingMessage): SkillRunRead => {
  const skillRunId = headerOf(incoming, SKILL_RUN_HEADER)
  if (skillRunId === undefined || isSkillRunId(skillRunId)) return { ok: true, skillRunId }
  return {
    ok: false,
    error: failure(
      'INVALID_BODY',
      `The header ${SKILL_RUN_HEADER} must be the id of a skill run, as SVC_SKILL_RUN_ID has it.`,
    ),
  }
}

/** A blank one counts as not given. */
export const namedDevice = (deviceId: string | undefined): string | undefined =>
  deviceId === undefined || deviceId.trim() === '' ? undefined : deviceId

/** Where a named path leads, seen from this listener, and why no screenshot may go there. */
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

/** For the answer's own way back. */
const WAY_BACK_MS = 200

/** A request that cannot be sent in time is not sent. */
const answerBy = (within: string | undefined, now: number): number | undefined =>
  within !== undefined && /^\d{1,9}$/.test(within) ? now + Number(within) - WAY_BACK_MS : undefined

const idProblem = (executionId: string | undefined): ErrorObject | undefined =>
  executionId === undefined || isId(executionId)
    ? undefined
    : failure('INVALID_BODY', `The header ${CHOSEN_ID_HEADER} must be a UUID of version 7 in lower case.`)

/** Who has the device is a process of some host: in a fleet, of which. */
const namingHost = (result: ExecutionResult, host: string | undefined): ExecutionResult => {
  if (host === undefined || result.ok || result.error.code !== 'EXECUTION_CONFLICT_IN_FLIGHT') return result
  return { ok: false, error: { ...result.error, details: { ...result.error.details, host } } }
}

export const perform = async ({ deps, outcomes }: RouteContext, asked: PerformRequest): Promise<Response> => {
  const { execution, input, deviceId, idempotencyKey, skillRunId } = asked
  const { executions, screenshots, note, listener, clock } = deps
  const { executionId: chosenId, ...from } = asked.from
  const unfit = idProblem(chosenId)
  if (unfit) return refuse(unfit)
  const isAsGiven = input === execution || JSON.stringify(input) === JSON.stringify(execution)
  const request = {
    execution,
    deviceId,
    operatorPackage: asked.operatorPackage === null ? undefined : (asked.operatorPackage ?? deps.operatorPackage),
    screenshots,
    ...asked.resumed,
    skillRunId,
    view: asked.view,
    ...from,
    listener,
    ...(isAsGiven ? {} : { input }),
    answerBy: answerBy(asked.answerWithin, clock.elapsed()),
  }

  const run = async (): Promise<ExecutedOnce> => {
    try {
      // Without a signal: a caller who leaves cancels nothing.
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
  // What was accepted is told by the record that ends it.
  if (executionId === undefined && known !== undefined) outcomes.refuse({ deviceId: known, input, result })
  return answerText(
    resultText(result).json,
    result.ok ? 200 : httpStatusOf(result.error.code),
    executionId === undefined ? {} : { [EXECUTION_ID_HEADER]: executionId },
  )
}
