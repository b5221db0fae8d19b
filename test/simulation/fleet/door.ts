/** The listeners of a simulated host: its real HTTP apps, asked without sockets. */
import { failure } from '../../../src/contracts/failures/failures.ts'
import { type HttpAnswer, requestOf, resultOf } from '../../../src/service/http-transport.ts'
import { remote, type Transport } from '../../../src/service/remote.ts'
import { failed } from '../../../src/service/service.ts'
import type { Network } from '../../../src/start/world.ts'
import { askApp, type InnerRequest } from '../../../src/surfaces/http/ask-app.ts'
import type { App } from '../../../src/surfaces/http/module.ts'
import type { Owner } from '../scheduler.ts'

const PORT = 1

const ask = async (app: App, request: InnerRequest): Promise<HttpAnswer> => {
  const response = await askApp(app, request)
  const body = new Uint8Array(await response.arrayBuffer())
  return { status: response.status, headers: Object.fromEntries(response.headers), body }
}

export const createDoors = (owner: Owner) => {
  let inbound: App | undefined
  let front: App | undefined

  const startServer: Network['startServer'] = async ({ app, host }) => {
    front = typeof app === 'function' ? app(PORT) : app
    const close = async () => {
      front = undefined
    }
    return { ok: true, server: { address: { host, port: PORT }, url: 'http://simulated', close } }
  }

  const unheard = failure('FLEET_UNREACHABLE', 'Nobody listens here yet.', { details: { dispatched: false } })

  /** A caller that chooses an id comes as a client of the fleet does, everybody else from the network. */
  const transport: Transport = {
    async send(id, input, { context }) {
      const app = context.executionId === undefined ? front : inbound
      if (!app) return { kind: 'done', result: failed(unheard) }
      const answer = await ask(app, requestOf(id, input as object, context))
      return { kind: 'done', result: resultOf(id, input, answer, owner.name) }
    },
  }

  return {
    network: {
      startServer,
      onInbound(app: App) {
        inbound = app
      },
    },
    service: remote(transport),
  }
}
