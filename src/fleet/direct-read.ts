/** Reads messages of a stream in order from whichever server keeps a copy: nothing is opened there that could stall. */
import { createInbox, type Msg, type MsgHdrs, type NatsConnection, type Subscription } from '@nats-io/transport-node'
import type { Clock, Timer } from '../runtime/clock.ts'
import type { FleetConnection } from './servers/connection.ts'

export interface Read {
  seq: number
  subject: string
  data: Uint8Array
  headers: MsgHdrs
}

export interface DirectRead {
  stream: string
  subject: string
  /** The first sequence that is wanted. */
  from: number
  messages: number
  bytes: number
}

/** No server takes longer for one message; one that was killed says nothing. */
const SILENCE_MS = 3_000

const NO_MESSAGE = 404
const NO_RESPONDERS = 503

/** The client keeps it, and does not declare it: replies come in nowhere else. */
const inboxPrefixOf = (nc: NatsConnection) => (nc as { options?: { inboxPrefix?: string } }).options?.inboxPrefix

/** Rejects when no server answers; what has come before a server fell silent is kept. */
export const readDirect = (
  { nc }: Pick<FleetConnection, 'nc'>,
  clock: Clock,
  { stream, subject, from, messages, bytes }: DirectRead,
): Promise<Read[]> =>
  new Promise((resolve, reject) => {
    const found: Read[] = []
    const inbox = createInbox(inboxPrefixOf(nc))
    let timer: Timer | undefined
    let subscription: Subscription | undefined
    const finish = (problem?: Error) => {
      timer?.cancel()
      subscription?.unsubscribe()
      if (problem && found.length === 0) reject(problem)
      else resolve(found)
    }
    const wait = () => clock.at(clock.now() + SILENCE_MS, () => finish(new Error('no server answers for the log')))

    const take = ({ headers, data }: Msg) => {
      timer?.cancel()
      timer = wait()
      const status = headers?.code ?? 0
      if (status === NO_RESPONDERS) return finish(new Error('no server has the log at the moment'))
      if (status === NO_MESSAGE || status === 204) return finish()
      if (!headers || status !== 0) return finish(new Error(`the server answered with status ${status}`))
      // The server writes its own behind those that were stored.
      const seq = Number(headers.last('Nats-Sequence'))
      // A message that is not the next one belongs to no answer that is in order.
      if (!(seq > (found.at(-1)?.seq ?? from - 1))) return
      found.push({ seq, subject: headers.last('Nats-Subject'), data, headers })
      // Servers before 2.11 know no batches and send one.
      if (headers.last('Nats-Num-Pending') === '') finish()
    }

    const callback = (error: Error | null, message: Msg) => (error ? finish(error) : take(message))
    const request = { seq: from, next_by_subj: subject, batch: messages, max_bytes: bytes }
    try {
      subscription = nc.subscribe(inbox, { callback })
      nc.publish(`$JS.API.DIRECT.GET.${stream}`, JSON.stringify(request), { reply: inbox })
      timer = wait()
    } catch (error) {
      // The connection is closed.
      finish(error as Error)
    }
  })
