/** One line of a client: a message of the protocol, or what is wrong with it. */
import { isUtf8 } from 'node:buffer'
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/server'
import { isObject } from '../../../contracts/json/json.ts'
import { BATCH_REFUSED, INVALID_REQUEST } from '../open-calls.ts'
import { idIn } from './message-id.ts'

export interface MessageProblem {
  code: number
  message: string
  /** The id of the message; null when it cannot be read. */
  id: RequestId | null
}

export type ReadMessage =
  | { kind: 'message'; message: JSONRPCMessage }
  | { kind: 'problem'; problem: MessageProblem }
  /** An empty line, or an answer to nothing that was asked. */
  | { kind: 'nothing'; note?: string }

const PARSE_ERROR = -32_700

export const messageProblem = (message: string, id: RequestId | null = null, code = INVALID_REQUEST) => ({
  kind: 'problem' as const,
  problem: { code, message, id },
})

const parseError = (reason: string) => messageProblem(`Parse error: ${reason}`, null, PARSE_ERROR)

const isMessage = (value: unknown): value is JSONRPCMessage =>
  isJSONRPCRequest(value) ||
  isJSONRPCNotification(value) ||
  isJSONRPCResultResponse(value) ||
  isJSONRPCErrorResponse(value)

export const readMessage = (bytes: Buffer): ReadMessage => {
  if (!isUtf8(bytes)) return parseError('the message is not valid UTF-8.')
  const text = bytes.toString().trim()
  if (text === '') return { kind: 'nothing' }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return parseError('the line is not valid JSON. Send one JSON-RPC message on each line.')
  }
  if (Array.isArray(value)) return messageProblem(BATCH_REFUSED)
  if (!isObject(value)) return messageProblem('Invalid request: a message must be a JSON object.')
  if (isMessage(value)) return { kind: 'message', message: value }
  if (!('method' in value) && ('result' in value || 'error' in value)) {
    return { kind: 'nothing', note: 'a malformed response of the client was dropped' }
  }
  return messageProblem('Invalid request: the message is not of the form of JSON-RPC 2.0.', idIn(value.id))
}
