/** Screenshots of a phone of another host: a path is of the machine of the caller, so the other host never sees it. */
import { isAbsolute, join } from 'node:path'
import { PARAM_KEY_ALIASES, TYPE_ALIASES } from '../contracts/aliases.ts'
import type { ErrorObject } from '../contracts/error.ts'
import { failure } from '../contracts/failures.ts'

/** What is asked for, with where its pictures are to go here. */
export interface Pictured {
  body: Record<string, unknown>
  /** By the id of the step; the route for screenshots has one step, whose id its server chooses. */
  paths: ReadonlyMap<string, string>
  onlyPath?: string | undefined
}

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const SCREENSHOT = 'take_screenshot'
const TYPES: Readonly<Record<string, string>> = TYPE_ALIASES
const PATH_KEYS = ['path', ...Object.entries(PARAM_KEY_ALIASES).flatMap(([key, to]) => (to === 'path' ? [key] : []))]

const isScreenshot = (type: unknown): boolean => {
  if (typeof type !== 'string') return false
  const plain = type.trim().toLowerCase()
  return plain === SCREENSHOT || TYPES[plain] === SCREENSHOT
}

const isPath = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

/** A relative path begins in `relativeTo`. */
export const withoutPaths = (route: string, body: Json, relativeTo: string): Pictured => {
  const here = (path: string) => (isAbsolute(path) ? path : join(relativeTo, path))
  const paths = new Map<string, string>()
  if (route === '/screenshot' && isPath(body.path)) {
    const { path, ...rest } = body
    return { body: rest, paths, onlyPath: here(path as string) }
  }
  const { execution } = body
  if (!isObject(execution) || !Array.isArray(execution.actions)) return { body, paths }
  const actions = execution.actions.map((action: unknown) => {
    if (!isObject(action) || !isScreenshot(action.type) || !isObject(action.params)) return action
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

export interface TakenPicture {
  id: string
  data: Json
}

/** The steps of an answer that took a picture; what is changed in them is changed in the answer. */
export const picturesIn = (answer: unknown): TakenPicture[] => {
  const envelope = isObject(answer) ? answer.envelope : undefined
  const steps = isObject(envelope) ? envelope.stepResults : undefined
  return (Array.isArray(steps) ? steps.filter(isObject) : []).filter(
    step =>
      step.actionType === SCREENSHOT && step.success === true && typeof step.id === 'string' && isObject(step.data),
  ) as unknown as TakenPicture[]
}

/** Where its host hands a picture out. */
export const pictureRoute = (executionId: string, stepId: string): string =>
  `/executions/${encodeURIComponent(executionId)}/screenshots/${encodeURIComponent(stepId)}`

export const PICTURE_MS = 60_000
