/** Screenshots of a phone of another host: taken there, and written here. A path is of the caller's machine, so that host never sees it. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import type { ErrorObject } from '../contracts/error.ts'
import type { Execution } from '../contracts/execution.ts'
import type { ExecutionSuccess, StepResult } from '../contracts/execution-result.ts'
import { failure } from '../contracts/failures.ts'
import { STATE_FILE_MODE } from '../contracts/limits.ts'
import { validateExecution } from '../executions/validate.ts'
import { screenshotPathProblem, writeScreenshot } from '../operator/screenshot-file.ts'
import { makeFolder } from '../runtime/make-folder.ts'
import { messageOf } from '../runtime/message-of.ts'
import { type Call, failed, type Result, type Service } from './service.ts'

const SCREENSHOT = 'take_screenshot'
const FOLDER_MODE = 0o700

/** Paths on this machine by the id of their step. */
export type PicturePaths = ReadonlyMap<string, string>

/** A relative path begins in `relativeTo`. The same execution is returned where no step names a path. */
export const withoutPicturePaths = (
  execution: Execution,
  relativeTo: string,
): { execution: Execution; paths: PicturePaths } => {
  const paths = new Map<string, string>()
  const actions = execution.actions.map(action => {
    if (action.type !== SCREENSHOT || action.params?.path === undefined) return action
    const { path, ...params } = action.params
    paths.set(action.id, absolute(path, relativeTo))
    return { ...action, params }
  })
  return { execution: paths.size === 0 ? execution : { ...execution, actions }, paths }
}

const absolute = (path: string, relativeTo: string) => (isAbsolute(path) ? path : join(relativeTo, path))

/** Why no picture may be written to this path, in words; undefined when one may. */
export const pathProblem = (path: string, relativeTo: string): Promise<string | undefined> =>
  screenshotPathProblem(absolute(path, relativeTo))

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
    })
  }
  return undefined
}

/** UUIDs of version 7 sort by time, so the first names are the oldest. */
const REMEMBERED_MAX = 1_000

/** The file that has the paths of one execution. */
const pathsFile = (folder: string, executionId: string): string =>
  join(folder, 'paths', `${encodeURIComponent(executionId)}.json`)

/** Keeps the paths on this machine, for steps that are resumed later: the host of the phone never sees them. */
export const rememberPaths = async (folder: string, executionId: string, paths: PicturePaths): Promise<void> => {
  if (paths.size === 0) return
  const file = pathsFile(folder, executionId)
  try {
    makeFolder(dirname(file), FOLDER_MODE)
    await writeFile(file, JSON.stringify([...paths]), { mode: STATE_FILE_MODE })
    const names = (await readdir(dirname(file))).sort()
    for (const name of names.slice(0, Math.max(0, names.length - REMEMBERED_MAX)))
      await rm(join(dirname(file), name), { force: true })
  } catch {
    // A resumed step then writes its picture where those without a path go.
  }
}

const isPath = (entry: unknown): entry is [string, string] =>
  Array.isArray(entry) && entry.length === 2 && entry.every(text => typeof text === 'string')

export const rememberedPaths = async (folder: string, executionId: string): Promise<PicturePaths> => {
  try {
    const entries: unknown = JSON.parse(await readFile(pathsFile(folder, executionId), 'utf8'))
    return new Map(Array.isArray(entries) ? entries.filter(isPath) : [])
  } catch {
    return new Map()
  }
}

export interface FetchPictures {
  /** The host that has the execution. */
  host: string
  executionId: string
  paths?: PicturePaths
  /** Pictures with no path of their own go here. */
  folder: string
  service: Pick<Service, 'executions.picture'>
  call: Call
}

const fetchOne = async (step: string, fileName: string, options: FetchPictures) => {
  const { paths, folder, service, executionId, call } = options
  const fetched = await service['executions.picture'](
    { executionId, step },
    { context: { caller: call.context.caller } },
  )
  if (!fetched.ok) return { ok: false as const, problem: fetched.error.message }
  const named = paths?.get(step)
  try {
    if (named === undefined) makeFolder(folder, FOLDER_MODE)
  } catch (error) {
    return { ok: false as const, problem: `${folder} cannot be made: ${messageOf(error)}` }
  }
  return writeScreenshot({ path: named ?? join(folder, fileName), png: fetched.value })
}

/** Fails the step, as on the phone's machine when a picture cannot be written; but this one can still be fetched. */
const notFetched = ({ id }: StepResult, problem: string, { host, executionId }: FetchPictures) => {
  const code = 'EVIDENCE_CAPTURE_FAILED'
  const reason = `the picture was taken, but could not be brought here from host ${host}: ${problem.replace(/\.$/, '')}`
  const failedStep: StepResult = { id, actionType: SCREENSHOT, success: false, data: { error: code, message: reason } }
  const route = `/executions/${encodeURIComponent(executionId)}/screenshots/${encodeURIComponent(id)}`
  const error = failure(code, `Step "${id}" (${SCREENSHOT}) failed: ${reason}.`, {
    details: { actionId: id, actionType: SCREENSHOT, host, executionId },
    hint: `GET ${route} of any host of the fleet answers the picture.`,
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
  for (const [index, step] of envelope.stepResults.entries()) {
    if (!tookPicture(step)) continue
    const fileName = `${encodeURIComponent(options.executionId)}.${index}.png`
    const written = await fetchOne(step.id, fileName, options)
    if (written.ok) {
      fetched.stepResults[index] = { ...step, data: { ...step.data, path: written.path } }
      continue
    }
    const { failedStep, error } = notFetched(step, written.problem, options)
    fetched.stepResults[index] = failedStep
    if (fetched.error === null) Object.assign(fetched, { status: 'failed', error, errorCode: error.code })
  }
  return { ...result, value: { ...result.value, envelope: fetched } }
}

export interface PicturesHere {
  /** Relative paths of the caller start here. */
  relativeTo: string
  folder: string
  newExecutionId(): string
}

/** A remote service whose pictures are fetched from there and written on this machine, where the caller named their paths. */
export const withPictures = (service: Service, { relativeTo, folder, newExecutionId }: PicturesHere): Service => {
  const conditionsOf = (call: Call): Call & { context: { executionId: string } } => ({
    ...call,
    context: { ...call.context, fetchesPictures: true, executionId: call.context.executionId ?? newExecutionId() },
  })
  const fetched = (result: Result<ExecutionSuccess>, call: Call, paths?: PicturePaths) => {
    const { host = '', executionId = call.context.executionId ?? '' } = result
    return fetchPictures(result, { host, executionId, ...(paths ? { paths } : {}), folder, service, call })
  }
  return {
    ...service,
    /** Judged here, so that a path is known under whichever name it was given. */
    async execute(input, asked) {
      const call = conditionsOf(asked)
      const validation = validateExecution(input.execution)
      if (!validation.ok) return failed(validation.error)
      const unwritable = await picturePathProblem(validation.execution, relativeTo)
      if (unwritable) return failed(unwritable)
      const { execution, paths } = withoutPicturePaths(validation.execution, relativeTo)
      const sent = paths.size === 0 ? input : { ...input, execution }
      await rememberPaths(folder, call.context.executionId, paths)
      return fetched(await service.execute(sent, call), call, paths)
    },
    async 'executions.resume'(input, asked) {
      const call = conditionsOf(asked)
      const paths = await rememberedPaths(folder, input.executionId)
      await rememberPaths(folder, call.context.executionId, paths)
      return fetched(await service['executions.resume'](input, call), call, paths)
    },
  }
}
