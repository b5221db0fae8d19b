/** Answers as JSON: successes with 200, failures with the status of their code. */

import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ErrorObject } from '../contracts/error.ts'
import { httpStatusOf } from '../contracts/failures.ts'
import type { Clock } from '../runtime/clock.ts'
import type { AnswerHeader } from './headers.ts'

export type Headers = Readonly<Record<string, string>>
/** The headers of an answer to a routed request: CORS has to list them. */
export type AnswerHeaders = Readonly<Partial<Record<AnswerHeader, string>>>

export const JSON_TYPE = 'application/json'

/** A Response of its own and not `c.json`: with more than one header Hono copies them all into a Headers object first. */
export const answerText = (json: string, status = 200, headers: AnswerHeaders = {}): Response =>
  new Response(json, { status, headers: { 'Content-Type': JSON_TYPE, ...headers } })

export interface RefusalOptions {
  status?: number | undefined
  headers?: AnswerHeaders | undefined
}

const refusalJson = (error: ErrorObject): string => JSON.stringify({ ok: false, error })

export const refuse = (error: ErrorObject, { status, headers }: RefusalOptions = {}): Response =>
  answerText(refusalJson(error), status ?? httpStatusOf(error.code), headers)

/** Ends the connection of a caller who takes the answer but does not close. */
const LEAVE_MS = 1_000

export const refuseRaw = (outgoing: ServerResponse, error: ErrorObject, headers: Headers = {}): void => {
  const json = refusalJson(error)
  const length = Buffer.byteLength(json)
  outgoing
    .writeHead(httpStatusOf(error.code), { ...headers, 'Content-Type': 'application/json', 'Content-Length': length })
    .end(json)
}

/** The last words on a socket whose bytes are not understood. */
export const refuseSocket = (socket: Duplex, error: ErrorObject, clock: Clock): void => {
  const json = refusalJson(error)
  const status = httpStatusOf(error.code)
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
