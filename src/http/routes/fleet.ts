/** The fleet this host is in: who is a member, and taking hosts out of it. */

import { failure } from '../../contracts/failures.ts'
import type { FleetHostResponse, FleetStatusResponse } from '../../contracts/fleet.ts'
import { readContext } from '../../contracts/request-context.ts'
import { answer, refuse } from '../answer.ts'
import { forward, refuseForwarded } from '../fleet/forward.ts'
import type { RouteModule } from '../module.ts'

const HOST = '/fleet/hosts/:host'
const DRAIN = `${HOST}/drain`
const DRAIN_MS = 10_000

const outside = () =>
  refuse(
    failure('NOT_FOUND', 'This server is in no fleet.', { hint: 'Start it with svc serve --fleet <url of NATS>.' }),
  )

const unknown = (host: string) =>
  refuse(
    failure('NOT_FOUND', `The fleet knows no host ${JSON.stringify(host)}.`, { hint: 'GET /fleet lists the hosts.' }),
  )

export const fleetRoutes: RouteModule = {
  mount(app, { deps }) {
    const { fleet, isPrivate } = deps
    app.get('/fleet', () => {
      if (!fleet) return outside()
      const response: FleetStatusResponse = { ok: true, ...fleet.status() }
      return answer(response)
    })
    app.post(DRAIN, async c => {
      if (!fleet) return outside()
      const host = c.req.param('host')
      if (!fleet.knows(host)) return unknown(host)
      if (host !== fleet.host) {
        const out = { method: 'POST', path: `/fleet/hosts/${host}/drain`, withinMs: DRAIN_MS }
        const asked = readContext(c.env.incoming.headers, { isPrivate })
        if (!asked.ok) return refuse(asked.error)
        const outcome = await forward(host, out, { fleet, context: asked.context })
        return outcome.kind === 'answered' ? outcome.response : refuseForwarded(outcome.error)
      }
      await fleet.drain()
      const response: FleetHostResponse = { ok: true, host, state: fleet.statusOf(host)?.state ?? 'draining' }
      return answer(response)
    })
    app.delete(HOST, async c => {
      if (!fleet) return outside()
      const host = c.req.param('host')
      if (!fleet.knows(host)) return unknown(host)
      if (fleet.isAlive(host)) {
        const hint = `Stop its svc serve first; svc fleet drain ${host} lets it finish what runs.`
        return refuse(failure('FLEET_HOST_TAKEN', `Host ${host} is alive.`, { hint, details: { host } }), {
          status: 409,
        })
      }
      if (!fleet.isUp()) {
        return refuse(failure('FLEET_UNREACHABLE', 'No NATS server answers: nothing was forgotten.'))
      }
      await fleet.forget(host)
      const response: FleetHostResponse = { ok: true, host, state: 'forgotten' }
      return answer(response)
    })
  },
}
