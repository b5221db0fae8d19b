/** Section Events: the stream on the wire. */

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
