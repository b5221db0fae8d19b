/** The way of every tool that reaches a device: run the execution, cancel it with the call, and say what became of it. */

import type { ObservedScreen, ScreenOptions } from '../../contracts/device/screen.ts'
import type { RequestContext } from '../../contracts/doors/request-context.ts'
import type { ExecutionSuccess } from '../../contracts/executions/execution-result.ts'
import { wasDispatched } from '../../contracts/executions/in-doubt.ts'
import { isScreenshotType, PATH_KEYS } from '../../contracts/executions/screenshot-aliases.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { failure } from '../../contracts/failures/failures.ts'
import { isObject, type JsonObject } from '../../contracts/json/json.ts'
import { isId } from '../../contracts/records/ids.ts'
import { deviceIdFor, viewIn } from '../../service/executions.ts'
import { type Progress, type RequestOptions, type Result, failed as refused, success } from '../../service/service.ts'
import { failed, type RequestReach } from './answers.ts'
import type { McpContext } from './options.ts'
import { transitionText } from './progress.ts'
import type { ToolCall, ToolResult } from './tool.ts'

/** The argument `device` of a tool: a serial, or a leaseId, which stands for the device of that reservation. */
interface Target {
  deviceId: string | undefined
  /** The reservation that the call belongs to. */
  leaseId: string | undefined
}

/** No serial looks like an id of svc. */
export const targetOf = (device: string | undefined, { deviceId, leaseId }: McpContext): Target => {
  const named = device?.trim() || undefined
  if (named === undefined) return { deviceId: leaseId === undefined ? deviceId : undefined, leaseId }
  return isId(named) ? { deviceId: undefined, leaseId: named } : { deviceId: named, leaseId }
}

/** The device of a tool that looks, which needs no reservation. */
export const deviceToLookAt = async (
  device: string | undefined,
  deps: McpContext,
  call: RequestOptions,
): Promise<Result<string>> => {
  const { deviceId, leaseId } = targetOf(device, deps)
  if (deviceId !== undefined || leaseId === undefined) return deviceIdFor(deps.service, deviceId, call)
  const listed = await deps.service['leases.list']({}, call)
  if (!listed.ok) return listed
  const held = listed.value.leases.find(lease => lease.leaseId === leaseId)
  return held
    ? success(held.deviceId)
    : refused(failure('LEASE_NOT_FOUND', `No reservation with the id ${leaseId} is held.`, { details: { leaseId } }))
}

export interface ExecutionToRun {
  /** Still to be validated. */
  execution: object
  device?: string | undefined
  /** How snapshots are answered, and whether the screen is described afterwards. */
  view?: ScreenOptions | undefined
  /** How long it may wait for a device that is busy. */
  waitMs?: number | undefined
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

/** The context of a tool call, for the service. */
export const contextOf = ({ deps, confirmation }: ToolCall, leaseId?: string): RequestContext => ({
  caller: 'mcp',
  confirmed: confirmation.confirmed,
  fileRoots: deps.fileRoots ?? [],
  skillRunId: deps.skillRunId,
  ...(leaseId === undefined ? {} : { leaseId }),
})

/** Shows the client how far its request is: by the records of this process, or by what another host tells. */
export const showProgress =
  ({ progress }: ToolCall, what: string) =>
  (update: Progress): void => {
    if (update.kind === 'elsewhere') progress.tell(`${what}.${update.state}: host ${update.host}`)
    else if (update.kind === 'waiting')
      progress.tell(`${what}.waiting: place ${update.place} for device ${update.deviceId}`)
    else progress.watch(record => (record.actor === update.actor ? transitionText(record) : undefined))
  }

/** Nothing was sent where nothing is said; undefined where it is unknown. */
export const dispatchedIn = ({ details }: ErrorObject): boolean | undefined => {
  const dispatched = details?.dispatched
  return dispatched === undefined ? false : typeof dispatched === 'boolean' ? dispatched : undefined
}

/** The receipt knows; where it cannot be read, the failure itself may. */
const outcomeOf = async (
  executionId: string | undefined,
  error: ErrorObject,
  { service }: McpContext,
): Promise<RequestReach> => {
  const stated = error.details?.dispatched
  if (executionId === undefined) return { dispatched: dispatchedIn(error) }
  const found = await service['executions.get']({ executionId }, { context: { caller: 'mcp' } })
  const dispatched = found.ok ? wasDispatched(found.value.execution) : stated
  return typeof dispatched === 'boolean' ? { executionId, dispatched } : { executionId }
}

/** Refuses a path for a picture: the picture is in the answer. */
const pathProblem = ({ actions }: { actions?: unknown }): ErrorObject | undefined => {
  if (!Array.isArray(actions)) return undefined
  const named = (action: unknown) =>
    isObject(action) && isScreenshotType(action.type) && isObject(action.params)
      ? PATH_KEYS.find(key => Object.hasOwn(action.params as object, key))
      : undefined
  const index = actions.findIndex(action => named(action) !== undefined)
  if (index < 0) return undefined
  const { id: actionId, type: actionType } = actions[index] as JsonObject
  const details = { path: `actions.${index}.params.${named(actions[index])}`, actionId, actionType }
  return failure(
    'EXECUTION_VALIDATION_FAILED',
    `actions[${index}] (take_screenshot): a path cannot be given over MCP.`,
    { details, hint: 'Leave the path out: the picture is in the answer.' },
  )
}

/** A person is asked only while nothing was sent: with a yes, the call begins anew. */
const failedOrAsked = async (
  error: ErrorObject,
  executionId: string | undefined,
  { deps, confirmation }: ToolCall,
): Promise<ToolResult> => {
  const outcome = await outcomeOf(executionId, error, deps)
  const question = outcome.dispatched === false ? await confirmation.ask(error) : undefined
  return question ?? failed(error, outcome)
}

export const perform = async (
  { execution, device, view, waitMs }: ExecutionToRun,
  call: ToolCall,
): Promise<Performed> => {
  const { deps, signal } = call
  const problem = pathProblem(execution)
  if (problem) return { ok: false, answer: failed(problem, { dispatched: false }) }
  const { deviceId, leaseId } = targetOf(device, deps)
  const { operatorPackage } = deps
  const input = {
    execution,
    ...(deviceId === undefined ? {} : { deviceId }),
    ...(operatorPackage === undefined ? {} : { operatorPackage }),
    ...viewIn(view ?? {}),
    ...(waitMs === undefined ? {} : { waitMs }),
  }
  const options = { context: contextOf(call, leaseId), signal, onProgress: showProgress(call, 'execution') }
  const result = await deps.service.execute(input, options)
  const { executionId } = result
  if (!result.ok) return { ok: false, answer: await failedOrAsked(result.error, executionId, call) }
  const { envelope, observed, deviceId: reached } = result.value
  if (envelope.status === 'success' && executionId !== undefined) {
    // Another host knows the device by its serial alone.
    const named = result.host === undefined ? reached : `${reached}@${result.host}`
    return { ok: true, executionId, deviceId: named, envelope, observed }
  }
  const { code = 'INTERNAL_ERROR', message = 'The execution failed.', ...more } = envelope.error ?? {}
  const error = { ...more, code: envelope.errorCode ?? code, message }
  return { ok: false, answer: await failedOrAsked(error, executionId, call) }
}
