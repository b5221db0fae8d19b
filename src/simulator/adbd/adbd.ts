/** The debug daemon of a simulated phone: a TCP port that speaks the device side of the debug bridge. */
import { createServer, type Server } from 'node:net'
import type { Clock } from '../../runtime/clock.ts'
import type { Phone } from '../phone.ts'
import type { DeviceState } from '../phone-parts.ts'
import { createShell } from '../shell/shell.ts'
import { type Connection, createConnection } from './connection.ts'
import { createServices } from './services.ts'

const HOST = '127.0.0.1'

/** Resolves to the port, which is any free one for 0. */
const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, HOST, () => {
      server.off('error', reject)
      server.on('error', () => {})
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })

/** More hosts than this at once are turned away. */
const CONNECTIONS_MAX = 64

export interface AdbdOptions {
  phone: Phone
  clock: Clock
  /** The time that waits of commands take, where a device runs at its own speed. */
  waits?: Clock
  /** 0 for any free one. */
  port?: number
  state?: DeviceState
}

export const startAdbd = async (options: AdbdOptions) => {
  const { phone, clock, waits = clock, port: wanted = 0, state: initial = 'device' } = options
  const openService = createServices({ phone, clock, shell: createShell({ phone, clock, waits }) })
  const connections = new Set<Connection>()
  let state = initial

  const server = createServer(socket => {
    if (connections.size >= CONNECTIONS_MAX) {
      socket.on('error', () => {})
      socket.destroy()
      return
    }
    const connection = createConnection({
      socket,
      phone,
      state,
      openService,
      over: () => void connections.delete(connection),
    })
    connections.add(connection)
  })
  /** Stays the same when the device vanishes and comes back. */
  const port = await listen(server, wanted)

  /** Ends every link, and goes on listening. */
  const cutLinks = () => {
    for (const connection of [...connections]) connection.close()
  }
  let closing = Promise.resolve()
  /** Switches the device off: every link ends and the port is closed. */
  const vanish = (): Promise<void> => {
    if (server.listening) closing = new Promise(resolve => server.close(() => resolve()))
    cutLinks()
    return closing
  }
  /** Hosts see the new state at once: their links are cut, and a new one meets it. */
  const setState = (next: DeviceState) => {
    if (next === state) return
    const wasUnauthorized = state === 'unauthorized'
    state = next
    if (wasUnauthorized && next === 'device') for (const connection of connections) connection.allow()
    else cutLinks()
  }

  return {
    port,
    get state() {
      return state
    },
    setState,
    /** The person at the device accepts the hosts that wait: their links go on as authorized ones. */
    allow: () => {
      if (state === 'unauthorized') setState('device')
    },
    cutLinks,
    vanish,
    /** On the same port; rejects when somebody else has taken it. */
    comeBack: async () => {
      await closing
      if (!server.listening) await listen(server, port)
    },
    close: vanish,
    /** Hosts that are connected, in whichever state. */
    connections: () => connections.size,
  }
}

export type Adbd = Awaited<ReturnType<typeof startAdbd>>
