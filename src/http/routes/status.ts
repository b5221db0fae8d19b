/** GET /ping, GET /health and GET /version: whether this server is there, whether it is well, and which one it is. */
import type { HealthResponse, PingResponse } from '../../contracts/http.ts'
import { answer, answerText } from '../answer.ts'
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
      path: '/health',
      summary: 'What fails in the server beside its answers; empty when it is well.',
      answers: 'HealthResponse',
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
  mount(app, { deps: { version, buildIdentity, troubles } }) {
    const pong = JSON.stringify(PONG)
    const identity = JSON.stringify({ version, buildIdentity })
    app.get('/ping', () => answerText(pong))
    app.get('/health', () => {
      const response: HealthResponse = { ok: true, troubles: troubles?.list() ?? [] }
      return answer(response)
    })
    app.get('/version', () => answerText(identity))
  },
}
