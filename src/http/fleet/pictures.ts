/** Screenshots of a phone of another host: taken there, and written here, where the caller asked for them. */
import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { isAbsolute, join } from 'node:path'
import type { ErrorObject } from '../../contracts/error.ts'
import { failure } from '../../contracts/failures.ts'
import type { FleetFront } from '../../fleet/front.ts'
import { screenshotPathProblem, writeScreenshot } from '../../operator/screenshot-file.ts'
import type { HttpDeps } from '../deps.ts'
import { forward, type Outcome } from './forward.ts'

/** What was asked for, with where its pictures are to go here. */
export interface Pictured {
  body: Record<string, unknown>
  /** By the id of the step; the route for screenshots has one step, whose id its server chooses. */
  paths: ReadonlyMap<string, string>
  onlyPath?: string | undefined
}

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const hereOf = (path: string, { screenshots }: HttpDeps) =>
  isAbsolute(path) ? path : join(screenshots.relativeTo, path)

const TYPES = new Set(['take_screenshot', 'screenshot', 'capture_screenshot'])

/** A path is of this host: the other one takes its pictures to a place of its own. */
export const withoutPaths = (route: string, body: Json, deps: HttpDeps): Pictured => {
  const paths = new Map<string, string>()
  if (route === '/screenshot' && typeof body.path === 'string' && body.path.trim() !== '') {
    const { path, ...rest } = body
    return { body: rest, paths, onlyPath: hereOf(path as string, deps) }
  }
  const { execution } = body
  if (!isObject(execution) || !Array.isArray(execution.actions)) return { body, paths }
  const actions = execution.actions.map((action: unknown) => {
    if (!isObject(action) || !TYPES.has(String(action.type)) || !isObject(action.params)) return action
    const { path, ...params } = action.params
    if (typeof path !== 'string' || path.trim() === '' || typeof action.id !== 'string') return action
    paths.set(action.id, hereOf(path, deps))
    return { ...action, params }
  })
  return { body: { ...body, execution: { ...execution, actions } }, paths }
}

/** Why one of them cannot be written: said before anything is sent, as the route of this host says it. */
export const pathsProblem = async ({ paths, onlyPath, body }: Pictured): Promise<ErrorObject | undefined> => {
  if (onlyPath !== undefined) {
    const problem = await screenshotPathProblem(onlyPath)
    return problem === undefined ? undefined : failure('INVALID_PATH', `The screenshot cannot be written: ${problem}.`)
  }
  const { execution } = body
  const actions: unknown[] = isObject(execution) && Array.isArray(execution.actions) ? execution.actions : []
  for (const [index, action] of actions.entries()) {
    const id = isObject(action) ? String(action.id) : ''
    const path = paths.get(id)
    const problem = path === undefined ? undefined : await screenshotPathProblem(path)
    if (problem === undefined) continue
    const details = { path: `actions.${index}.params.path`, actionId: id, actionType: 'take_screenshot' }
    return failure('EXECUTION_VALIDATION_FAILED', `actions[${index}] (take_screenshot): params.path: ${problem}`, {
      details,
    })
  }
  return undefined
}

export interface FetchOptions {
  host: string
  deps: HttpDeps
  fleet: FleetFront
  incoming: IncomingMessage
}

const PICTURE_MS = 60_000

const stepsIn = (answer: unknown): Json[] => {
  const envelope = isObject(answer) ? answer.envelope : undefined
  const steps = isObject(envelope) ? envelope.stepResults : undefined
  return Array.isArray(steps) ? steps.filter(isObject) : []
}

/** The answer, with the paths of pictures that were brought here in the place of those of the other host. */
export const fetchPictures = async (
  outcome: Extract<Outcome, { kind: 'answered' }>,
  pictured: Pictured,
  { host, deps, fleet, incoming }: FetchOptions,
): Promise<Response> => {
  const { response, body } = outcome
  if (response.status !== 200 || !Buffer.from(body).includes('take_screenshot')) return response
  const answer: unknown = JSON.parse(Buffer.from(body).toString())
  const executionId = response.headers.get('svc-execution-id')
  const taken = stepsIn(answer).filter(
    step => step.actionType === 'take_screenshot' && step.success === true && isObject(step.data),
  )
  if (taken.length === 0 || executionId === null) return response
  for (const step of taken) {
    const data = step.data as Json
    const path = `/executions/${executionId}/screenshots/${encodeURIComponent(String(step.id))}`
    const found = await forward(
      host,
      { method: 'GET', path, withinMs: PICTURE_MS },
      { fleet, incoming, isPrivate: deps.isPrivate },
    )
    const written = await write(found, pictured, String(step.id), deps)
    if (written.ok) step.data = { ...data, path: written.path }
    else Object.assign(step, { data: { ...data, host, notFetched: written.problem } })
  }
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  return new Response(JSON.stringify(answer), { status: response.status, headers })
}

const write = async (found: Outcome, { paths, onlyPath }: Pictured, stepId: string, { screenshots }: HttpDeps) => {
  if (found.kind !== 'answered' || found.response.status !== 200) {
    return { ok: false as const, problem: 'the picture could not be fetched from its host' }
  }
  const named = onlyPath ?? paths.get(stepId)
  if (named === undefined) await mkdir(screenshots.newFilesIn, { recursive: true, mode: 0o700 })
  const path = named ?? join(screenshots.newFilesIn, `svc-${randomUUID()}.png`)
  return writeScreenshot({ path, png: found.body })
}
