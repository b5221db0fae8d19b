/** The latest events of sessions over HTTP, for clients that lost a stream and name the last event they got (`Last-Event-ID`). */
import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server'
import { MCP_REPLAY } from '../../contracts/limits/mcp-limits.ts'

/** The events of one session: an id leads to events of the same session only. */
export type SessionEvents = Required<EventStore>

export interface ReplayStore {
  forSession(): SessionEvents & { forget(): void; forgetStream(streamId: string): void }
  /** Tests read this. */
  size(): { events: number; bytes: number }
}

interface StoredEvent {
  session: symbol
  streamId: string
  message: JSONRPCMessage
  bytes: number
}

const SEPARATOR = '_'

/** All sessions share the bounds; the oldest events make room. */
export const createReplayStore = (): ReplayStore => {
  const events = new Map<number, StoredEvent>()
  let next = 1
  let bytes = 0

  const remove = (seq: number, event: StoredEvent) => {
    events.delete(seq)
    bytes -= event.bytes
  }
  const makeRoom = () => {
    for (const [seq, event] of events) {
      if (events.size <= MCP_REPLAY.events && bytes <= MCP_REPLAY.bytes) return
      remove(seq, event)
    }
  }
  const idOf = (streamId: string, seq: number) => `${streamId}${SEPARATOR}${seq}`
  const seqOf = (id: string) => Number(id.slice(id.lastIndexOf(SEPARATOR) + 1))

  return {
    forSession() {
      const session = Symbol('session')
      const eventOf = (id: string): StoredEvent | undefined => {
        const event = events.get(seqOf(id))
        return event?.session === session && idOf(event.streamId, seqOf(id)) === id ? event : undefined
      }
      return {
        async storeEvent(streamId, message) {
          const event = { session, streamId, message, bytes: Buffer.byteLength(JSON.stringify(message)) }
          const seq = next
          next += 1
          events.set(seq, event)
          bytes += event.bytes
          makeRoom()
          return idOf(streamId, seq)
        },
        // An event that is not kept any more cannot say what came after it.
        getStreamIdForEventId: async id => eventOf(id)?.streamId,
        async replayEventsAfter(lastEventId, { send }) {
          const last = eventOf(lastEventId)
          if (!last) throw new Error('The last event is not kept any more.')
          const missed = [...events].filter(
            ([seq, event]) => event.session === session && event.streamId === last.streamId && seq > seqOf(lastEventId),
          )
          for (const [seq, { message, streamId }] of missed) {
            // The event that primed the stream has no message.
            if ('jsonrpc' in message) await send(idOf(streamId, seq), message)
          }
          return last.streamId
        },
        forgetStream(streamId) {
          for (const [seq, event] of events)
            if (event.session === session && event.streamId === streamId) remove(seq, event)
        },
        forget() {
          for (const [seq, event] of events) if (event.session === session) remove(seq, event)
        },
      }
    },
    size: () => ({ events: events.size, bytes }),
  }
}
