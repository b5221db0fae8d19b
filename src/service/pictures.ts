/** Screenshots of a phone of another host: taken there, and written here. A path is of the caller's machine, so that host never sees it. */
import { isAbsolute, join } from 'node:path'
import { pictureUrl, stepInPath } from '../contracts/device/picture-url.ts'
import type { RequestContext } from '../contracts/doors/request-context.ts'
import type { Execution } from '../contracts/executions/execution.ts'
import type { ExecutionSuccess, StepResult } from '../contracts/executions/execution-result.ts'
import type { ErrorObject } from '../contracts/failures/error.ts'
import { failure } from '../contracts/failures/failures.ts'
import { screenshotPathProblem, writeScreenshot } from '../device/screenshot-file.ts'
import { makeFolder } from '../runtime/files/make-folder.ts'
import { messageOf } from '../runtime/message-of.ts'
import {
  digestOfPaths,
  type PicturePaths,
  pathsToResume,
  rememberPaths,
  withoutPicturePaths,
} from './executions/picture-paths.ts'
import { validateExecution } from './executions/validate.ts'
import { failed, type RequestOptions, type Result, type Service } from './service.ts'

const SCREENSHOT = 'take_screenshot'
const FOLDER_MODE = 0o700

export interface WithoutPaths {
  execution: Execution
  paths: PicturePaths
  /** Where paths were named: their digest, under which the host of the phone takes it for the same execution. */
  conditions: Pick<RequestContext, 'picturePaths'>
}

/** A relative path begins in `relativeTo`. The same execution is returned where no step names a path. */
export const takePicturePaths = (
  whole: Execution,
  { picturePaths: before }: RequestContext,
  relativeTo: string,
): WithoutPaths => {
  const { execution, named } = withoutPicturePaths(whole)
  const steps = whole.actions.length
  const picturePaths = before ?? digestOfPaths(named)
  return {
    execution,
    paths: new Map([...named].map(([position, path]) => [steps - position, absolute(path, relativeTo)])),
    conditions: picturePaths === undefined ? {} : { picturePaths },
  }
}

const absolute = (path: string, relativeTo: string) => (isAbsolute(path) ? path : join(relativeTo, path))

/** Why no picture may be written to this path, in words; undefined when one may. */
export const pathProblem = (path: string, relativeTo: string): Promise<string | undefined> =>
  screenshotPathProblem(absolute(path, relativeTo))

export const PATH_HINT = 'Name a new file, or a picture that may be replaced, in a folder that svc can write to.'

/** The first picture whose path may not be written: checked before anything is sent to a device. */
export const picturePathProblem = async (
  { actions }: Execution,
  relativeTo: string,
): Promise<ErrorObject | undefined> => {
  for (const [index, { id, type, params }] of actions.entries()) {
    if (type !== SCREENSHOT || params?.path === undefined) continue
    const problem = await pathProblem(params.path, relativeTo)
    if (problem === undefined) continue
    return failure('EXECUTION_VALIDATION_FAILED', `actions[${index}] (${type}): params.path: ${problem}`, {
      details: { path: `actions.${index}.params.path`, actionId: id, actionType: type },
      hint: PATH_HINT,
    })
  }
  return undefined
}

export interface FetchPictures {
  /** The host that has the execution; undefined outside of a fleet. */
  host: string | undefined
  executionId: string
  paths?: PicturePaths
  /** The pictures are files of this host: only those that are named by other paths are written. */
  isHere?: true
  /** How many steps the execution has: fewer may have results. */
  steps: number
  /** Pictures with no path of their own go here. */
  folder: string
  /** Pictures below this folder are of their user alone. */
  ownerOnlyIn: string | undefined
  service: Pick<Service, 'executions.picture'>
  call: RequestOptions
}

export interface PicturesHere {
  /** Relative paths of the caller start here. */
  relativeTo: string
  folder: string
  ownerOnlyIn: string | undefined
}

const fetchOne = async ({ id }: StepResult, position: number, options: FetchPictures) => {
  const { paths, steps, folder, service, executionId, call } = options
  const fetched = await service['executions.picture'](
    { executionId, step: stepInPath(id), position },
    { context: { caller: call.context.caller } },
  )
  if (!fetched.ok) return { ok: false as const, problem: fetched.error.message }
  const named = paths?.get(steps - position)
  try {
    if (named === undefined) makeFolder(folder, FOLDER_MODE)
  } catch (error) {
    return { ok: false as const, problem: `${folder} cannot be made: ${messageOf(error)}` }
  }
  const path = named ?? join(folder, `${encodeURIComponent(executionId)}.${position}.png`)
  return writeScreenshot({ path, png: fetched.value, ownerOnlyIn: options.ownerOnlyIn })
}

