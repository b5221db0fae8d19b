/** `http` of scripts: each call is answered before the next line of the script runs. */
import { SCRIPT_REQUEST_CHARS_MAX, SCRIPT_REQUEST_ENTRIES_MAX } from '../../../../contracts/limits/limits.ts'
import type { ResponseMessage, ScriptRequest } from '../messages.ts'

const { parse, stringify } = JSON

type Options = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Options => typeof value === 'object' && value !== null

/** The host refuses more entries, so the script is told here. */
const bounded = <Value extends object>(values: Value, what: string): Value => {
  const count = Object.keys(values).length
  if (count <= SCRIPT_REQUEST_ENTRIES_MAX) return values
  throw new RangeError(`http: ${what} may have ${SCRIPT_REQUEST_ENTRIES_MAX} entries; it has ${count}.`)
}

const texts = (values: unknown, what: string): Record<string, string> => {
  if (values === undefined || values === null) return {}
  if (!isRecord(values)) throw new TypeError(`http: ${what} must be an object.`)
  const named = bounded(values, what)
  return Object.fromEntries(Object.entries(named).map(([name, value]) => [name, String(value)]))
}

const bodyOf = (body: unknown): { body?: string } => {
  if (body === undefined || body === null) return {}
  if (typeof body === 'string') return { body }
  throw new TypeError('http: body must be a string. Write JSON.stringify(...) around an object.')
}

const partOf = (part: unknown): string | { filePath: string; mediaType?: string } => {
  if (!isRecord(part) || part.filePath === undefined || part.filePath === null) return String(part)
  const mediaType = part.mediaType === undefined || part.mediaType === null ? {} : { mediaType: String(part.mediaType) }
  return { filePath: String(part.filePath), ...mediaType }
}

const formOf = (form: unknown): Pick<ScriptRequest, 'form'> => {
  if (form === undefined || form === null) return {}
  if (!isRecord(form)) throw new TypeError('http: multipartForm must be an object.')
  return {
    form: Object.fromEntries(
      Object.entries(bounded(form, 'multipartForm')).map(([name, part]) => [name, partOf(part)]),
    ),
  }
}

const timeoutOf = (value: unknown, name: string): { timeoutMs?: number } => {
  if (value === undefined || value === null) return {}
  const timeoutMs = Number(value)
  if (Number.isFinite(timeoutMs) && timeoutMs > 0) return { timeoutMs }
  throw new TypeError(`http: ${name} must be a number of milliseconds above 0; it is ${String(value)}.`)
}

export interface HttpDeps {
  request(request: string): string
  body(): string
  /** The environment of the running script may have a timeout for all of its requests. */
  env(name: string): unknown
}

const TIMEOUT_ENV = 'MAESTRO_JS_HTTP_TIMEOUT'

export const createHttp = (deps: HttpDeps) => {
  const send = (method: string, url: unknown, options: unknown) => {
    const { headers, body, multipartForm, timeout }: Options = isRecord(options) ? options : {}
    const hasTimeout = timeout !== undefined && timeout !== null
    const request: ScriptRequest = {
      method,
      url: String(url),
      headers: texts(headers, 'headers'),
      ...(multipartForm === undefined || multipartForm === null ? bodyOf(body) : formOf(multipartForm)),
      ...(hasTimeout ? timeoutOf(timeout, 'timeout') : timeoutOf(deps.env(TIMEOUT_ENV), TIMEOUT_ENV)),
    }
    const text = stringify(request)
    if (text.length > SCRIPT_REQUEST_CHARS_MAX) {
      throw new RangeError(`http: a request may have ${SCRIPT_REQUEST_CHARS_MAX} characters; it has ${text.length}.`)
    }
    const response: ResponseMessage['response'] = parse(deps.request(text))
    if ('problem' in response) throw new Error(response.problem)
    return { ok: response.ok, status: response.status, body: deps.body(), headers: response.headers }
  }
  const methodOf = (options: unknown) =>
    isRecord(options) && typeof options.method === 'string' ? options.method.toUpperCase() : 'GET'
  return {
    get: (url: unknown, options?: unknown) => send('GET', url, options),
    post: (url: unknown, options?: unknown) => send('POST', url, options),
    put: (url: unknown, options?: unknown) => send('PUT', url, options),
    delete: (url: unknown, options?: unknown) => send('DELETE', url, options),
    request: (url: unknown, options?: unknown) => send(methodOf(options), url, options),
  }
}
