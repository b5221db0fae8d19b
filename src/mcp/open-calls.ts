/** The calls of a session that wait for their answers. One that its client has cancelled gets none, so its stream is ended here. */
import type { RequestId, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { SessionEvents } from './replay.ts'

interface Message {
  id?: RequestId
  method?: string
  params?: { requestId?: RequestId }
}

/** The requests of one POST, which share a stream. */
interface OpenStream {
  waiting: Set<RequestId>
  /** Known once the first event has been sent. */
  streamId?: string
  isEnded?: true
}

export interface OpenCalls {
  /** Takes the requests of a body; the returned function reads what their stream sends. */
  begin(body: unknown): (chunk: Uint8Array) => void
  /** Ends the streams of the calls that a body cancels. */
  cancel(body: unknown): void
}

const messagesIn = (body: unknown): Message[] =>
  (Array.isArray(body) ? body : [body]).filter(each => typeof each === 'object' && each !== null)

const EVENT_ID = /^id: (.+)_\d+$/m

export const createOpenCalls = (
  transport: Pick<WebStandardStreamableHTTPServerTransport, 'closeSSEStream'>,
  events: SessionEvents & { forgetStream(streamId: string): void },
): OpenCalls => {
  const open = new Map<RequestId, OpenStream>()
  return {
    begin(body) {
      const ids = messagesIn(body).flatMap(({ id, method }) => (id === undefined || method === undefined ? [] : [id]))
      const stream: OpenStream = { waiting: new Set(ids) }
      for (const id of ids) open.set(id, stream)
      return chunk => {
        const [, streamId] = (stream.streamId === undefined && EVENT_ID.exec(new TextDecoder().decode(chunk))) || []
        if (streamId === undefined) return
        stream.streamId = streamId
        if (stream.isEnded) events.forgetStream(streamId)
      }
    },
    cancel(body) {
      for (const { method, params } of messagesIn(body)) {
        const id = method === 'notifications/cancelled' ? params?.requestId : undefined
        const stream = id === undefined ? undefined : open.get(id)
        if (id === undefined || !stream) continue
        open.delete(id)
        stream.waiting.delete(id)
        if (stream.waiting.size > 0) continue
        stream.isEnded = true
        transport.closeSSEStream(id)
        // A client that comes back to it would wait for an answer that never comes.
        if (stream.streamId !== undefined) events.forgetStream(stream.streamId)
      }
    },
  }
}
