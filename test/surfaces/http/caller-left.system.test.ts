/** Callers that end their connection right behind a request: nothing is kept for them, and nothing waits for them. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { pause } from '../../../src/runtime/clock.ts'
import { payloadOf } from '../../support/executions/lab.ts'
import { call } from '../../support/http/http-client.ts'
import { type HttpLab, startHttpLab } from '../../support/http/http-server.ts'

let served: HttpLab
beforeEach(async () => {
  served = await startHttpLab()
})
afterEach(() => served.close())

/** Resolves with the socket once all of the request is on its way. */
const send = async (path: string, body: object): Promise<Socket> => {
  const { port } = served
  const text = JSON.stringify(body)
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n`
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  await new Promise(resolve => socket.write(head + text, resolve))
  return socket
}

const held = async () => ((await call(`${served.url}/leases`)).json as { leases: unknown[] }).leases.length

/** Long enough for whatever is made yet; a slower server is asked again. */
const MADE_MS = 400

const LEAVES: [string, (socket: Socket) => unknown][] = [
  ['closes its side', socket => socket.end()],
  ['is killed', socket => socket.destroy()],
  ['resets the connection', socket => socket.resetAndDestroy()],
]

test.each(LEAVES)('a caller that %s right behind POST /leases holds nothing', async (_, leave) => {
  for (let time = 0; time < 5; time += 1) {
    const socket = await send('/leases', { device: served.serials[0], forMs: 60_000 })
    const closed = once(socket.resume(), 'close')
    leave(socket)
    await closed
    await pause(served.deps.clock, MADE_MS)
    await expect.poll(held, { timeout: 20_000 }).toBe(0)
  }
})

test.each(LEAVES)(
  'a caller that %s right behind its request waits neither for a reservation nor for its turn',
  async (_, leave) => {
    const [device] = served.serials
    const made = await call(`${served.url}/leases`, { body: { device, forMs: 600_000 } })
    const execution = payloadOf([{ id: 'p', type: 'press_key', params: { key: 'home' } }])
    for (const [path, body] of [
      ['/leases', { device, forMs: 60_000, waitMs: 600_000 }],
      ['/execute', { deviceId: device, execution, waitMs: 60_000 }],
    ] as const) {
      const socket = await send(path, body)
      const closed = once(socket.resume(), 'close')
      leave(socket)
      await closed
    }
    await pause(served.deps.clock, MADE_MS)
    const waiting = () => served.deps.journal().withTag('waiting-to-reserve').length
    await expect.poll(waiting, { timeout: 20_000 }).toBe(0)
    const { leaseId } = (made.json as { lease: { leaseId: string } }).lease
    await call(`${served.url}/leases/${leaseId}`, { method: 'DELETE' })
    await pause(served.deps.clock, MADE_MS)
    expect(await held()).toBe(0)
    expect(served.lab.fleet.devices[0]?.phone.executions()).toEqual([])
  },
)
