/** Section Events: one hub per stream gives everybody the same bytes, and holds nothing for a subscriber that stalls. */
import type { ServerResponse } from 'node:http'
import { SSE_KEEPALIVE_MS, SSE_QUEUE_EVENTS } from '../../../contracts/limits/limits.ts'
import type { Clock, Timer } from '../../../runtime/clock.ts'
import { describeError } from '../../../service/executions/to-error.ts'
import { createRing, type Entry, type Filter, type Page, type Source } from './ring.ts'
import { COMMENT, SSE_HEADERS } from './sse.ts'

export interface SubscribeOptions extends Filter {
  outgoing: ServerResponse
  /** Sends entries after this position first; if it is missing, only new entries are sent. */
  after?: number | undefined
  /** Sent before everything else; may tell the position at which the stream begins. */
  opening: string | Buffer | ((at: number) => string)
  /** Called once, when the stream has ended for whatever reason. */
  onEnd?: () => void
}

export interface Hub {
  /** Writes the headers and takes the response over. */
  subscribe(options: SubscribeOptions): { end(): unknown }
  /** The next entry of the stream. */
  publish(entry: Entry): void
  /** Events that have no position: readers that are up to date get them, and they cannot be requested again. */
  broadcast(chunk: Buffer): void
  size(): number
  /** The most events that one of them has not had since it was up to date. */
  behind(): number
}

/** A position in the stream and no queue of its own: one that stalls costs what its socket already holds. */
interface Subscriber {
  outgoing: ServerResponse
  filter: Filter
  at: number
  /** Has everything up to now; what is published goes straight to its socket. */
  isLive: boolean
  /** Was live once: from then on it may not fall too far behind. */
  hasCaughtUp: boolean
  /** Events published since it was live. */
  behind: number
  stalledAt: number | undefined
  /** A page is being fetched for it. */
  isFetching: boolean
  /** Aborted when it has gone. */
  gone: AbortController
  onEnd: (() => void) | undefined
}

/** A socket that took nothing for so long is given up. */
const STALL_MS = 4 * SSE_KEEPALIVE_MS
/** Then everything else has its turn. */
const STEPS_AT_ONCE = 500

const isOf = (actor: string, entry: Entry): boolean =>
  actor === entry.actor || (entry.host !== undefined && actor === `${entry.actor}@${entry.host}`)

const wants = ({ actor, machine }: Filter, entry: Entry): boolean =>
  entry.isForAll ||
  ((actor === undefined || isOf(actor, entry)) && (machine === undefined || machine === entry.machine))

export interface HubOptions {
  clock: Clock
  source: Source
  note: (text: string) => void
}

/**
 * Writes to Node's response and not to a web stream: only there can be seen whether the socket takes more
 * (`writableNeedDrain`), and an error of the socket is an event, not a promise somebody has to wait for.
 */
