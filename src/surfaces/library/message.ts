/** A request as an HTTP message, and the value or the error in an answer. */
import { EXECUTION_ID_HEADER } from '../../contracts/doors/headers.ts'
import { ROUTES, type RouteId } from '../../contracts/operations/routes.ts'
import type { Dispatched } from '../../contracts/outcome.ts'
import type { Answered, Message } from '../../runtime/http-exchange.ts'
import { messageOf } from '../../runtime/message-of.ts'
import { misuse } from './options.ts'
import { asRecord, definedFields, type JsonRecord, readObject } from './outside.ts'
import { errorOf, SvcError } from './svc-error.ts'

/** Some answers are 202: what was asked for has begun. */
const isSuccess = (status: number) => status >= 200 && status < 300

const jsonOf = (id: string, input: JsonRecord): string => {
  try {
    return JSON.stringify(input)
  } catch (error) {
    throw misuse(`The input of the request ${id} cannot be written as JSON: ${messageOf(error)}.`)
  }
}

/** Fields of the path go there, the others into the query of a GET or the body of a POST or PUT. */
export const messageFor = (id: RouteId, input: object, headers: Readonly<Record<string, string>> = {}): Message => {
  if (!Object.hasOwn(ROUTES, id)) throw misuse(`There is no request ${id}: expected a name of docs/http.md.`)
  const [method, pattern] = ROUTES[id]
  const rest = definedFields({ ...input })
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    if (typeof value === 'string' && value !== '') return encodeURIComponent(value)
    throw misuse(`The request ${id} needs a text as ${name}.`)
  })
  if (method === 'POST' || method === 'PUT') return { method, path, headers, body: jsonOf(id, rest) }
  const query = new URLSearchParams(Object.entries(rest).map(([key, value]) => [key, String(value)]))
  return { method, path: query.size === 0 ? path : `${path}?${query}`, headers }
}

export const executionIdIn = ({ headers }: Answered): string | undefined => headers[EXECUTION_ID_HEADER.toLowerCase()]

const unreadable = (answer: Answered, otherwise: Dispatched): SvcError =>
  new SvcError({
    code: 'INTERNAL_ERROR',
    message: `The server sent an answer with status ${answer.status} that is not JSON of svc.`,
    hint: 'Check that the url is that of svc serve, and not of something before it.',
    executionId: executionIdIn(answer),
    dispatched: otherwise,
  })

/** The JSON object of an answer; throws the error that it holds. */
export const objectIn = (answer: Answered, otherwise: Dispatched): JsonRecord => {
  const json = readObject(answer.body.toString())
  if (json === undefined) throw unreadable(answer, otherwise)
  const error = asRecord(json.error)
  if (json.ok === false && error !== undefined) throw errorOf(error, { executionId: executionIdIn(answer), otherwise })
  if (json.ok === false || !isSuccess(answer.status)) throw unreadable(answer, otherwise)
  return json
}

/** The part for which a request is made: an answer without it is none of svc. */
const PARTS: Readonly<Partial<Record<RouteId, readonly [name: string, type: 'object' | 'string']>>> = {
  'server.version': ['version', 'string'],
  'devices.list': ['devices', 'object'],
  'devices.get': ['device', 'object'],
  'apps.list': ['apps', 'object'],
  'apps.get': ['app', 'object'],
  'settings.get': ['settings', 'object'],
  'leases.create': ['lease', 'object'],
  'leases.extend': ['lease', 'object'],
  'executions.get': ['execution', 'object'],
  'executions.list': ['executions', 'object'],
  'executions.cancel': ['execution', 'object'],
  'skills.list': ['skills', 'object'],
  'skills.get': ['skill', 'object'],
  'testRuns.start': ['testRunId', 'string'],
  'testRuns.get': ['testRun', 'object'],
  'testRuns.list': ['testRuns', 'object'],
}

/** Requests that answer with a text or bytes. */
const RAW: readonly RouteId[] = [
  'executions.picture',
  'executions.traceFile',
  'skillRuns.traceFile',
  'recordings.video',
]

/** The value of an answer: an object, or a text or bytes as its media type says. */
export const valueIn = (id: RouteId, answer: Answered, otherwise: Dispatched): unknown => {
  if (RAW.includes(id) && isSuccess(answer.status)) {
    const type = answer.headers['content-type'] ?? ''
    return type.startsWith('text/') ? answer.body.toString() : new Uint8Array(answer.body)
  }
  const value = objectIn(answer, otherwise)
  const [name, type] = PARTS[id] ?? []
  if (name !== undefined && (value[name] === null || typeof value[name] !== type)) throw unreadable(answer, otherwise)
  return value
}

/** The answer to an execution. */
export const executionIn = (answer: Answered): JsonRecord => {
  const value = objectIn(answer, 'unknown')
  if (!Array.isArray(asRecord(value.envelope)?.stepResults)) throw unreadable(answer, 'unknown')
  return value
}

/** The refusal of a stream that is none. */
export const noStream = (answer: Answered): SvcError => unreadable(answer, false)
