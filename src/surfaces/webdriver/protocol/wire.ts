/** Requests and answers of the protocol as they travel over HTTP, whichever server carries them. */
import { messageOf } from '../../../runtime/message-of.ts'
import { ERROR_STATUS, WebDriverError } from './webdriver-error.ts'

/** Bodies carry files and APKs as base64. */
export const WEBDRIVER_BODY_BYTES = 64 * 1_024 * 1_024

/** All bodies together that a server holds: many clients at once must not end it. */
export const WEBDRIVER_BODIES_BYTES = 256 * 1_024 * 1_024

export type BodyRead =
  | { readonly kind: 'whole'; readonly text: string }
  | { readonly kind: 'too-large' }
  /** The bodies of other requests take all the room there is. */
  | { readonly kind: 'no-room' }
  /** The client left before the body was complete, or the bytes are no UTF-8. */
  | { readonly kind: 'broken'; readonly problem: string }

export interface WireRequest {
  readonly method: string
  /** Decoded, without the query. */
  readonly path: string
  /** Empty text for a request without a body. */
  readBody(): Promise<BodyRead>
  /** The folders below which its caller may name files of this host; absent for one who may name any. */
  readonly fileRoots?: readonly string[] | undefined
  /** Aborted when nobody hears the answer any more. */
  readonly leave?: AbortSignal | undefined
}

export interface WireAnswer {
  readonly status: number
  readonly json: string
  /** The execution that acted for the command. */
  readonly executionId?: string | undefined
}

/** `stacktrace` is part of the protocol, and always empty: the message says what to do. */
export const errorAnswer = ({ error, message, data }: WebDriverError, executionId?: string): WireAnswer => ({
  status: ERROR_STATUS[error],
  json: JSON.stringify({ value: { error, message, stacktrace: '', ...(data === undefined ? {} : { data }) } }),
  executionId,
})

/** A value that JSON cannot hold is an error of the protocol: its command may have acted already. */
export const valueAnswer = (value: unknown, executionId?: string): WireAnswer => {
  try {
    return { status: 200, json: JSON.stringify({ value: value === undefined ? null : value }), executionId }
  } catch (error) {
    const message = `The command ended, but its answer cannot be written as JSON: ${messageOf(error)}.`
    return errorAnswer(new WebDriverError('unknown error', message, { code: 'INTERNAL_ERROR' }), executionId)
  }
}
