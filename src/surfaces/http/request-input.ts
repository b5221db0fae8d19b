/**
 * Section Common conventions: the input of a request. Query parameters are known and given once; a body is one JSON
 * object of at most 100kb; both are judged by the schemas of the route.
 */
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import * as v from 'valibot'
import { FIELD_CODES } from '../../contracts/doors/http.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { type FailureCode, failure } from '../../contracts/failures/failures.ts'
import { BODY_BYTES } from '../../contracts/limits/limits.ts'
import type { Clock, Timer } from '../../runtime/clock.ts'
import { parseJsonText } from '../../service/executions/parse-json.ts'
import { problemsIn } from '../../service/executions/validation/problem.ts'
import { located, type NamedParts, unknownNameProblem } from '../../service/executions/validation/request-problems.ts'
import { sentence } from '../../service/executions/validation/sentences.ts'
import { quoted, shownValue } from '../../service/executions/validation/show.ts'

const FIELDS: NamedParts = { code: 'INVALID_BODY', subject: 'The body of this request has', noun: 'field' }
const PARAMETERS: NamedParts = { code: 'INVALID_QUERY', subject: 'The query of this request has', noun: 'parameter' }

const namesOf = (schema: v.GenericSchema): readonly string[] =>
  Object.keys((schema as { entries?: Readonly<Record<string, unknown>> }).entries ?? {})

type Query<T> = { ok: true; query: T } | { ok: false; error: ErrorObject }

const problem = (name: string, reason: string): { ok: false; error: ErrorObject } => ({
  ok: false,
  error: failure('INVALID_QUERY', `The query parameter ${JSON.stringify(name.slice(0, 60))} ${reason}.`, {
    details: { parameter: name.slice(0, 60) },
  }),
})

/** `target` is the path with its query, as it was sent. */
export const readQuery = <const S extends v.GenericSchema>(target: string, schema: S): Query<v.InferOutput<S>> => {
  const at = target.indexOf('?')
  const pairs = at < 0 ? [] : [...new URLSearchParams(target.slice(at))]
  const names = new Set<string>()
  for (const [name] of pairs) {
    if (names.has(name)) return problem(name, 'must be given at most once')
    names.add(name)
  }
  const unknown = unknownNameProblem(PARAMETERS, [...names], namesOf(schema))
  if (unknown) return { ok: false, error: unknown }
  const result = v.safeParse(schema, Object.fromEntries(pairs), { abortEarly: true })
  if (result.success) return { ok: true, query: result.output }
  const [issue] = result.issues
  const name = String(issue.path?.[0]?.key ?? '')
  if (!names.has(name) && issue.received === 'undefined') return problem(name, 'is required')
  return problem(name, `${issue.message}; got ${quoted(Object.fromEntries(pairs)[name] ?? '')}`)
}

type BodyBytes =
  | { kind: 'whole'; bytes: Buffer }
  | { kind: 'too-large' }
  /** The caller left, or took too long, before the body was complete. */
  | { kind: 'cut' }

/**
 * Reads and drops the rest of a body that is too large, for a moment: closing a socket with unread bytes resets it, and
 * the answer would be lost on its way.
 */
const DROP_MS = 500
const DROP_BYTES = 8 * 1_024 * 1_024

const declares = ({ headers }: IncomingMessage) => Number(headers['content-length'] ?? 0)

/** `takesMore` is asked about each part; a body with a part that it refuses is too large. */
export const readBodyBytes = (
  incoming: IncomingMessage,
  clock: Clock,
  most = BODY_BYTES,
  takesMore: (bytes: number) => boolean = () => true,
): Promise<BodyBytes> =>
  new Promise(resolve => {
    let chunks: Buffer[] = []
    let bytes = 0
    let isTooLarge = declares(incoming) > most
    let timer: Timer | undefined

    const finish = (result: BodyBytes) => {
      timer?.cancel()
      incoming.off('data', take)
      incoming.off('end', end)
      incoming.off('close', cut)
      resolve(result)
    }
    const tooLarge = () => {
      finish({ kind: 'too-large' })
      incoming.resume()
    }
    const startDropping = () => {
      chunks = []
      timer ??= clock.at(clock.now() + DROP_MS, tooLarge)
    }
    const take = (chunk: Buffer) => {
      bytes += chunk.length
      isTooLarge ||= bytes > most || !takesMore(chunk.length)
      if (!isTooLarge) chunks.push(chunk)
      else if (bytes > most + DROP_BYTES) tooLarge()
      else startDropping()
    }
    const end = () =>
      finish(isTooLarge ? { kind: 'too-large' } : { kind: 'whole', bytes: Buffer.concat(chunks, bytes) })
    const cut = () => finish({ kind: 'cut' })

    if (isTooLarge) startDropping()
    incoming.on('data', take)
    incoming.on('end', end)
    incoming.on('close', cut)
    // The socket may have gone before anyone listened.
    if (incoming.destroyed) cut()
  })

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const PARAMETER = new RegExp(`^[ \\t]*(${TOKEN})=(?:(${TOKEN})|"((?:[^"\\\\]|\\\\.)*)")[ \\t]*$`)
const UTF_8 = /^utf-8$/i
const MEDIA_TYPE = 'application/json'

const invalid = (message: string, hint: string) => failure('INVALID_BODY', message, { hint })

