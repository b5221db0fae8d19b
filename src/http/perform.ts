/** What the three execution routes share: run it, answer it with its receipt's id, tell those who listen. */
import type { IncomingMessage } from 'node:http'
import { isAbsolute, join } from 'node:path'
import type { ErrorObject } from '../contracts/error.ts'
import type { Execution } from '../contracts/execution.ts'
import type { ExecutionResult } from '../contracts/execution-result.ts'
import { failure, httpStatusOf } from '../contracts/failures.ts'
import { EXECUTION_ID_HEADER } from '../contracts/receipt.ts'
import { isSkillRunId, SKILL_RUN_HEADER } from '../contracts/skill-run-id.ts'
import type { Executed } from '../executions/execute.ts'
import type { ExecutedOnce } from '../executions/service.ts'
import { screenshotPathProblem } from '../operator/screenshot-file.ts'
import { answerText, refuse } from './answer.ts'
import type { HttpDeps } from './deps.ts'
import type { RouteContext } from './module.ts'
import { resultText } from './result-text.ts'
import { asError, described, isKnown } from './thrown.ts'

export interface Asked {
  execution: Execution
  /** As the caller sent it, for those who listen. */
  input: unknown
  deviceId: string | undefined
  operatorPackage: string | undefined
  idempotencyKey?: string | undefined
  /** The skill run that causes it, by the header of that name. */
  skillRunId?: string | undefined
}

export type SkillRunRead = { ok: true; skillRunId: string | undefined } | { ok: false; error: ErrorObject }

export const readSkillRun = ({ headers }: IncomingMessage): SkillRunRead => {
  const given = headers[SKILL_RUN_HEADER.toLowerCase()]
  const skillRunId = Array.isArray(given) ? given.join() : given
  if (skillRunId === undefined || isSkillRunId(skillRunId)) return { ok: true, skillRunId }
  return { ok: false, error: failure('INVALID_BODY', `The header ${SKILL_RUN_HEADER} is no id of a skill run.`) }
}

/** A blank one counts as not given. */
export const namedDevice = (deviceId: string | undefined): string | undefined =>
  deviceId === undefined || deviceId.trim() === '' ? undefined : deviceId

/** Where a named path leads, seen from this listener, and why no screenshot may go there. */
export const pathProblem = (path: string, { screenshots }: HttpDeps): Promise<string | undefined> =>
  screenshotPathProblem(isAbsolute(path) ? path : join(screenshots.relativeTo, path))

/** Every failure after acceptance names the receipt. */
const withExecutionId = (result: ExecutionResult, executionId: string | undefined): ExecutionResult => {
  if (result.ok || executionId === undefined || result.error.details?.executionId === executionId) return result
  return { ok: false, error: { ...result.error, details: { ...result.error.details, executionId } } }
}

/** An execution that was not valid: told to those who listen if the caller named a device. */
export const refuseExecution = (
  { outcomes }: RouteContext,
  { input, deviceId, error }: { input: unknown; deviceId: string | undefined; error: ErrorObject },
): Response => {
  const result = { ok: false as const, error }
  if (deviceId !== undefined) {
    setImmediate(() => outcomes.tell({ deviceId, input, result, text: resultText(result) }))
  }
  return refuse(error)
}

export const perform = async ({ deps, outcomes }: RouteContext, asked: Asked): Promise<Response> => {
  const { execution, input, deviceId, idempotencyKey, skillRunId } = asked
  const { executions, screenshots, note } = deps
  const taken = outcomes.take(input)
  const { executionId: minted } = taken
  const operatorPackage = asked.operatorPackage ?? deps.operatorPackage
  const request = { execution, deviceId, operatorPackage, screenshots, executionId: minted, skillRunId }

  const run = async (): Promise<ExecutedOnce> => {
    try {
      // Without a signal: a caller who leaves cancels nothing.
      if (idempotencyKey !== undefined) return await executions.executeOnce(idempotencyKey, request)
      return { kind: 'executed', ...(await executions.execute(request)) }
    } catch (thrown) {
      if (!isKnown(thrown)) note(`an execution broke: ${described(thrown)}`)
      return { kind: 'executed', result: { ok: false, error: asError(thrown, 'INTERNAL_ERROR') } }
    }
  }

  const tell = (executed: Executed, result: ExecutionResult, text: ReturnType<typeof resultText>) => {
    const known = executed.deviceId ?? deviceId
    if (known === undefined) return outcomes.drop(taken)
    outcomes.tell({ deviceId: known, executionId: executed.executionId, input, result, text }, taken)
  }

  const executed = await run()
  if (executed.kind === 'reused') {
    setImmediate(() => outcomes.drop(taken))
    const hint = 'Use a new key for another payload.'
    return refuse(failure('IDEMPOTENCY_KEY_REUSED', 'The key was used before with another payload.', { hint }))
  }
  const { executionId } = executed
  const result = withExecutionId(executed.result, executionId)
  const text = resultText(result)
  // After the answer, which waits for nobody who listens.
  setImmediate(() => (executed.kind === 'replayed' ? outcomes.drop(taken) : tell(executed, result, text)))
  return answerText(
    text.json,
    result.ok ? 200 : httpStatusOf(result.error.code),
    executionId === undefined ? {} : { [EXECUTION_ID_HEADER]: executionId },
  )
}
