/** GET /inspect-ws as an ordinary request; the WebSocket itself is spoken by `inspect-ws/endpoint.ts`. */
import { failure } from '../../contracts/failures.ts'
import { refuse } from '../answer.ts'
import { INSPECT_PATH } from '../inspect-ws/messages.ts'
import type { RouteModule } from '../module.ts'

export const inspectWsRoutes: RouteModule = {
  tag: 'Actors',
  operations: [
    {
      method: 'get',
      path: INSPECT_PATH,
      summary: 'Live actors for the inspectors of xstate, if the server was started with --inspect-ws.',
      answers: {
        socket: 'Messages of @statelyai/inspect over a WebSocket: @xstate.actor, @xstate.event, @xstate.snapshot.',
      },
      failures: ['NOT_FOUND', 'WEBSOCKET_REQUIRED'],
    },
  ],
  mount(app, { deps: { inspectWs } }) {
    app.get(INSPECT_PATH, () => {
      if (!inspectWs) {
        const hint = 'Start the server with svc serve --inspect-ws.'
        return refuse(failure('NOT_FOUND', 'This server has no endpoint for inspectors.', { hint }))
      }
      return refuse(failure('WEBSOCKET_REQUIRED', 'This route speaks WebSocket: connect to it with ws://.'))
    })
  },
}