/** Fails the step, as on the phone's machine when a picture cannot be written; but this one can still be fetched. */
const notFetched = ({ id }: StepResult, position: number, problem: string, { host, executionId }: FetchPictures) => {
  const code = 'EVIDENCE_CAPTURE_FAILED'
  const where = host === undefined ? 'to its path' : `here from host ${host}`
  const reason = `the picture was taken, but could not be brought ${where}: ${problem.replace(/\.$/, '')}`
  const failedStep: StepResult = { id, actionType: SCREENSHOT, success: false, data: { error: code, message: reason } }
  const error = failure(code, `Step "${id}" (${SCREENSHOT}) failed: ${reason}.`, {
    details: { actionId: id, actionType: SCREENSHOT, ...(host === undefined ? {} : { host }), executionId },
    hint: `Get the picture with GET ${pictureUrl(executionId, { id, position })}${host === undefined ? '' : ' of any host of the fleet'}.`,
  })
  return { failedStep, error }
}

const tookPicture = ({ actionType, success }: StepResult): boolean => actionType === SCREENSHOT && success

/** The answer with the paths of this machine; the steps after a picture that does not get here have run all the same. */
export const fetchPictures = async (
  result: Result<ExecutionSuccess>,
  options: FetchPictures,
): Promise<Result<ExecutionSuccess>> => {
  if (!result.ok || !result.value.envelope.stepResults.some(tookPicture)) return result
  const { envelope } = result.value
  const fetched = { ...envelope, stepResults: [...envelope.stepResults] }
  for (const [position, step] of envelope.stepResults.entries()) {
    if (!tookPicture(step)) continue
    const named = options.paths?.get(options.steps - position)
    if (options.isHere && (named === undefined || named === step.data.path)) continue
    const written = await fetchOne(step, position, options)
    if (written.ok) {
      fetched.stepResults[position] = { ...step, data: { ...step.data, path: written.path } }
      continue
    }
    const { failedStep, error } = notFetched(step, position, written.problem, options)
    fetched.stepResults[position] = failedStep
    if (fetched.error === null) Object.assign(fetched, { status: 'failed', error, errorCode: error.code })
  }
  return { ...result, value: { ...result.value, envelope: fetched } }
}

/** A repeated request is answered with what the first one did; its pictures are written where this caller named their paths. */
export const placePictures = (
  result: Result<ExecutionSuccess>,
  execution: Execution,
  options: Pick<FetchPictures, 'host' | 'service' | 'call'> & PicturesHere,
): Promise<Result<ExecutionSuccess>> => {
  const { relativeTo, ...rest } = options
  const { paths } = takePicturePaths(execution, options.call.context, relativeTo)
  const steps = execution.actions.length
  return fetchPictures(result, { ...rest, isHere: true, executionId: result.executionId ?? '', paths, steps })
}

/** The answer of an earlier version does not tell: then all steps have results. */
export const stepsOf = (result: Result<ExecutionSuccess>): number =>
  result.steps ?? (result.ok ? result.value.envelope.stepResults.length : 0)

/** A remote service whose pictures are fetched from there and written on this machine, where the caller named their paths. */
export const withPictures = (
  service: Service,
  { relativeTo, folder, ownerOnlyIn, newExecutionId }: PicturesHere & { newExecutionId(): string },
): Service => {
  const conditionsOf = (call: RequestOptions): RequestOptions & { context: { executionId: string } } => ({
    ...call,
    context: { ...call.context, fetchesPictures: true, executionId: call.context.executionId ?? newExecutionId() },
  })
  const fetched = (
    result: Result<ExecutionSuccess>,
    call: RequestOptions,
    { paths, steps }: Pick<FetchPictures, 'steps'> & { paths: PicturePaths },
  ) => {
    const { host = '', executionId = call.context.executionId ?? '' } = result
    return fetchPictures(result, { host, executionId, paths, steps, folder, ownerOnlyIn, service, call })
  }
  return {
    ...service,
    /** Judged here, so that a path is known under whichever name it was given. */
    async execute(input, options) {
      const call = conditionsOf(options)
      const validation = validateExecution(input.execution)
      if (!validation.ok) return failed(validation.error)
      const unwritable = await picturePathProblem(validation.execution, relativeTo)
      if (unwritable) return failed(unwritable)
      const { execution, paths, conditions } = takePicturePaths(validation.execution, call.context, relativeTo)
      const sent = paths.size === 0 ? input : { ...input, execution }
      await rememberPaths(folder, call.context.executionId, paths)
      const context = { ...call.context, ...conditions }
      const result = await service.execute(sent, { ...call, context })
      return fetched(result, call, { paths, steps: execution.actions.length })
    },
    async 'executions.resume'(input, options) {
      const call = conditionsOf(options)
      const paths = await pathsToResume(folder, input.executionId, service, options)
      await rememberPaths(folder, call.context.executionId, paths)
      const result = await service['executions.resume'](input, call)
      return fetched(result, call, { paths, steps: stepsOf(result) })
    },
  }
}
