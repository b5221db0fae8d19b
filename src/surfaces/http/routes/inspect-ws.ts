/** GET /inspect-ws as an ordinary request; the WebSocket itself is spoken by `inspect-ws/endpoint.ts`. */
import { failure } from '../../../contracts/failures/failures.ts'
import { refuse } from '../answer.ts'
import { mountDeclared } from '../declared-input.ts'
import type { RouteModule } from '../module.ts'

export const inspectWsRoutes: RouteModule = {
  mount(app, { clock, inspectWs }) {
    mountDeclared(app, clock, 'server.inspectWs', () => {
      if (!inspectWs) {
        const hint = 'Start the server with svc serve --inspect-ws.'
        return refuse(failure('NOT_FOUND', 'This server has no endpoint for inspectors.', { hint }))
      }
      return refuse(failure('WEBSOCKET_REQUIRED', 'This route speaks WebSocket: connect to it with ws://.'))
    })
  },
}
