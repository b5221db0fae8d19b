/** The listeners of a simulated host: its real HTTP apps, asked without sockets. */
import { EventEmitter } from 'node:events'
import type { ClientRequest, IncomingMessage, RequestOptions, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { failure } from '../../../src/contracts/failures/failures.ts'
import { remote, type Transport } from '../../../src/service/remote.ts'
import { failed } from '../../../src/service/service.ts'
import { requestOf, resultOf } from '../../../src/service/transports/http-message.ts'
import type { Network } from '../../../src/start/network.ts'
import { openStreams } from '../../../src/surfaces/http/events/sse.ts'
import type { App } from '../../../src/surfaces/http/module.ts'
import type { Owner, Scheduler } from '../scheduler.ts'

interface AppRequest {
  method: string
  path: string
  headers: Readonly<Record<string, string>>
  body: Uint8Array
}

const WAY_MS = { min: 0, max: 2 }
const PORT = 1

const ask = async (app: App, { method, path, headers, body }: AppRequest) => {
  const sent = body.length > 0 ? { ...headers, 'content-length': String(body.length) } : headers
  const incoming = Object.assign(Readable.from(body.length > 0 ? [Buffer.from(body)] : []), {
    method,
    url: path,
    headers: Object.fromEntries(Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value])),
  }) as unknown as IncomingMessage
  const outgoing = new EventEmitter() as unknown as ServerResponse
  const response = await app.fetch(new Request(`http://localhost${path}`, { method }), {
    incoming,
    outgoing,
    streams: openStreams(),
  })
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: new Uint8Array(await response.arrayBuffer()),
  }
}

export const createDoors = (scheduler: Scheduler, owner: Owner) => {
  const inbound = new Map<string, App>()
  let front: App | undefined
  const later = (what: string, run: () => void) =>
    scheduler.post(owner, owner.random.int(WAY_MS.min, WAY_MS.max), what, run)

  const startServer: Network['startServer'] = async ({ app, host }) => {
    front = typeof app === 'function' ? app(PORT) : app
    const close = async () => {
      front = undefined
    }
    return { ok: true, server: { address: { host, port: PORT }, url: 'http://simulated', close } }
  }

  const startSocketServer: Network['startSocketServer'] = async ({ app, path }) => {
    inbound.set(path, app)
    return { ok: true, server: { path, close: async () => void inbound.delete(path) } }
  }

  /** As much of a request of Node as those who reach their own app use. */
  const request = (options: RequestOptions) => {
    const events = new EventEmitter()
    let isOver = false
    const finish = (run: () => void) => {
      if (isOver) return
      isOver = true
      run()
      events.emit('close')
    }
    const fail = (error: Error) => finish(() => void events.emit('error', error))
    const answered = ({ status, headers, body }: Awaited<ReturnType<typeof ask>>) =>
      finish(() => {
        const incoming = Object.assign(Readable.from([Buffer.from(body)]), { headers, statusCode: status })
        events.emit('response', incoming)
      })
    return Object.assign(events, {
      destroy: (error = new Error('the request was given up')) => void later('gives a request up', () => fail(error)),
      end(body: Uint8Array | undefined) {
        later('is asked by another host', () => {
          const app = inbound.get(String(options.socketPath))
          if (!app) return fail(new Error('connect ENOENT'))
          const socket = new EventEmitter()
          events.emit('socket', socket)
          socket.emit('connect')
          const { method = 'GET', headers } = options
          const asked = {
            method,
            path: options.path ?? '/',
            headers: headers as Record<string, string>,
            body: body ?? new Uint8Array(),
          }
          ask(app, asked).then(answered, fail)
        })
      },
    }) as unknown as ClientRequest
  }

  const unheard = failure('FLEET_UNREACHABLE', 'Nobody listens here yet.', { details: { dispatched: false } })

  /** A caller that chooses an id comes as a client of the fleet does, everybody else from the network. */
  const transport: Transport = {
    async send(id, input, { context }) {
      const app = context.executionId === undefined ? front : [...inbound.values()][0]
      if (!app) return { kind: 'done', result: failed(unheard) }
      const answer = await ask(app, requestOf(id, input as object, context))
      return { kind: 'done', result: resultOf(id, input, answer, owner.name) }
    },
  }

  return {
    network: { startServer, startSocketServer, request: request as Network['request'] },
    service: remote(transport),
  }
}
