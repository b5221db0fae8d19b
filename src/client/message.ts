/** A request as an HTTP message, and the value or the error in an answer. */
import { EXECUTION_ID_HEADER } from '../contracts/headers.ts'
import { ROUTES, type RouteId } from '../contracts/operations/routes.ts'
import type { Answered, Message } from './exchange.ts'
import { asRecord, given, type JsonRecord, readObject } from './outside.ts'
import { type Dispatched, errorOf, SvcError } from './svc-error.ts'

/** Some answers are 202: what was asked for has begun. */
const isSuccess = (status: number) => status >= 200 && status < 300

/** Fields of the path go there, the others into the query of a GET or the body of a POST or PUT. */
export const messageFor = (id: RouteId, input: object, headers: Readonly<Record<string, string>> = {}): Message => {
  const [method, pattern] = ROUTES[id]
  const rest = given({ ...input })
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    if (typeof value === 'string' && value !== '') return encodeURIComponent(value)
    throw new SvcError({ code: 'USAGE', message: `The request ${id} needs a text as ${name}.`, dispatched: false })
  })
  if (method === 'POST' || method === 'PUT') return { method, path, headers, body: JSON.stringify(rest) }
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
  if (!isSuccess(answer.status)) throw unreadable(answer, otherwise)
  return json
}

/** The value of an answer: an object, a text or bytes, as its media type says. */
export const valueIn = (answer: Answered, otherwise: Dispatched): unknown => {
  const type = answer.headers['content-type'] ?? ''
  if (!isSuccess(answer.status) || type.startsWith('application/json')) return objectIn(answer, otherwise)
  return type.startsWith('text/') ? answer.body.toString() : new Uint8Array(answer.body)
}
