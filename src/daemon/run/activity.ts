/** What a daemon is busy with: its open requests, but for the streams that somebody only watches. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../runtime/clock.ts'

export type OnRequest = (incoming: IncomingMessage, outgoing: ServerResponse) => void

const isStream = (outgoing: ServerResponse): boolean =>
  String(outgoing.getHeader('content-type') ?? '').startsWith('text/event-stream')

export const createActivity = (clock: Clock) => {
  const open = new Set<ServerResponse>()
  let lastAt = clock.elapsed()

  const touch = () => {
    lastAt = clock.elapsed()
  }

  return {
    onRequest: ((_, outgoing) => {
      open.add(outgoing)
      outgoing.once('close', () => {
        open.delete(outgoing)
        if (!isStream(outgoing)) touch()
      })
    }) satisfies OnRequest,
    /** Requests that wait for their answer. */
    pending: (): number => [...open].filter(outgoing => !isStream(outgoing)).length,
    touch,
    quietMs: (): number => clock.elapsed() - lastAt,
  }
}
