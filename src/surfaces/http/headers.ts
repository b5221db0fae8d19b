/** Section Local HTTP safety: the headers that the routes read and set. CORS lets a web page use exactly these. */
import type { IncomingMessage } from 'node:http'
import {
  ANSWER_WITHIN_HEADER,
  EXECUTION_ID_HEADER,
  FLEET_HOST_HEADER,
  LEASE_HEADER,
  SKILL_RUN_HEADER,
  STEPS_HEADER,
} from '../../contracts/doors/headers.ts'
import { IDEMPOTENCY_KEY_HEADER, LAST_EVENT_ID_HEADER } from '../../contracts/operations/operation.ts'

/** The package of the Model Context Protocol reads these by itself. */
const MCP_REQUEST_HEADERS = ['MCP-Protocol-Version', 'Mcp-Session-Id', 'Mcp-Method', 'Mcp-Name'] as const

/** A route, the guard or the body reader reads these. */
export const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  IDEMPOTENCY_KEY_HEADER,
  LAST_EVENT_ID_HEADER,
  LEASE_HEADER,
  SKILL_RUN_HEADER,
  ANSWER_WITHIN_HEADER,
  ...MCP_REQUEST_HEADERS,
] as const
export type RequestHeader = (typeof REQUEST_HEADERS)[number]

/** A caller in a browser may read these headers of an answer. */
export const ANSWER_HEADERS = [
  EXECUTION_ID_HEADER,
  SKILL_RUN_HEADER,
  FLEET_HOST_HEADER,
  STEPS_HEADER,
  'Mcp-Session-Id',
  'Allow',
  'WWW-Authenticate',
] as const
export type AnswerHeader = (typeof ANSWER_HEADERS)[number]

/** Only a header of the list can be read, so that none is read that a web page may not send. */
export const headerOf = ({ headers }: IncomingMessage, name: RequestHeader): string | undefined => {
  const header = headers[name.toLowerCase()]
  return Array.isArray(header) ? header.join(', ') : header
}
