/** GET /ping and GET /version: whether this server is there, and which one it is. */
import type { PingResponse } from '../../contracts/http.ts'
import { answerText } from '../answer.ts'
import type { RouteModule } from '../module.ts'

const PONG: PingResponse = { ok: true }

export const statusRoutes: RouteModule = {
  tag: 'Server',
  operations: [
    {
      method: 'get',
      path: '/ping',
      summary: 'Checks that the server is alive.',
      answers: 'PingResponse',
      failures: [],
    },
    {
      method: 'get',
      path: '/version',
      summary: 'The version and build of the server.',
      answers: 'VersionResponse',
      failures: [],
    },
  ],
  mount(app, { deps: { version, buildIdentity } }) {
    const pong = JSON.stringify(PONG)
    const identity = JSON.stringify({ version, buildIdentity })
    app.get('/ping', () => answerText(pong))
    app.get('/version', () => answerText(identity))
  },
}
