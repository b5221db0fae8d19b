/** Requests of other hosts, performed against this process's own HTTP app over its private socket. */

import { type IncomingMessage, request as requestOverSocket } from 'node:http'
import {
  ANSWER_WITHIN_HEADER,
  CALLER_HEADER,
  CHOSEN_ID_HEADER,
  CONFIRMED_HEADER,
  EXECUTION_ID_HEADER,
  FLEET_EPOCH_HEADER,
  FLEET_FROM_HEADER,
  FLEET_HOST_HEADER,
  FLEET_PATHS_HEADER,
  FLEET_PICTURES_HEADER,
  FLEET_TAKEN_HEADER,
  LEASE_HEADER,
  OPERATOR_UNNAMED_HEADER,
  SKILL_RUN_HEADER,
  STEPS_HEADER,
} from '../contracts/doors/headers.ts'
import { isBegun } from '../contracts/executions/begun-execution.ts'
import { ROUTES } from '../contracts/operations/routes.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import { messageOf } from '../runtime/message-of.ts'
import { eachRecord } from '../runtime/transitions.ts'
import type { HttpAnswer } from '../service/transports/http-message.ts'
import { ANSWER_BYTES_MAX } from './exchange/limits.ts'
import { failureAnswer } from './exchange/request.ts'
import type { Handle, HandleTools } from './exchange/serve.ts'

export interface InboundOptions {
  /** The app of this process listens here for callers that it believes. */
  socketPath: string
  /** Over a socket unless told. */
  request?: typeof requestOverSocket | undefined
  journal: Pick<Journal, 'subscribe' | 'receipt'>
  clock: Clock
}

type Inbound = Parameters<Handle>[0]

/** Only these headers reach the app: none about the caller on its own host, none about its connection. */
const REQUEST_HEADERS = [
  'accept',
  'content-type',
  'idempotency-key',
  LEASE_HEADER.toLowerCase(),
  SKILL_RUN_HEADER.toLowerCase(),
  ANSWER_WITHIN_HEADER,
  CALLER_HEADER,
  CHOSEN_ID_HEADER,
  CONFIRMED_HEADER,
  OPERATOR_UNNAMED_HEADER,
  FLEET_EPOCH_HEADER,
  FLEET_PATHS_HEADER,
  FLEET_PICTURES_HEADER,
]
const ANSWER_HEADERS = [
  'content-type',
  'cache-control',
  'content-security-policy',
  'allow',
  EXECUTION_ID_HEADER.toLowerCase(),
  SKILL_RUN_HEADER.toLowerCase(),
  FLEET_HOST_HEADER.toLowerCase(),
  STEPS_HEADER.toLowerCase(),
]

/** Gives the app time to say that it was too slow, before the wait for it ends. */
const GRACE_MS = 5_000
/** Longer than the app takes to cancel an execution. */
const CANCEL_MS = 10_000
/** Bounds all answers together that are coming in at once. */
const COMING_BYTES_MAX = 4 * ANSWER_BYTES_MAX

