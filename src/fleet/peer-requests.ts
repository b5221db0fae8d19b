/** Requests of other hosts, performed by this process's own HTTP app. */

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
import { eachRecord } from '../runtime/transitions.ts'
import type { HttpAnswer } from '../service/http-transport.ts'
import { ANSWER_BYTES_MAX } from './exchange/limits.ts'
import { failureAnswer } from './exchange/request.ts'
import type { Handle, HandleTools } from './exchange/serve.ts'

interface OwnRequest {
  method: string
  path: string
  headers: Readonly<Record<string, string>>
  body?: Uint8Array | undefined
}

/** The app of this process for callers that it believes; `leave` is as a caller that ends its connection. */
export type AskOwnApp = (request: OwnRequest, leave: AbortSignal) => Promise<Response>

export interface InboundOptions {
  /** Undefined while the app takes no requests: before it is there, and once it closes. */
  ask(): AskOwnApp | undefined
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
const headersFor = ({ headers, withinMs, from }: Inbound): Record<string, string> => {
  const wantedMs = Number(headers[ANSWER_WITHIN_HEADER] ?? withinMs)
  const within = Math.min(withinMs, Number.isSafeInteger(wantedMs) && wantedMs >= 0 ? wantedMs : withinMs)
  return {
    ...pick(headers, REQUEST_HEADERS),
    host: 'localhost',
    [FLEET_TAKEN_HEADER]: '1',
    ...(headers[FLEET_FROM_HEADER] === undefined ? {} : { [FLEET_FROM_HEADER]: from }),
    [ANSWER_WITHIN_HEADER]: String(within),
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

export const createInbound = ({ ask, journal, clock }: InboundOptions): Handle => {
  let coming = 0

  const collect = async (body: ReadableStream<Uint8Array> | null): Promise<Buffer> => {
    const chunks: Uint8Array[] = []
    let bytes = 0
    try {
      for await (const chunk of body ?? []) {
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

  const answerOf = async ({ status, headers, body }: Response): Promise<HttpAnswer> => {
    if (headers.get('content-type')?.startsWith('text/event-stream')) {
      await body?.cancel()
      return failureAnswer('INVALID_QUERY', 'An event stream of one host cannot be read through another one.')
    }
    return { status, headers: pick(Object.fromEntries(headers), ANSWER_HEADERS), body: await collect(body) }
  }

  /** The execution that a request makes, at this host or at the one that it was sent on to. The request's own answer tells the outcome. */
  const cancelExecution = (executionId: string, { headers, from }: Inbound) => {
    const late = new AbortController()
    const timer = clock.at(clock.now() + CANCEL_MS, () => late.abort())
    const path = `/executions/${encodeURIComponent(executionId)}`
    const sender = headers[FLEET_FROM_HEADER] === undefined ? {} : { [FLEET_FROM_HEADER]: from }
    const asked = ask()?.({ method: 'DELETE', path, headers: { host: 'localhost', ...sender } }, late.signal)
    asked?.catch(() => {}).finally(() => timer.cancel())
  }

  const perform = async (request: Inbound, { signal, silent }: HandleTools, id?: string): Promise<HttpAnswer> => {
    const { method, path, withinMs, body } = request
    const own = ask()
    if (!own) return failureAnswer('FLEET_UNREACHABLE', 'The host takes no requests now.')
    const left = new AbortController()
    const givenUp = new Promise<never>((_, reject) => {
      left.signal.addEventListener('abort', () => reject(left.signal.reason), { once: true })
    })
    const give = (why: string) => left.abort(new Error(why))
    const late = clock.at(clock.now() + withinMs + GRACE_MS, () => give('it did not answer in time'))
    // A reservation that nobody hears of is given back.
    const isReserving = method === 'POST' && path === ROUTES['leases.create'][1]
    const isWaiting = () => isReserving || (id !== undefined && mayStillWait(journal, id, request))
    // The same as a caller that closes its connection: a GET is given up, and so is a place in a queue.
    const leave = () => void ((method === 'GET' || isWaiting()) && give('the asking host does not wait any more'))
    const onSilence = () => void (isWaiting() && give('nothing was heard of the asking host'))
    signal.addEventListener('abort', leave, { once: true })
    silent.addEventListener('abort', onSilence, { once: true })
    if (signal.aborted) leave()
    try {
      const sent = { method, path, headers: headersFor(request), ...(method === 'GET' ? {} : { body }) }
      return await Promise.race([own(sent, left.signal).then(answerOf), givenUp])
    } finally {
      late.cancel()
      signal.removeEventListener('abort', leave)
      silent.removeEventListener('abort', onSilence)
    }
  }

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
