/** GET /ping, GET /health and GET /version: whether this server is there, whether it is well, and which one it is. */
import type { HealthResponse, PingResponse } from '../../contracts/http.ts'
import { answer, answerText } from '../answer.ts'
import type { RouteModule } from '../module.ts'

const PONG: PingResponse = { ok: true }

export const statusRoutes: RouteModule = {
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
