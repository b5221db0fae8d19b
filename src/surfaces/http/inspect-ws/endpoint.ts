/** `svc serve --inspect-ws`: the live actors of all processes for the inspectors of xstate, over WebSockets. */
import { type WebSocket, WebSocketServer } from 'ws'
import { failure } from '../../../contracts/failures/failures.ts'
import { INSPECT_CLIENTS_MAX, SSE_KEEPALIVE_MS } from '../../../contracts/limits/limits.ts'
import type { Clock, Timer } from '../../../runtime/clock.ts'
import type { Journal } from '../../../runtime/journal/journal.ts'
import { describeError } from '../../../service/executions/to-error.ts'
import { refuseSocket } from '../answer.ts'
import type { SocketEndpoint } from '../upgrade-gate.ts'
import { serveClient, WS_GOING_AWAY, WS_TRY_LATER } from './client.ts'
import { createFeed } from './feed.ts'
import { INSPECT_PATH } from './messages.ts'

export interface InspectEndpointOptions {
  journal: Journal
  clock: Clock
  note: (text: string) => void
}

/** Inspectors send nothing that is read. */
const MESSAGE_BYTES_MAX = 64 * 1_024

export const createInspectEndpoint = ({ journal, clock, note }: InspectEndpointOptions): SocketEndpoint => {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MESSAGE_BYTES_MAX,
  })
  const feed = createFeed(journal)
  /** The value is true when the client has answered the last ping. */
  const clients = new Map<WebSocket, boolean>()
  let timer: Timer | undefined

  const look = () => {
    for (const [socket, isThere] of clients) {
      if (!isThere) {
        socket.terminate()
        continue
      }
      clients.set(socket, false)
      socket.ping()
    }
    timer = clients.size > 0 ? clock.at(clock.now() + SSE_KEEPALIVE_MS, look, { idle: true }) : undefined
  }

  const take = (socket: WebSocket) => {
    socket.on('error', () => {})
    const isOne = clients.size < INSPECT_CLIENTS_MAX
    // One too many is watched as well, so that it leaves.
    clients.set(socket, isOne)
    socket.once('close', () => void clients.delete(socket))
    timer ??= clock.at(clock.now() + SSE_KEEPALIVE_MS, look, { idle: true })
    if (!isOne) return socket.close(WS_TRY_LATER, `this server has ${INSPECT_CLIENTS_MAX} inspectors already`)
    socket.on('pong', () => clients.set(socket, true))
    const onFailure = (error: unknown) => note(`an inspector was disconnected: ${describeError(error)}`)
    serveClient({ socket, feed, journal, clock, onFailure })
  }

  server.on('wsClientError', (error, socket) =>
    refuseSocket(
      socket,
      failure('WEBSOCKET_REQUIRED', `The WebSocket handshake is not valid: ${error.message}.`),
      clock,
    ),
  )

  return {
    path: INSPECT_PATH,
    accept: (incoming, socket, head) => server.handleUpgrade(incoming, socket, head, take),
    close() {
      timer?.cancel()
      for (const socket of clients.keys()) socket.close(WS_GOING_AWAY, 'the server ends')
    },
  }
}
