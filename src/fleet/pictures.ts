/** Screenshots of a phone of another host: a path is of the machine of the caller, so the other host never sees it. */
import { isAbsolute, join } from 'node:path'
import { isScreenshotType, PATH_KEYS } from '../contracts/aliases.ts'
import type { ErrorObject } from '../contracts/error.ts'
import type { ExecutionSuccess, StepResult } from '../contracts/execution-result.ts'
import { failure } from '../contracts/failures.ts'
import { isObject, type JsonObject } from '../contracts/json.ts'
import { makeFolder } from '../runtime/make-folder.ts'
import { messageOf } from '../runtime/message-of.ts'

/** A request without its picture paths, and the paths on this machine where the pictures go. */
export interface Pictured {
  body: JsonObject
  /** By the id of the step; the route for screenshots has one step, whose id its server chooses. */
  paths: ReadonlyMap<string, string>
  onlyPath?: string | undefined
}

const SCREENSHOT = 'take_screenshot'
const isPath = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

/** A relative path begins in `relativeTo`. */
export const withoutPaths = (route: string, body: JsonObject, relativeTo: string): Pictured => {
  const here = (path: string) => (isAbsolute(path) ? path : join(relativeTo, path))
  const paths = new Map<string, string>()
  if (route === '/screenshot' && isPath(body.path)) {
    const { path, ...rest } = body
    return { body: rest, paths, onlyPath: here(path as string) }
  }
  const { execution } = body
  if (!isObject(execution) || !Array.isArray(execution.actions)) return { body, paths }
  const actions = execution.actions.map((action: unknown) => {
    if (!isObject(action) || !isScreenshotType(action.type) || !isObject(action.params)) return action
    const { params, id } = action
    const path = PATH_KEYS.map(key => params[key]).find(value => value !== undefined)
    if (!isPath(path) || typeof id !== 'string') return action
    paths.set(id, here(path))
    return { ...action, params: Object.fromEntries(Object.entries(params).filter(([key]) => !PATH_KEYS.includes(key))) }
  })
  return { body: { ...body, execution: { ...execution, actions } }, paths }
}

/** Why one of them cannot be written: said before anything is sent, as the route of this host says it. */
export const pathsProblem = async (
  { paths, onlyPath, body }: Pictured,
  problemOf: (path: string) => Promise<string | undefined>,
): Promise<ErrorObject | undefined> => {
  if (onlyPath !== undefined) {
    const problem = await problemOf(onlyPath)
    return problem === undefined ? undefined : failure('INVALID_PATH', `The screenshot cannot be written: ${problem}.`)
  }
  const { execution } = body
  const actions: unknown[] = isObject(execution) && Array.isArray(execution.actions) ? execution.actions : []
  for (const [index, action] of actions.entries()) {
    const id = isObject(action) ? String(action.id) : ''
    const path = paths.get(id)
    const problem = path === undefined ? undefined : await problemOf(path)
    if (problem === undefined) continue
    const details = { path: `actions.${index}.params.path`, actionId: id, actionType: SCREENSHOT }
    return failure('EXECUTION_VALIDATION_FAILED', `actions[${index}] (${SCREENSHOT}): params.path: ${problem}`, {
      details,
    })
  }
  return undefined
}

/** The host of the execution serves the picture here. */
const pictureRoute = (executionId: string, stepId: string): string =>
  `/executions/${encodeURIComponent(executionId)}/screenshots/${encodeURIComponent(stepId)}`

export const PICTURE_MS = 60_000

type Problem = { ok: false; problem: string }
export type FetchedPicture = { ok: true; png: Uint8Array } | Problem

export interface BringOptions {
  /** The host that has the execution. */
  host: string
  executionId: string
  pictured: Pictured
  /** Pictures with no path of their own go here. */
  folder: string
  /** Asks the host. */
  fetch(route: string): Promise<FetchedPicture>
  write(picture: { path: string; png: Uint8Array }): Promise<{ ok: true; path: string } | Problem>
}

const FOLDER_MODE = 0o700

const bringOne = async (stepId: string, fileName: string, options: BringOptions) => {
  const { pictured, folder, fetch, write, executionId } = options
  const fetched = await fetch(pictureRoute(executionId, stepId))
  if (!fetched.ok) return fetched
  const named = pictured.onlyPath ?? pictured.paths.get(stepId)
  try {
    if (named === undefined) makeFolder(folder, FOLDER_MODE)
  } catch (error) {
    return { ok: false as const, problem: `${folder} cannot be made: ${messageOf(error)}` }
  }
  return write({ path: named ?? join(folder, fileName), png: fetched.png })
}

/** Fails the step, as on the phone's machine when a picture cannot be written; but this one can still be fetched. */
const notBrought = ({ id }: StepResult, problem: string, { host, executionId }: BringOptions) => {
  const code = 'EVIDENCE_CAPTURE_FAILED'
  const reason = `the picture was taken, but could not be brought here from host ${host}: ${problem.replace(/\.$/, '')}`
  const failedStep: StepResult = { id, actionType: SCREENSHOT, success: false, data: { error: code, message: reason } }
  const error = failure(code, `Step "${id}" (${SCREENSHOT}) failed: ${reason}.`, {
    details: { actionId: id, actionType: SCREENSHOT, host, executionId },
    hint: `GET ${pictureRoute(executionId, id)} of any host of the fleet answers the picture.`,
  })
  return { failedStep, error }
}

const tookPicture = ({ actionType, success }: StepResult): boolean => actionType === SCREENSHOT && success

/** Fetches what an execution on another host took; the steps after a picture that does not get here have run all the same. */
export const bringPictures = async (result: ExecutionSuccess, options: BringOptions): Promise<ExecutionSuccess> => {
  const { envelope } = result
  if (!envelope.stepResults.some(tookPicture)) return result
  const brought = { ...envelope, stepResults: [...envelope.stepResults] }
  for (const [index, step] of envelope.stepResults.entries()) {
    if (!tookPicture(step)) continue
    const fileName = `${encodeURIComponent(options.executionId)}.${index}.png`
    const written = await bringOne(step.id, fileName, options)
    if (written.ok) {
      brought.stepResults[index] = { ...step, data: { ...step.data, path: written.path } }
      continue
    }
    const { failedStep, error } = notBrought(step, written.problem, options)
    brought.stepResults[index] = failedStep
    if (brought.error === null) Object.assign(brought, { status: 'failed', error, errorCode: error.code })
  }
  return { ...result, envelope: brought }
}
