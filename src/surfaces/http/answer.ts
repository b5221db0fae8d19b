/**
 * Answers as JSON: failures with the status of their code, and the text of an execution result, from which the answer
 * and the events are cut.
 */
import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ExecutionResult } from '../../contracts/executions/execution-result.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { httpStatusOf } from '../../contracts/failures/failures.ts'
import { withHint } from '../../contracts/failures/hint-words.ts'
import type { Clock } from '../../runtime/clock.ts'
import { textOf } from '../../runtime/journal/stored-json.ts'
import type { AnswerHeader } from './headers.ts'

export type Headers = Readonly<Record<string, string>>
/** The headers of an answer to a routed request: CORS has to list them. */
export type AnswerHeaders = Readonly<Partial<Record<AnswerHeader, string>>>

export const JSON_TYPE = 'application/json'

/** A Response of its own and not `c.json`: with more than one header Hono copies them all into a Headers object first. */
export const answerText = (json: string, status = 200, headers: AnswerHeaders = {}): Response =>
  new Response(json, { status, headers: { 'Content-Type': JSON_TYPE, ...headers } })

interface RefusalOptions {
  status?: number | undefined
  headers?: AnswerHeaders | undefined
}

const refusalJson = (error: ErrorObject): string => JSON.stringify({ ok: false, error: withHint('http', error) })

export const refuse = (error: ErrorObject, { status, headers }: RefusalOptions = {}): Response =>
  answerText(refusalJson(error), status ?? httpStatusOf(error.code), headers)

interface RefusalText {
  status: number
  json: string
}

/** Another form for the refusal of a target, as far as it could be read; undefined for that of the API. */
export type RefusalForm = (error: ErrorObject, target: string | undefined) => RefusalText | undefined

export interface FormedRefusal {
  error: ErrorObject
  target: string | undefined
  form: RefusalForm | undefined
}

const textOfRefusal = ({ error, target, form }: FormedRefusal): RefusalText =>
  form?.(error, target) ?? { status: httpStatusOf(error.code), json: refusalJson(error) }

/** Before a route is found, by a server that may have another form. */
export const refuseInForm = (refusal: FormedRefusal): Response => {
  const { status, json } = textOfRefusal(refusal)
  return answerText(json, status)
}

/** Ends the connection of a caller who takes the answer but does not close. */
const LEAVE_MS = 1_000

export const refuseRaw = (outgoing: ServerResponse, refusal: FormedRefusal, headers: Headers = {}): void => {
  const { status, json } = textOfRefusal(refusal)
  const length = Buffer.byteLength(json)
  outgoing.writeHead(status, { ...headers, 'Content-Type': 'application/json', 'Content-Length': length }).end(json)
}

/** The last words on a socket whose bytes are not understood. */
export const refuseSocket = (
  socket: Duplex,
  error: ErrorObject,
  clock: Clock,
  { target, form }: Partial<FormedRefusal> = {},
): void => {
  const { status, json } = textOfRefusal({ error, target, form })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(json)}`,
    'Connection: close',
  ]
  socket.on('error', () => {})
  socket.end(`${head.join('\r\n')}\r\n\r\n${json}`)
  const timer = clock.at(clock.now() + LEAVE_MS, () => socket.destroy(), { idle: true })
  socket.once('close', () => timer.cancel())
}

export interface ResultText {
  /** The whole result. */
  json: string
  /** Its envelope, if there is one. */
  envelope: string | undefined
}

const ENVELOPE = ',"envelope":'
const SUCCESS_CODE = '{"ok":true,'

/** True for a result as `answered` builds it, which the journal has already turned into text. */
const isAsRecorded = (result: object): boolean => {
  const keys = Object.keys(result)
  return keys.length === 5 && keys[4] === 'envelope'
}

export const resultText = (result: ExecutionResult): ResultText => {
  if (!result.ok) return { json: refusalJson(result.error), envelope: undefined }
  const { deviceId, terminalSource, operatorPackage, envelope, observed } = result
  const whole = isAsRecorded(result)
    ? result
    : { ok: true, deviceId, terminalSource, operatorPackage, observed, envelope }
  return success(textOf(whole))
}

// No string within holds these characters, for its quotes are escaped.
const success = (json: string): ResultText => ({
  json,
  envelope: json.slice(json.indexOf(ENVELOPE) + ENVELOPE.length, -1),
})

/** The same of a text that `resultText` has made. */
export const readResultText = (json: string): ResultText =>
  json.startsWith(SUCCESS_CODE) ? success(json) : { json, envelope: undefined }

/** Every failure after acceptance names the receipt. */
export const withExecutionId = (result: ExecutionResult, executionId: string | undefined): ExecutionResult => {
  if (result.ok || executionId === undefined || result.error.details?.executionId === executionId) return result
  return { ok: false, error: { ...result.error, details: { ...result.error.details, executionId } } }
}
