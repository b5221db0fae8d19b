/** The way of every tool that reaches a device: judge the execution, run it, cancel it with the call, and say what became of it. */
import type { ErrorObject } from '../contracts/error.ts'
import type { Execution } from '../contracts/execution.ts'
import type { ExecutionSuccess } from '../contracts/execution-result.ts'
import { failure } from '../contracts/failures.ts'
import type { ObservedScreen, ScreenOptions } from '../contracts/screen.ts'
import type { Executed } from '../executions/execute.ts'
import { validateExecution } from '../executions/validate.ts'
import { type Fate, failed } from './answers.ts'
import type { McpDeps } from './deps.ts'
import { transitionText } from './progress.ts'
import type { ToolCall, ToolResult } from './tool.ts'

export interface Asked {
  /** Still to be validated. */
  execution: unknown
  device?: string | undefined
  /** How snapshots are answered, and whether the screen is described afterwards. */
  view?: ScreenOptions | undefined
}

export type Performed =
  | {
      ok: true
      executionId: string
      deviceId: string
      envelope: ExecutionSuccess['envelope']
      observed?: ObservedScreen | undefined
    }
  | { ok: false; answer: ToolResult }

/** The receipt knows; where it cannot be read, the failure itself may. */
const fateOf = async (executionId: string | undefined, details: unknown, deps: McpDeps): Promise<Fate> => {
  if (executionId === undefined) return { dispatched: false }
  const said = (details as { dispatched?: unknown } | undefined)?.dispatched
  const receipt = await deps.executions.receipt(executionId).catch(() => undefined)
  const dispatched = receipt ? receipt.dispatchedAt !== undefined : said
  return typeof dispatched === 'boolean' ? { executionId, dispatched } : { executionId }
}

/** Refuses a path for a picture: the host chooses it. */
const pathProblem = ({ actions }: Execution) => {
  const index = actions.findIndex(({ type, params }) => type === 'take_screenshot' && params && 'path' in params)
  if (index < 0) return undefined
  const path = `actions.${index}.params.path`
  return failure(
    'EXECUTION_VALIDATION_FAILED',
    `actions[${index}] (take_screenshot): a path cannot be given over MCP.`,
    {
      details: { path },
      hint: 'Leave the path out: the picture is in the answer.',
    },
  )
}

const run = (execution: Execution, { device, view }: Asked, call: ToolCall): Promise<Executed> => {
  const { deps, signal, progress, confirmation } = call
  const { executions, screenshots, operatorPackage, skillRunId, listener } = deps
  return executions.execute({
    execution,
    deviceId: device?.trim() ? device : deps.deviceId,
    operatorPackage,
    screenshots,
    skillRunId,
    view,
    caller: 'mcp',
    confirmed: confirmation.confirmed,
    listener,
    cancel: signal,
    onRequested({ deviceId }) {
      const actor = `device:${deviceId}`
      progress.watch(record => (record.actor === actor ? transitionText(record) : undefined))
    },
    onForwarded({ host, state }) {
      progress.tell(`execution.${state}: host ${host}`)
    },
  })
}

/** A person is asked only while nothing was sent: with a yes, the call begins anew. */
const failedOrAsked = async (
  error: ErrorObject,
  executionId: string | undefined,
  { deps, confirmation }: ToolCall,
): Promise<ToolResult> => {
  const fate = await fateOf(executionId, error.details, deps)
  const question = fate.dispatched === false ? await confirmation.ask(error) : undefined
  return question ?? failed(error, fate)
}

export const perform = async (asked: Asked, call: ToolCall): Promise<Performed> => {
  const refused = (error: ErrorObject): Performed => ({
    ok: false,
    answer: failed(error, { dispatched: false }),
  })
  const validation = validateExecution(asked.execution)
  if (!validation.ok) return refused(validation.error)
  const { execution } = validation
  const problem = pathProblem(execution)
  if (problem) return refused(problem)
  const { result, executionId } = await run(execution, asked, call)
  if (!result.ok) {
    return { ok: false, answer: await failedOrAsked(result.error, executionId, call) }
  }
  const { envelope, deviceId, observed } = result
  if (envelope.status === 'success' && executionId !== undefined) {
    return { ok: true, executionId, deviceId, envelope, observed }
  }
  const { code = 'INTERNAL_ERROR', message = 'The execution failed.', ...more } = envelope.error ?? {}
  const error = { ...more, code: envelope.errorCode ?? code, message }
  return { ok: false, answer: await failedOrAsked(error, executionId, call) }
}
