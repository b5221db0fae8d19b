/** Requests between the hosts of a fleet over NATS: each handled at most once, each with an end. */
import { randomBytes } from 'node:crypto'
import * as v from 'valibot'
import type { Clock } from '../../runtime/clock.ts'
import type { HttpAnswer } from '../../service/http-transport.ts'
import type { FleetConnection } from '../servers/connection.ts'
import type { Names } from '../servers/names.ts'
import { type Ask, type AskOptions, startAsk } from './ask.ts'
import { REQUEST_BYTES_MAX } from './limits.ts'
import { frame, toAskerIn } from './messages.ts'
import { type Exchanged, type FleetRequest, failureAnswer, RequestHead } from './request.ts'
import { type Handle, serveRequests } from './serve.ts'
import { type Heard, type Wire, wireOf } from './wire.ts'

export interface ExchangeOptions {
  connection: FleetConnection
  names: Names
  self: string
  clock: Clock
  /** In the place of the connection's messages. */
  wire?: Wire | undefined
}

const TOKEN_BYTES = 16
/** No time has more digits than this. */
const LONGEST_UNTIL = Number.MAX_SAFE_INTEGER
const token = () => randomBytes(TOKEN_BYTES).toString('hex')

type Checked = { ok: true; head: RequestHead } | { ok: false; answer: HttpAnswer }

/** Answers a request that no host would accept right here. */
const checkRequest = ({ body, ...fields }: FleetRequest, maxPayload: number): Checked => {
  const checked = v.safeParse(RequestHead, { ...fields, withinMs: Math.round(fields.withinMs) })
  if (!checked.success) {
    const [{ path, message }] = checked.issues
    const problem = `The request cannot be sent to another host: ${path?.[0]?.key}: ${message}`
    return { ok: false, answer: failureAnswer('INVALID_BODY', problem) }
  }
  const head = checked.output
  const bytesMax = Math.min(
    REQUEST_BYTES_MAX,
    maxPayload - frame({ kind: 'ask', until: LONGEST_UNTIL, request: head }).length,
  )
  if (body.length <= bytesMax) return { ok: true, head }
  const tooLarge = `A request to another host can have a body of ${bytesMax} bytes, this one has ${body.length}.`
  return { ok: false, answer: failureAnswer('PAYLOAD_TOO_LARGE', tooLarge) }
}

export const createExchange = ({ connection, names, self, clock, wire: givenWire }: ExchangeOptions) => {
  const wire = givenWire ?? wireOf(connection)
  const inbox = `${names.inbox(self)}.${token()}`
  const asks = new Map<string, Ask>()
  let malformed = 0
  let isClosed = false
  const onMalformed = () => void malformed++

  /** `<inbox>.<token of the ask>.<number of the sending>`: nobody but the host that was asked knows it. */
  const hear = ({ subject, data, isNobodyThere }: Heard) => {
    const [key = '', sending = ''] = subject.slice(inbox.length + 1).split('.')
    const ask = asks.get(key)
    if (!ask) return
    if (isNobodyThere) return ask.nobodyThere(Number(sending))
    const message = toAskerIn(data)
    if (!message || !ask.heard(message, Number(sending))) onMalformed()
  }

  const replies = wire.subscribe(`${inbox}.>`, hear)
  const stopWatching = wire.onChange(() => {
    for (const ask of asks.values()) ask.linkChanged()
  })

  return {
    /** A request that no host would take is answered with 400 or 413 by this one. */
    async ask(to: string, request: FleetRequest, options: AskOptions): Promise<Exchanged> {
      // Nobody hears the answers any more.
      if (isClosed) return { kind: 'not sent', reason: 'absent' }
      const checked = checkRequest(request, wire.maxPayload())
      if (!checked.ok) return { kind: 'done', answer: checked.answer }
      const key = token()
      return new Promise(resolve => {
        const finish = (exchanged: Exchanged) => {
          asks.delete(key)
          resolve(exchanged)
        }
        const ask = startAsk(checked.head, request.body, options, {
          clock,
          isUp: wire.isUp,
          send: (message, bytes, sending) =>
            wire.publish(names.request(to, self), frame(message, bytes), `${inbox}.${key}.${sending}`),
          finish,
        })
        if (!ask.isOver()) asks.set(key, ask)
      })
    },
    serve: (instance: string, handle: Handle): { close(): Promise<void> } =>
      serveRequests({ wire, names, self, clock, instance, handle, onMalformed }),
    /** Messages that were not understood, and dropped. */
    malformed: () => malformed,
    /** Ends every ask with what is known of it. */
    close() {
      isClosed = true
      for (const ask of [...asks.values()]) ask.end()
      replies.close()
      stopWatching()
    },
  }
}

export type Exchange = ReturnType<typeof createExchange>