export const createHub = ({ clock, source, note }: HubOptions): Hub => {
  const subscribers = new Set<Subscriber>()
  const ring = createRing()
  let leave: (() => void) | undefined
  let timer: Timer | undefined

  const give = (subscriber: Subscriber, entry: Entry) => {
    subscriber.at = entry.seq
    if (entry.chunk && wants(subscriber.filter, entry)) subscriber.outgoing.write(entry.chunk)
  }

  const remove = (subscriber: Subscriber) => {
    if (!subscribers.delete(subscriber)) return
    subscriber.gone.abort()
    subscriber.onEnd?.()
    if (subscribers.size > 0) return
    timer?.cancel()
    leave?.()
    leave = undefined
    ring.clear(0)
  }

  /**
   * Ends it without a last message, for its socket takes none; it can resume by the id of what it had last. A response that
   * still waits for its turn on a connection has no socket, and would never say that it is closed.
   */
  const drop = (subscriber: Subscriber) => {
    subscriber.outgoing.destroy()
    remove(subscriber)
  }

  /** One that reads what was long ago is not behind because new events come meanwhile. */
  const hasMoved = (subscriber: Subscriber) => {
    subscriber.stalledAt = undefined
    if (!subscriber.hasCaughtUp) subscriber.behind = 0
  }

  /** Fetches again what does not fit, once there is room: no page is held for a reader that stalls. */
  const giveFetched = async (subscriber: Subscriber, fetched: Promise<Page>) => {
    const { outgoing } = subscriber
    subscriber.isFetching = true
    try {
      const { entries, upTo } = await fetched
      if (subscriber.gone.signal.aborted) return
      let isWhole = true
      for (const entry of entries) {
        isWhole = !outgoing.writableNeedDrain
        if (!isWhole) break
        give(subscriber, entry)
      }
      if (isWhole) subscriber.at = Math.max(subscriber.at, upTo)
      hasMoved(subscriber)
    } catch (error) {
      note(`an event stream was ended: ${describeError(error)}`)
      drop(subscriber)
    } finally {
      subscriber.isFetching = false
    }
    if (!outgoing.writableNeedDrain) setImmediate(catchUp, subscriber)
  }

  const catchUp = (subscriber: Subscriber): void => {
    const { outgoing, filter } = subscriber
    if (outgoing.writableEnded || outgoing.destroyed || subscriber.isFetching) return
    try {
      const entries = ring.after(subscriber.at) ?? source.after(subscriber.at, filter, subscriber.gone.signal)
      if (entries instanceof Promise) return void giveFetched(subscriber, entries)
      for (let steps = 0; !outgoing.writableNeedDrain; steps++) {
        if (steps === STEPS_AT_ONCE) {
          hasMoved(subscriber)
          setImmediate(catchUp, subscriber)
          return
        }
        const next = entries.next()
        if (next.done) {
          Object.assign(subscriber, { isLive: true, hasCaughtUp: true, behind: 0 })
          return
        }
        give(subscriber, next.value)
      }
    } catch (error) {
      note(`an event stream was ended: ${describeError(error)}`)
      drop(subscriber)
    }
  }

  const keepAlive = () => {
    const now = clock.elapsed()
    for (const subscriber of subscribers) {
      const { outgoing } = subscriber
      if (!outgoing.writableNeedDrain) outgoing.write(COMMENT)
      else if (subscriber.stalledAt === undefined) subscriber.stalledAt = now
      else if (now - subscriber.stalledAt >= STALL_MS) drop(subscriber)
    }
    timer = clock.at(clock.now() + SSE_KEEPALIVE_MS, keepAlive, { idle: true })
  }

  const headOr = (giveUp: (() => void) | undefined): number => {
    try {
      return source.head()
    } catch (error) {
      giveUp?.()
      throw error
    }
  }

  const add = (subscriber: Subscriber) => {
    if (subscribers.size === 0) {
      leave = source.startWatching?.()
      // Only now: what was written in between was not heard by a reader that has only now begun to watch.
      ring.clear(headOr(leave))
      timer = clock.at(clock.now() + SSE_KEEPALIVE_MS, keepAlive, { idle: true })
    }
    subscribers.add(subscriber)
  }

  const publishTo = (subscriber: Subscriber, entry: Entry) => {
    if (entry.seq <= subscriber.at) return
    if (subscriber.isLive && !subscriber.outgoing.writableNeedDrain) return give(subscriber, entry)
    subscriber.isLive = false
    if (!wants(subscriber.filter, entry)) return
    subscriber.behind += entry.events
    if (subscriber.behind >= SSE_QUEUE_EVENTS) drop(subscriber)
  }

  return {
    subscribe({ outgoing, after, opening, onEnd, ...filter }) {
      // A position from another journal may be ahead of this one; waiting for it would be waiting for ever.
      const head = source.head()
      const subscriber: Subscriber = {
        outgoing,
        filter,
        at: Math.min(after ?? head, head),
        isLive: false,
        hasCaughtUp: false,
        behind: 0,
        stalledAt: undefined,
        isFetching: false,
        gone: new AbortController(),
        onEnd,
      }
      add(subscriber)
      outgoing.once('close', () => remove(subscriber))
      outgoing.on('error', () => {})
      outgoing.on('drain', () => {
        hasMoved(subscriber)
        if (!subscriber.isLive) catchUp(subscriber)
      })
      outgoing.writeHead(200, SSE_HEADERS)
      outgoing.write(typeof opening === 'function' ? opening(subscriber.at) : opening)
      catchUp(subscriber)
      return {
        /** A socket that takes nothing would keep the end of the stream waiting. */
        end: () => (outgoing.writableNeedDrain ? drop(subscriber) : outgoing.end()),
      }
    },
    publish(entry) {
      if (subscribers.size === 0) return
      ring.push(entry)
      for (const subscriber of subscribers) {
        try {
          publishTo(subscriber, entry)
        } catch (error) {
          // The subscriber resumes by the id of what it had last; the others go on.
          note(`an event stream was ended: ${describeError(error)}`)
          drop(subscriber)
        }
      }
    },
    broadcast(chunk) {
      for (const { isLive, outgoing } of subscribers) if (isLive && !outgoing.writableNeedDrain) outgoing.write(chunk)
    },
    size: () => subscribers.size,
    behind: () => [...subscribers].reduce((most, { behind }) => Math.max(most, behind), 0),
  }
}
