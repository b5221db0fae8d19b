/** The requests of a session that wait for their answers. One that its client has cancelled gets none, so its stream is ended here. */

import type { RequestId, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { SessionEvents } from './replay.ts'

/** Requests that every transport refuses in the same words, before the protocol reads them. */
export const INVALID_REQUEST = -32_600

export const BATCH_REFUSED = 'Invalid request: batches are not supported. Send each message by itself.'

/** Two answers under one id could not be told apart. */
export const idInWork = (id: RequestId): string =>
  `Invalid request: a request with the id ${JSON.stringify(id)} is in work. Give each request an id of its own.`

interface Message {
  id?: RequestId
  method?: string
  params?: { requestId?: RequestId }
}

interface OpenCall {
  /** Known once the first event has been sent. */
  streamId?: string
  isEnded?: true
}

export interface OpenCalls {
  /** The id of the request in a body, if another request in work has it. */
  takenId(body: unknown): RequestId | undefined
  /** Takes the request of a body; the returned function reads what its stream sends. */
  begin(body: unknown): (chunk: Uint8Array) => void
  /** Frees the id of a request that was refused before it was in work. */
  refused(body: unknown): void
  /** Ends the stream of the call that a body cancels. */
  cancel(body: unknown): void
}

const messageIn = (body: unknown): Message => (typeof body === 'object' && body !== null ? body : {})

const requestIdIn = (body: unknown): RequestId | undefined => {
  const { id, method } = messageIn(body)
  return method === undefined ? undefined : id
}

const EVENT_ID = /^id: (.+)_\d+$/m

export const createOpenCalls = (
  transport: Pick<WebStandardStreamableHTTPServerTransport, 'closeSSEStream' | 'send'>,
  events: SessionEvents & { forgetStream(streamId: string): void },
): OpenCalls => {
  const open = new Map<RequestId, OpenCall>()
  const send = transport.send.bind(transport)
  // The answer of a call may come after its client has lost the stream, so the stream does not tell when it is over.
  transport.send = async (message, options) => {
    try {
      await send(message, options)
    } finally {
      if ('id' in message && !('method' in message) && message.id !== undefined) open.delete(message.id)
    }
  }
  return {
    takenId(body) {
      const id = requestIdIn(body)
      return id !== undefined && open.has(id) ? id : undefined
    },
    begin(body) {
      const call: OpenCall = {}
      const id = requestIdIn(body)
      if (id !== undefined) open.set(id, call)
      return chunk => {
        const [, streamId] = (call.streamId === undefined && EVENT_ID.exec(new TextDecoder().decode(chunk))) || []
        if (streamId === undefined) return
        call.streamId = streamId
        if (call.isEnded) events.forgetStream(streamId)
      }
    },
    refused(body) {
      const id = requestIdIn(body)
      if (id !== undefined) open.delete(id)
    },
    cancel(body) {
      const { method, params } = messageIn(body)
      const id = method === 'notifications/cancelled' ? params?.requestId : undefined
      const call = id === undefined ? undefined : open.get(id)
      if (id === undefined || !call) return
      open.delete(id)
      call.isEnded = true
      transport.closeSSEStream(id)
      // A client that comes back to it would wait for an answer that never comes.
      if (call.streamId !== undefined) events.forgetStream(call.streamId)
    },
  }
}
