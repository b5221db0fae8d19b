/** A stream of events as an async iterable: it goes on after the last event when the connection breaks, without gap or double. */
import type { IncomingMessage } from 'node:http'
import { type Clock, pause } from '../../runtime/clock.ts'
import { onAnswer, openRequest, type Place } from '../../runtime/http-exchange.ts'
import { messageOf } from '../../runtime/message-of.ts'
import { followed, inTime, pauseBefore } from './ask.ts'
import type { Door } from './door.ts'
import { noStream, objectIn } from './message.ts'
import { asRecord, type JsonRecord, readObject, type Signal } from './outside.ts'
import { createEventReader, type ServerEvent } from './sse.ts'
import { errorOf, SvcError } from './svc-error.ts'

/** A server writes something every 15 s. */
const SILENCE_MS = 60_000
const CONNECT_MS = 30_000
/** Longer than a daemon may take to become ready. */
const PLACE_MS = 60_000
/** A connection that brought nothing in less was none. */
const HELD_MS = 10_000
const LONGEST_PAUSE_MS = 5_000
/** A server that nobody can reach for so long ends the stream. */
const GIVE_UP_MS = 120_000
const REFUSAL_BYTES_MAX = 1_024 * 1_024
const OK = 200
const SERVER_FAULT = 500

export interface FollowOptions {
  door: Door
  clock: Clock
  path: string
  after: string | undefined
  signals: readonly (Signal | undefined)[]
}

type Opened = { incoming: IncomingMessage } | { why: string }

const bodyOf = async (incoming: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of incoming as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > REFUSAL_BYTES_MAX) break
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Throws the refusal of the server, which asking again would not change. */
const refusalOf = async (incoming: IncomingMessage): Promise<string> => {
  const { statusCode: status = 0 } = incoming
  const body = await bodyOf(incoming)
  const answer = { status, headers: {}, body }
  if (status === OK) throw noStream(answer)
  if (status < SERVER_FAULT) objectIn(answer, false)
  return `status ${status}`
}

const isStream = ({ statusCode, headers }: IncomingMessage): boolean =>
  statusCode === OK && (headers['content-type'] ?? '').startsWith('text/event-stream')

const open = async (
  { clock, path, door }: FollowOptions,
  { place, after, ended }: { place: Place; after: string | undefined; ended: AbortSignal },
): Promise<Opened> => {
  const headers = { accept: 'text/event-stream', ...(after === undefined ? {} : { 'last-event-id': after }) }
  const sent = openRequest(place, { method: 'GET', path, headers })
  const end = () => sent.destroy(new Error('the stream was ended'))
  const timer = clock.at(clock.now() + CONNECT_MS, () => sent.destroy(new Error(`no answer within ${CONNECT_MS} ms`)))
  ended.addEventListener('abort', end, { once: true })
  try {
    const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
      onAnswer(sent, resolve, reject)
      sent.end()
    })
    if (isStream(incoming)) return { incoming }
    return { why: await refusalOf(incoming) }
  } catch (error) {
    if (error instanceof SvcError) throw error
    door.forget()
    return { why: messageOf(error) }
  } finally {
    timer.cancel()
    ended.removeEventListener('abort', end)
  }
}

/** Reads only when somebody wants more: the socket holds the server back meanwhile. */
async function* eventsOf(incoming: IncomingMessage, clock: Clock, ended: AbortSignal): AsyncGenerator<ServerEvent> {
  const read = createEventReader()
  const end = () => incoming.destroy()
  ended.addEventListener('abort', end, { once: true })
  const chunks = (incoming as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  try {
    while (!ended.aborted) {
      const timer = clock.at(clock.now() + SILENCE_MS, end)
      const next = await chunks.next().finally(() => timer.cancel())
      if (next.done) return
      yield* read(next.value)
    }
  } finally {
    ended.removeEventListener('abort', end)
    incoming.destroy()
  }
}

/** The first connection may start a daemon; those after it go to one that runs, as somebody may have ended it. */
const placeFor = async ({ door, clock }: FollowOptions, wasOpen: boolean, leave: AbortSignal) =>
  inTime(wasOpen ? door.running() : door.place(), { clock, ms: PLACE_MS, leave })

async function* resumed(options: FollowOptions, ended: AbortSignal): AsyncGenerator<ServerEvent & { event: string }> {
  const { door, clock } = options
  let { after } = options
  let attempt = 0
  let wasOpen = false
  let brokenAt: number | undefined
  while (!ended.aborted) {
    const begun = clock.now()
    const place = await placeFor(options, wasOpen, ended)
    if (ended.aborted) return
    const opened: Opened = place ? await open(options, { place, after, ended }) : { why: 'no daemon runs' }
    let why = 'the stream ends as soon as it begins'
    if ('why' in opened) why = opened.why
    else {
      wasOpen = true
      try {
        for await (const event of eventsOf(opened.incoming, clock, ended)) {
          attempt = 0
          brokenAt = undefined
          after = event.id ?? after
          if (event.event !== undefined) yield { ...event, event: event.event }
          if (ended.aborted) return
        }
      } catch (error) {
        if (error instanceof SvcError) throw error
        // The connection broke: what it had brought was told, and the next one goes on behind it.
      }
      if (clock.now() - begun > HELD_MS) brokenAt = undefined
    }
    if (ended.aborted) return
    brokenAt ??= clock.now()
    if (clock.now() - brokenAt > GIVE_UP_MS) throw door.unreachable(why)
    await pause(clock, Math.min(pauseBefore(attempt), LONGEST_PAUSE_MS), ended)
    attempt += 1
  }
}

/** Ended by any of the signals, or by `return()`, also while it waits for an event. */
export const follow = <T>(
  options: FollowOptions,
  read: (event: { name: string; id: string | undefined; data: JsonRecord }) => T | undefined,
): AsyncIterableIterator<T> & AsyncDisposable => {
  const ending = new AbortController()
  // Begun by the first event that is asked for: a stream that nobody reads listens to no signal.
  async function* values(): AsyncGenerator<T> {
    const signals = options.signals.map(followed)
    for (const { controller } of signals) {
      if (controller.signal.aborted) ending.abort()
      controller.signal.addEventListener('abort', () => ending.abort(), { once: true })
    }
    try {
      for await (const { event: name, id, data } of resumed(options, ending.signal)) {
        const fields = readObject(data) ?? {}
        if (name === 'svc:error') throw errorOf(asRecord(fields.error) ?? fields, { otherwise: false })
        const value = read({ name, id, data: fields })
        if (value !== undefined) yield value
      }
    } finally {
      for (const { release } of signals) release()
    }
  }
  const generator = values()
  const iterator: AsyncIterableIterator<T> & AsyncDisposable = {
    next: () => generator.next(),
    return: async () => {
      ending.abort()
      return generator.return(undefined)
    },
    [Symbol.asyncIterator]: () => iterator,
    [Symbol.asyncDispose]: async () => {
      ending.abort()
      await generator.return(undefined)
    },
  }
  return iterator
}
