/** Counts the open requests of a daemon, except streams that somebody only watches. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { EXECUTION_ID_HEADER } from '../../contracts/headers.ts'
import type { Clock } from '../../runtime/clock.ts'

/** False when the request was answered already, and is nobody else's business. */
export type OnRequest = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean

const isStream = (outgoing: ServerResponse): boolean =>
  String(outgoing.getHeader('content-type') ?? '').startsWith('text/event-stream')

export const createActivity = (clock: Clock) => {
  const open = new Set<ServerResponse>()
  let lastAt = clock.elapsed()
  let hasServed = false
  let onUnserved = () => {}

  const touch = () => {
    lastAt = clock.elapsed()
  }

  return {
    onRequest: ((incoming, outgoing) => {
      open.add(outgoing)
      outgoing.once('close', () => {
        open.delete(outgoing)
        if (!isStream(outgoing)) touch()
        if (incoming.method !== 'POST') return
        // An execution is accepted once its device was reached.
        hasServed ||= outgoing.hasHeader(EXECUTION_ID_HEADER)
        if (!hasServed) onUnserved()
      })
      return true
    }) satisfies OnRequest,
    /** Requests that wait for their answer. */
    pending: (): number => [...open].filter(outgoing => !isStream(outgoing)).length,
    touch,
    quietMs: (): number => clock.elapsed() - lastAt,
    /** An execution was accepted. */
    hasServed: (): boolean => hasServed,
    /** Called when a command was answered and none was accepted so far. */
    onUnserved(listener: () => void) {
      onUnserved = listener
    },
  }
}
