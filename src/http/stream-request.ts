/** What the two event streams have in common as requests: where they resume, and answers that do not go through Hono. */
import type { IncomingMessage } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { SSE_HEADERS } from './sse.ts'

/** The stream writes to Node's response itself. */
export const HANDED_OVER = RESPONSE_ALREADY_SENT

/** A HEAD request is told what it would get, and gets no stream that never ends. */
export const headOfStream = (): Response => new Response(null, { headers: SSE_HEADERS })

/** A blank one counts as not given: browsers send it so before the first event. */
export const lastEventId = ({ headers }: IncomingMessage): string | undefined => {
  const header = headers['last-event-id']
  const id = Array.isArray(header) ? header.join(', ') : header
  return id === undefined || id.trim() === '' ? undefined : id.trim()
}