/** Splits at semicolons that are in no quoted string. */
const SECTIONS = /(?:[^;"]|"(?:[^"\\]|\\.)*"?)+/g

export const mediaTypeProblem = (header: string | undefined): ErrorObject | undefined => {
  const hint = `Send the header Content-Type: ${MEDIA_TYPE}.`
  if (header === undefined) return invalid('The request has a body without a Content-Type.', hint)
  // Nearly every caller sends exactly this.
  if (header === MEDIA_TYPE) return undefined
  const [type = '', ...parameters] = header.match(SECTIONS) ?? []
  if (type.trim().toLowerCase() !== MEDIA_TYPE)
    return invalid(`The Content-Type of the body must be ${MEDIA_TYPE}.`, hint)
  for (const parameter of parameters) {
    if (parameter.trim() === '') continue
    const [, name, token, quoted] = PARAMETER.exec(parameter) ?? []
    if (name === undefined) return invalid('The Content-Type of the body has a malformed parameter.', hint)
    const value = token ?? (quoted ?? '').replace(/\\(.)/g, '$1')
    if (name.toLowerCase() === 'charset' && !UTF_8.test(value)) {
      return invalid('The charset of the body must be UTF-8.', 'Send it as UTF-8.')
    }
  }
  return undefined
}

export const encodingProblem = (header: string | undefined): ErrorObject | undefined =>
  header === undefined || header.trim().toLowerCase() === 'identity'
    ? undefined
    : invalid('The body has a Content-Encoding, which is not supported.', 'Send it uncompressed.')

/** `body` is what was refused, as far as it could be read. */
type Refused = { ok: false; error: ErrorObject; body?: unknown }

type Body<T> = { ok: true; body: T } | Refused

interface BodyOptions {
  clock: Clock
  /** When true, a missing body counts as `{}`; otherwise it is refused. */
  mayBeAbsent?: boolean
}

const refused = (code: FailureCode, message: string, hint?: string): Refused => ({
  ok: false,
  error: failure(code, message, { hint }),
})

export const isAbsentBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0

const LEAST = 'Send a JSON object, {} at least.'

const read = async (incoming: IncomingMessage, { clock, mayBeAbsent = false }: BodyOptions): Promise<Body<unknown>> => {
  if (isAbsentBody(incoming))
    return mayBeAbsent ? { ok: true, body: {} } : refused('INVALID_BODY', 'The request has no body.', LEAST)
  const { headers } = incoming
  const problem = mediaTypeProblem(headers['content-type']) ?? encodingProblem(headers['content-encoding'])
  if (problem) return { ok: false, error: problem }
  const received = await readBodyBytes(incoming, clock)
  if (received.kind === 'too-large') {
    const error = failure('PAYLOAD_TOO_LARGE', `The body is larger than ${BODY_BYTES} bytes.`, {
      details: { limit: BODY_BYTES },
    })
    return { ok: false, error }
  }
  if (received.kind === 'cut') return refused('INVALID_BODY', 'The body ended before it was complete.')
  const { bytes } = received
  if (bytes.length === 0)
    return mayBeAbsent ? { ok: true, body: {} } : refused('INVALID_BODY', 'The body is empty.', LEAST)
  if (!isUtf8(bytes)) return refused('INVALID_JSON', 'The body is not valid UTF-8.', 'Send JSON encoded as UTF-8.')
  const parsed = parseJsonText(bytes.toString(), { what: 'the body', code: 'INVALID_JSON' })
  if (parsed.ok) return { ok: true, body: parsed.value }
  const { code, message, ...extra } = parsed.error
  return { ok: false, error: failure(code, message, extra) }
}

const fieldCode = (field: string): FailureCode =>
  Object.hasOwn(FIELD_CODES, field) ? FIELD_CODES[field as keyof typeof FIELD_CODES] : 'INVALID_BODY'

const fieldProblem = (schema: v.GenericSchema, body: object, issue: v.BaseIssue<unknown>): Refused => {
  const { first } = problemsIn(schema, body, [issue], 1)
  const field = String(issue.path?.[0]?.key ?? '')
  const code = fieldCode(field)
  const message =
    code === 'MISSING_EXECUTION' ? 'The body must have an execution.' : located(body, first.path, sentence(first))
  return { ok: false, error: failure(code, message, { details: { field } }) }
}

/** The execution itself was sent where a request that holds it is expected. */
const isBareExecution = (schema: v.GenericSchema, body: object): boolean =>
  namesOf(schema).includes('execution') && !Object.hasOwn(body, 'execution') && Object.hasOwn(body, 'actions')

const inExecution = (error: ErrorObject): ErrorObject => ({
  ...error,
  hint: `Put the payload into the field execution: {"execution": {"commandId": ..., "actions": [...]}}. ${error.hint ?? ''}`.trim(),
})

export const readBody = async <const S extends v.GenericSchema>(
  incoming: IncomingMessage,
  schema: S,
  options: BodyOptions,
): Promise<Body<v.InferOutput<S>>> => {
  const received = await read(incoming, options)
  if (!received.ok) return received
  const { body } = received
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return { ...refused('INVALID_BODY', `The body must be a JSON object, but is ${shownValue(body)}.`), body }
  }
  const unknown = unknownNameProblem(FIELDS, Object.keys(body), namesOf(schema))
  if (unknown) return { ok: false, error: isBareExecution(schema, body) ? inExecution(unknown) : unknown, body }
  const result = v.safeParse(schema, body, { abortEarly: true })
  return result.success ? { ok: true, body: result.output } : { ...fieldProblem(schema, body, result.issues[0]), body }
}
