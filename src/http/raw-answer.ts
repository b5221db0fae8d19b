/** Answers written past Hono: what is refused before a request is routed, or on a socket that carries no valid HTTP. */
import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ErrorObject } from '../contracts/error.ts'
import { httpStatusOf } from '../contracts/failures.ts'
import type { Clock } from '../runtime/clock.ts'
import { type Headers, refusalJson } from './answer.ts'

/** For a caller who takes the answer but does not close. */
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
