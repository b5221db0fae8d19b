/** One socket between a process and the simulated servers: frames keep their order each way, and may be held up or cut. */
import type { Owner, Scheduler } from '../scheduler.ts'
import type { Wired } from './api.ts'

export type ToServer =
  | { kind: 'publish'; message: Wired }
  | { kind: 'subscribe'; sid: number; subject: string }
  | { kind: 'unsubscribe'; sid: number }
  | { kind: 'ping'; number: number }

export type ToClient = { kind: 'message'; sid: number; message: Wired } | { kind: 'pong'; number: number }

/** The network between a host and the servers; `silent`: nothing arrives, and nobody is told. */
export interface Way {
  state: 'whole' | 'cut' | 'silent'
  /** Added to each frame. */
  extraMs: number
  /** What waits for a silent cut to end. */
  held: (() => void)[]
}

export interface Socket {
  readonly client: Owner
  readonly subscriptions: Map<number, { subject: string; since: number }>
  isOver: boolean
  toServer(frame: ToServer): void
  toClient(frame: ToClient): void
  /** Nothing more arrives; each side sees it once its network tells it. */
  end(tells: { client: boolean; server: boolean }): void
}

export interface SocketOptions {
  scheduler: Scheduler
  client: Owner
  server: Owner
  way: Way
  onServer(socket: Socket, frame: ToServer): void
  onClient(frame: ToClient): void
  onClientEnd(): void
  onServerEnd(socket: Socket): void
}

const DELAY_MS = { min: 0, max: 3 }
const TELL_MS = { min: 0, max: 20 }

/** The kind of a subject: what identifies a reply is random for the real client, too. */
export const kindOf = (subject: string): string => subject.split('.').slice(0, 4).join('.')

export const openSocket = (options: SocketOptions): Socket => {
  const { scheduler, client, server, way } = options

  const lane = (to: Owner) => {
    const queue: (() => void)[] = []
    let lastAt = 0
    return (what: string, deliver: () => void) => {
      const delay = client.random.int(DELAY_MS.min, DELAY_MS.max) + way.extraMs
      lastAt = Math.max(lastAt, scheduler.now() + delay)
      queue.push(deliver)
      const arrive = () => {
        if (way.state === 'silent') return void way.held.push(() => scheduler.post(to, 0, what, arrive))
        const next = queue.shift()
        if (!socket.isOver) next?.()
      }
      scheduler.post(to, lastAt - scheduler.now(), what, arrive)
    }
  }
  const up = lane(server)
  const down = lane(client)

  const socket: Socket = {
    client,
    subscriptions: new Map(),
    isOver: false,
    toServer(frame) {
      const what = frame.kind === 'publish' ? `${client.name} publishes ${kindOf(frame.message.subject)}` : frame.kind
      up(what, () => options.onServer(socket, frame))
    },
    toClient(frame) {
      const what = frame.kind === 'message' ? `hears ${kindOf(frame.message.subject)}` : frame.kind
      down(what, () => options.onClient(frame))
    },
    end(tells) {
      if (socket.isOver) return
      socket.isOver = true
      const soon = () => client.random.int(TELL_MS.min, TELL_MS.max)
      if (tells.client) scheduler.post(client, soon(), 'loses NATS', options.onClientEnd)
      if (tells.server) scheduler.post(server, soon(), 'sees a client go', () => options.onServerEnd(socket))
    },
  }
  return socket
}
