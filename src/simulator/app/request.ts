/** Reads the text of a request to the operator app: an execution, or the reason why it is none. */

import * as v from 'valibot'
import { OperatorRequest } from '../../contracts/operator.ts'
import { messageOf } from '../../runtime/message-of.ts'

/** The address of an answer to a request, as far as it could be read. */
export interface Address {
  commandId: string
  taskId: string
  nonce: string
}

export type ReadRequest = { ok: true; request: OperatorRequest } | { ok: false; address: Address; message: string }

const addressIn = (value: unknown): Address => {
  const stringOf = (key: string): string => {
    const found = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
    return typeof found === 'string' ? found : ''
  }
  return { commandId: stringOf('commandId'), taskId: stringOf('taskId'), nonce: stringOf('nonce') }
}

/** The same of a text that is not JSON, as far as its beginning can be read. */
const addressInText = (text: string): Address => {
  const stringOf = (key: string) => new RegExp(`"${key}"\\s*:\\s*"([^"\\\\]*)"`).exec(text)?.[1] ?? ''
  return { commandId: stringOf('commandId'), taskId: stringOf('taskId'), nonce: stringOf('nonce') }
}

const parse = (text: string): { json: unknown } | { problem: string } => {
  try {
    return { json: JSON.parse(text) }
  } catch (error) {
    return { problem: messageOf(error) }
  }
}

export const readRequest = (payload: unknown): ReadRequest => {
  const result = v.safeParse(OperatorRequest, payload)
  if (result.success) return { ok: true, request: result.output }
  const [issue] = result.issues
  const message = `The request is not valid at ${v.getDotPath(issue) ?? 'its top'}: ${issue.message}.`
  return { ok: false, address: addressIn(payload), message }
}

export const readRequestText = (text: string): ReadRequest => {
  const parsed = parse(text)
  if ('json' in parsed) return readRequest(parsed.json)
  return { ok: false, address: addressInText(text), message: `The request is not valid JSON: ${parsed.problem}.` }
}
