/** Section Events: the stream on the wire. */
import type { IncomingMessage } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { LAST_EVENT_ID_HEADER } from '../../../contracts/operations/operation.ts'
import { headerOf } from '../headers.ts'

export const SSE_HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache',
  Connection: 'keep-alive',
} as const

/** Readers skip it; it shows that the connection is alive. */
export const COMMENT = ':\n\n'

/** `json` is one line, as JSON.stringify makes it. Without an id the reader's position stays what it was. */
export const frame = (id: string | number | undefined, event: string, json: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${json}\n\n`

/** The stream writes to Node's response itself. */
export const HANDED_OVER = RESPONSE_ALREADY_SENT

/** A HEAD request is told what it would get, and gets no stream that never ends. */
export const headOfStream = (): Response => new Response(null, { headers: SSE_HEADERS })

/** A blank one counts as not given: browsers send it so before the first event. */
export const lastEventId = (incoming: IncomingMessage): string | undefined => {
  const id = headerOf(incoming, LAST_EVENT_ID_HEADER)
  return id === undefined || id.trim() === '' ? undefined : id.trim()
}

export interface OpenStreams {
  /** `end` is called when the server closes, at once if it does so already; the returned function forgets it. */
  add(end: () => void): () => void
  close(): void
}

export const openStreams = (): OpenStreams => {
  const ends = new Set<() => void>()
  let closed = false
  return {
    add(end) {
      if (closed) end()
      else ends.add(end)
      return () => void ends.delete(end)
    },
    close() {
      closed = true
      for (const end of [...ends]) end()
      ends.clear()
    },
  }
}