const pick = (headers: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.flatMap(name => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )

/**
 * Whom it comes from is what NATS says, and not what it says itself. A request that does not say is one of a client: it
 * may be for any host, and is sent on.
 */
const headersFor = ({ headers, body, withinMs, method, from }: Inbound): Record<string, string> => {
  const wantedMs = Number(headers[ANSWER_WITHIN_HEADER] ?? withinMs)
  const within = Math.min(withinMs, Number.isSafeInteger(wantedMs) && wantedMs >= 0 ? wantedMs : withinMs)
  return {
    ...pick(headers, REQUEST_HEADERS),
    host: 'localhost',
    [FLEET_TAKEN_HEADER]: '1',
    ...(headers[FLEET_FROM_HEADER] === undefined ? {} : { [FLEET_FROM_HEADER]: from }),
    [ANSWER_WITHIN_HEADER]: String(within),
    ...(method === 'GET' ? {} : { 'content-length': String(body.length) }),
  }
}

/** Tells what the journal records of the execution, from before the request leaves until it is answered. */
const follow = (journal: InboundOptions['journal'], executionId: string, { progress }: HandleTools) =>
  journal.subscribe(
    eachRecord(record => {
      const { event } = record
      if (event.executionId !== executionId) return
      if (event.type === 'execution.queued') progress({ executionId, dispatched: false, waiting: true })
      if (isBegun(record)) progress({ executionId, dispatched: false })
      if (event.type === 'execution.dispatched') progress({ executionId, dispatched: true })
    }),
  )

/** True where the request is in a queue here, or at a host that this one has sent it on to, and its asker would be its only reader. */
const mayStillWait = (journal: InboundOptions['journal'], executionId: string, { body }: Inbound): boolean => {
  try {
    const receipt = journal.receipt(executionId)
    return receipt ? receipt.state === 'waiting' : Boolean(JSON.parse(new TextDecoder().decode(body)).waitMs)
  } catch {
    return false
  }
}

export const createInbound = ({
  socketPath,
  request: httpRequest = requestOverSocket,
  journal,
  clock,
}: InboundOptions): Handle => {
  let coming = 0

  const collect = async (incoming: IncomingMessage): Promise<Buffer> => {
    const chunks: Buffer[] = []
    let bytes = 0
    try {
      for await (const chunk of incoming as AsyncIterable<Buffer>) {
        bytes += chunk.length
        coming += chunk.length
        if (bytes > ANSWER_BYTES_MAX) throw new Error(`its answer has more than ${ANSWER_BYTES_MAX} bytes`)
        if (coming > COMING_BYTES_MAX) throw new Error('it has too many large answers in the making')
        chunks.push(chunk)
      }
      return Buffer.concat(chunks)
    } finally {
      coming -= bytes
    }
  }

  const answerIn = async (incoming: IncomingMessage): Promise<HttpAnswer> => {
    if (incoming.headers['content-type']?.startsWith('text/event-stream')) {
      incoming.destroy()
      return failureAnswer('INVALID_QUERY', 'An event stream of one host cannot be read through another one.')
    }
    const body = await collect(incoming)
    return { status: incoming.statusCode ?? 500, headers: pick(incoming.headers, ANSWER_HEADERS), body }
  }

  /** The execution that a request makes, at this host or at the one that it was sent on to. */
  const cancelExecution = (executionId: string, { headers, from }: Inbound) => {
    const outgoing = httpRequest({
      socketPath,
      method: 'DELETE',
      path: `/executions/${encodeURIComponent(executionId)}`,
      headers: {
        host: 'localhost',
        ...(headers[FLEET_FROM_HEADER] === undefined ? {} : { [FLEET_FROM_HEADER]: from }),
      },
      agent: false,
    })
    const late = clock.at(clock.now() + CANCEL_MS, () => outgoing.destroy())
    outgoing.once('response', incoming => incoming.resume())
    // The answer to the request itself tells the outcome.
    outgoing.on('error', () => {}).once('close', () => late.cancel())
    outgoing.end()
  }

  const perform = (request: Inbound, { signal, silent }: HandleTools, id?: string): Promise<HttpAnswer> =>
    new Promise((resolve, reject) => {
      const { method, path, withinMs, body } = request
      // A connection of its own: one that was used before may be closing while the request is written to it.
      const outgoing = httpRequest({ socketPath, method, path, headers: headersFor(request), agent: false })
      let isConnected = false
      const give = (why: string) => outgoing.destroy(new Error(why))
      const late = clock.at(clock.now() + withinMs + GRACE_MS, () => give('it did not answer in time'))
      // A reservation that nobody hears of is given back.
      const isReserving = method === 'POST' && path === ROUTES['leases.create'][1]
      const isWaiting = () => isReserving || (id !== undefined && mayStillWait(journal, id, request))
      // The same as a caller that closes its connection: a GET is given up, and so is a place in a queue.
      const leave = () => void ((method === 'GET' || isWaiting()) && give('the asking host does not wait any more'))
      const onSilence = () => void (isWaiting() && give('nothing was heard of the asking host'))
      const end = () => {
        late.cancel()
        signal.removeEventListener('abort', leave)
        silent.removeEventListener('abort', onSilence)
      }
      outgoing.once('socket', socket => {
        socket.once('connect', () => {
          isConnected = true
        })
      })
      outgoing.once('response', incoming => {
        answerIn(incoming).then(resolve, reject).finally(end)
      })
      outgoing.on('error', error => {
        end()
        if (isConnected) reject(error)
        else resolve(failureAnswer('FLEET_UNREACHABLE', `The host takes no requests: ${messageOf(error)}`))
      })
      signal.addEventListener('abort', leave, { once: true })
      silent.addEventListener('abort', onSilence, { once: true })
      if (signal.aborted) leave()
      outgoing.end(method === 'GET' ? undefined : body)
    })

  return async (request, tools) => {
    const executionId = request.headers[CHOSEN_ID_HEADER]
    if (executionId === undefined) return perform(request, tools)
    const followed = follow(journal, executionId, tools)
    const cancel = () => cancelExecution(executionId, request)
    tools.cancelled.addEventListener('abort', cancel, { once: true })
    try {
      return await perform(request, tools, executionId)
    } finally {
      tools.cancelled.removeEventListener('abort', cancel)
      followed.close()
    }
  }
}
