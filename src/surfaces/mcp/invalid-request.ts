/** Requests that every transport refuses in the same words, before the protocol reads them. */
import type { RequestId } from '@modelcontextprotocol/server'

export const INVALID_REQUEST = -32_600

export const BATCH_REFUSED = 'Invalid request: batches are not supported. Send each message by itself.'

/** Two answers under one id could not be told apart. */
export const idInWork = (id: RequestId): string =>
  `Invalid request: a request with the id ${JSON.stringify(id)} is in work. Give each request an id of its own.`
