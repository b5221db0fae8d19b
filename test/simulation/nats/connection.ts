/** A connection to simulated servers, as the client of NATS has it: it reconnects for ever, and keeps what is sent meanwhile. */
import {
  errors,
  type Msg,
  type NatsConnection,
  type PublishOptions,
  type RequestOptions,
  type Status,
  type Subscription,
  type SubscriptionOptions,
} from '@nats-io/transport-node'
import type { ConnectNats } from '../../../src/fleet/servers/connection.ts'
import type { Owner, Scheduler } from '../scheduler.ts'
import type { Wired } from './api.ts'
import { kindOf, type Socket, type ToClient, type ToServer } from './link.ts'
import { bytesOf, createQueue, listOf, messageOf } from './message.ts'
import type { Nats } from './server.ts'

const DIAL_MS = { min: 1, max: 20 }
const RECONNECT_MS = 500
const SILENCE_MS = 4_000
const STALL_MS = 300
const PAYLOAD_MAX = 1_024 * 1_024

export interface ConnectorOptions {
  scheduler: Scheduler
  nats: Nats
  owner: Owner
  /** Its network is that of this host. */
  host: string
}

export const natsConnector =
  ({ scheduler, nats, owner, host }: ConnectorOptions): ConnectNats =>
  async ({ inboxPrefix = '_INBOX' } = {}) => {
    const replies = `${inboxPrefix}.replies`
    const hearing = new Map<number, { subject: string; hear(message: Msg): void; end(): void }>()
    const waiting = new Map<string, (message: Msg) => void>()
    const pings = new Map<number, { resolve(): void; reject(error: Error): void }>()
    const statuses = new Set<ReturnType<typeof createQueue<Status>>>()
    let socket: Socket | undefined
    let unsent: ToServer[] = []
    let isClosed = false
    let isDraining = false
    let numbers = 0

    const tell = (status: Status) => {
      for (const queue of statuses) queue.put(status)
    }

    const send = (frame: ToServer) => {
      if (socket) socket.toServer(frame)
      else if (frame.kind === 'publish') unsent.push(frame)
    }

    const heard = (frame: ToClient) => {
      if (frame.kind === 'pong') {
        pings.get(frame.number)?.resolve()
        pings.delete(frame.number)
        return
      }
      const { sid, message } = frame
      const listener = hearing.get(sid)
      if (!listener || !scheduler.cross(owner, `takes ${kindOf(message.subject)}`)) return
      listener.hear(messageOf(message, sid))
    }

    const lost = () => {
      socket = undefined
      for (const { reject } of pings.values()) reject(new errors.ClosedConnectionError())
      pings.clear()
      if (isClosed) return
      tell({ type: 'disconnect', server: host })
      scheduler.post(owner, RECONNECT_MS, 'reconnects', redial)
    }

    const dial = () => nats.dial(owner, host, { onClient: heard, onClientEnd: lost })

    const redial = () => {
      if (isClosed) return
      const dialled = dial()
      if (dialled === 'refused' || dialled === 'silent') {
        scheduler.post(owner, dialled === 'silent' ? SILENCE_MS : RECONNECT_MS, 'reconnects', redial)
        return
      }
      socket = dialled
      for (const [sid, { subject }] of hearing) socket.toServer({ kind: 'subscribe', sid, subject })
      for (const frame of unsent) socket.toServer(frame)
      unsent = []
      tell({ type: 'reconnect', server: host })
    }

    const publish = (subject: string, payload?: Uint8Array | string, options: PublishOptions = {}) => {
      if (isClosed) throw new errors.ClosedConnectionError()
      if (!scheduler.cross(owner, `sends ${kindOf(subject)}`)) return
      const { reply, headers } = options
      const data = Uint8Array.from(bytesOf(payload))
      const message: Wired = { subject, data, headers: listOf(headers), ...(reply === undefined ? {} : { reply }) }
      send({ kind: 'publish', message })
    }

    const subscribe = (subject: string, { callback }: SubscriptionOptions = {}): Subscription => {
      if (isClosed) throw new errors.ClosedConnectionError()
      const sid = ++numbers
      const queue = createQueue<Msg>()
      const hear = callback ? (message: Msg) => void callback(null, message) : queue.put
      hearing.set(sid, { subject, hear, end: queue.end })
      send({ kind: 'subscribe', sid, subject })
      const unsubscribe = () => {
        if (!hearing.delete(sid)) return
        send({ kind: 'unsubscribe', sid })
        queue.end()
      }
      return { unsubscribe, [Symbol.asyncIterator]: queue.read } as unknown as Subscription
    }

    let isMuxed = false
    /** The subject for the replies to one request; all of them come over one subscription. */
    const replyTo = (hear: (message: Msg) => void): string => {
      if (!isMuxed) subscribe(`${replies}.*`, { callback: (_, message) => waiting.get(message.subject)?.(message) })
      isMuxed = true
      const subject = `${replies}.${++numbers}`
      waiting.set(subject, hear)
      return subject
    }

    const request = (subject: string, data?: Uint8Array | string, options?: RequestOptions): Promise<Msg> =>
      new Promise((resolve, reject) => {
        const reply = replyTo(message => {
          waiting.delete(reply)
          timer.cancel()
          if (message.data.length > 0 || message.headers?.code !== 503) return resolve(message)
          const cause = new errors.NoRespondersError(subject)
          reject(new errors.RequestError(cause.message, { cause }))
        })
        const timer = scheduler.post(owner, options?.timeout ?? 1_000, 'gives a request up', () => {
          waiting.delete(reply)
          reject(new errors.TimeoutError())
        })
        try {
          publish(subject, data, { reply, ...(options?.headers ? { headers: options.headers } : {}) })
        } catch (error) {
          timer.cancel()
          waiting.delete(reply)
          reject(error)
        }
      })

    const requestMany = async (
      subject: string,
      data: Uint8Array | string | undefined,
      { maxWait = 1_000 }: { maxWait?: number } = {},
    ) => {
      const queue = createQueue<Msg>()
      const finish = () => {
        waiting.delete(reply)
        queue.end()
      }
      let timer = scheduler.post(owner, maxWait, 'gives a request up', finish)
      const reply = replyTo(message => {
        timer.cancel()
        queue.put(message)
        timer = scheduler.post(owner, STALL_MS, 'has all answers', finish)
      })
      publish(subject, data, { reply })
      return queue.read()
    }

    const flush = () =>
      new Promise<void>((resolve, reject) => {
        if (isClosed || !socket) return reject(new errors.ClosedConnectionError())
        const number = ++numbers
        pings.set(number, { resolve, reject })
        send({ kind: 'ping', number })
      })

    const close = async () => {
      if (isClosed) return
      isClosed = true
      if (socket) nats.hangUp(socket)
      socket = undefined
      for (const { end } of hearing.values()) end()
      hearing.clear()
      for (const queue of statuses) queue.end()
    }

    const connection = {
      options: { inboxPrefix },
      features: { get: () => ({ ok: true, min: '2.0.0' }) },
      getServerVersion: () => undefined,
      get info() {
        return {
          version: nats.version,
          max_payload: PAYLOAD_MAX,
          jetstream: true,
          server_name: 'n1',
          cluster: 'simulated',
        }
      },
      status() {
        const queue = createQueue<Status>()
        statuses.add(queue)
        return queue.read()
      },
      publish,
      subscribe,
      request,
      requestMany,
      flush,
      close,
      async drain() {
        if (isDraining || isClosed) throw new errors.DrainingConnectionError()
        isDraining = true
        for (const sid of hearing.keys()) send({ kind: 'unsubscribe', sid })
        await flush()
        await close()
      },
      isClosed: () => isClosed,
      isDraining: () => isDraining,
    }

    return new Promise<NatsConnection>((resolve, reject) => {
      if (!scheduler.cross(owner, 'dials NATS')) return
      const delay = owner.random.int(DIAL_MS.min, DIAL_MS.max)
      scheduler.post(owner, delay, 'reaches NATS', () => {
        const dialled = dial()
        const refuse = () => reject(new Error('CONNECTION_REFUSED'))
        if (dialled === 'refused') return refuse()
        if (dialled === 'silent') return void scheduler.post(owner, SILENCE_MS, 'gives NATS up', refuse)
        socket = dialled
        resolve(connection as unknown as NatsConnection)
      })
    })
  }
