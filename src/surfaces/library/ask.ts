/** One request and its answer. What only looks is asked again when the answer is lost; what acts is sent once. */

import { ROUTES, type RouteId } from '../../contracts/operations/routes.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import { type Exchanged, type ExchangeOptions, exchange, type Message } from '../../runtime/http-exchange.ts'
import { withoutFullStop } from '../../runtime/text/without-end.ts'
import type { Door } from './door.ts'
import type { Requests } from './generated/shapes.ts'
import { messageFor, valueIn } from './message.ts'
import { type AskOptions, checkOptions } from './options.ts'
import type { Signal } from './outside.ts'
import { cancelled, SvcError, type SvcErrorFields } from './svc-error.ts'

type RequestId = keyof Requests & RouteId

export type Ask = <Id extends RequestId>(
  id: Id,
  input: Requests[Id]['input'],
  options?: AskOptions & InternalOptions,
) => Promise<Requests[Id]['answer']>

interface InternalOptions {
  headers?: Readonly<Record<string, string>> | undefined
  /** Belongs to a call that began before, and is made on a closed connection too. */
  isContinued?: boolean | undefined
  /** How long the answer is still read after the call was given up, so that the caller can undo what the request made. */
  partingMs?: number | undefined
}

const ASK_MS = 60_000
/** A skill, an emulator and a list of flows take their time. */
const ACT_MS = 2 * 60 * 60_000
const TRIES = 4
const FIRST_PAUSE_MS = 100

export const pauseBefore = (attempt: number): number => FIRST_PAUSE_MS * 2 ** attempt

/** An `AbortSignal` that follows whatever kind of signal the caller has; `release` ends the following. */
export const followed = (signal: Signal | undefined): { controller: AbortController; release(): void } => {
  checkOptions({ signal })
  const controller = new AbortController()
  const abort = () => controller.abort()
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort, { once: true })
  return { controller, release: () => signal?.removeEventListener('abort', abort) }
}

/** Resolves to undefined when the caller leaves or the time ends before something is found. */
export const inTime = async <T>(
  finding: Promise<T>,
  { clock, ms, leave }: Pick<ExchangeOptions, 'clock' | 'ms' | 'leave'>,
): Promise<T | undefined> => {
  const { controller, release } = followed(leave)
  try {
    return await Promise.race([finding, pause(clock, ms, controller.signal).then(() => undefined)])
  } finally {
    controller.abort()
    release()
  }
}

/** All tries of a call share its time. */
const timeOf = (clock: Clock, ms: number): { left(): number; isOver(): boolean } => {
  const end = clock.elapsed() + ms
  return { left: () => Math.max(1, Math.ceil(end - clock.elapsed())), isOver: () => clock.elapsed() >= end }
}

/** Sends to where the door leads now. What was provably not sent goes to another place, if there can be one. */
export const sendTo = async (door: Door, message: Message, options: ExchangeOptions): Promise<Exchanged> => {
  const { clock, ms, leave } = options
  const time = timeOf(clock, ms)
  for (let attempt = 0; ; attempt += 1) {
    const place = await inTime(door.place(), { clock, ms: time.left(), leave })
    if (place === undefined)
      return { kind: 'not sent', reason: leave?.aborted ? 'the call was given up' : `none was ready within ${ms} ms` }
    const exchanged = await exchange(place, message, { ...options, ms: time.left() })
    if (exchanged.kind !== 'not sent' || leave?.aborted || time.isOver() || attempt + 1 >= TRIES || !door.forget())
      return exchanged
    await pause(clock, pauseBefore(attempt), leave)
  }
}

export const answerLost = (door: Door, why: string, more: Pick<SvcErrorFields, 'executionId' | 'hint' | 'details'>) =>
  new SvcError({
    code: 'ANSWER_LOST',
    message: `The answer of ${door.name} was lost: ${withoutFullStop(why)}. What was asked for may have happened.`,
    dispatched: 'unknown',
    ...more,
  })

const LOST_HINT = 'Look at what became of it before you ask for it again.'

export const createAsk = (door: Door, clock: Clock): Ask => {
  const ask = async (
    id: RequestId,
    input: object,
    { signal, timeoutMs, headers, partingMs }: AskOptions & InternalOptions,
  ) => {
    checkOptions({ timeoutMs })
    const message = messageFor(id, input, headers)
    const acts = ROUTES[id][2] === 'acts'
    const { controller, release } = followed(signal)
    const time = timeOf(clock, timeoutMs ?? (acts ? ACT_MS : ASK_MS))
    try {
      for (let attempt = 0; ; attempt += 1) {
        if (controller.signal.aborted) throw cancelled(false)
        const exchanged = await sendTo(door, message, { clock, ms: time.left(), leave: controller.signal, partingMs })
        if (exchanged.kind === 'done') return valueIn(id, exchanged.answer, acts ? 'unknown' : false)
        const wasSent = exchanged.kind === 'unknown'
        if (controller.signal.aborted) throw cancelled(wasSent && acts ? 'unknown' : false)
        if (wasSent && acts) throw answerLost(door, exchanged.reason, { hint: LOST_HINT })
        if (!wasSent || time.isOver() || attempt + 1 >= TRIES) throw door.unreachable(exchanged.reason)
        await pause(clock, pauseBefore(attempt), controller.signal)
      }
    } finally {
      release()
    }
  }
  return (id, input, options = {}) => ask(id, input as object, options) as Promise<Requests[typeof id]['answer']>
}
