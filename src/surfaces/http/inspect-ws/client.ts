/** One inspector: first told of every actor there is, then of each record, and given up when it does not read. */
import { setImmediate as turn } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import { INSPECT_QUEUE_BYTES } from '../../../contracts/limits/limits.ts'
import { hasChart } from '../../../contracts/records/machines.ts'
import { type Clock, pause } from '../../../runtime/clock.ts'
import type { Journal } from '../../../runtime/journal/journal.ts'
import { readableOr } from '../../../runtime/journal/reading.ts'
import { recentActors } from '../../../service/local/actors.ts'
import { type Feed, type FeedItem, remember } from './feed.ts'

export interface ClientOptions {
  socket: WebSocket
  feed: Feed
  journal: Journal
  clock: Clock
  /** Called once if the journal fails. */
  onFailure(error: unknown): void
}

/** While so much waits for the client, no further actor is listed. */
const LIST_BYTES = 256 * 1_024
const LOOK_MS = 20
/** Actors that a client was told of; one that was forgotten is introduced again. */
const KNOWN_MAX = 10_000

export const WS_GOING_AWAY = 1_001
export const WS_FAILED = 1_011
export const WS_TRY_LATER = 1_013

export const serveClient = ({ socket, feed, journal, clock, onFailure }: ClientOptions): void => {
  /** The newest record that the client has the state of. */
  const known = new Map<string, number>()
  const gone = new AbortController()

  const fail = (error: unknown) => {
    if (gone.signal.aborted) return
    onFailure(error)
    socket.close(WS_FAILED, 'the journal failed')
  }

  const say = (actor: string, seq: number, texts: readonly string[]) => {
    for (const text of texts) socket.send(text)
    remember(known, actor, seq, KNOWN_MAX)
    if (socket.bufferedAmount > INSPECT_QUEUE_BYTES) socket.terminate()
  }

  const told = ({ actor, seq, introduction, messages }: FeedItem) => {
    const seen = known.get(actor)
    if (gone.signal.aborted || (seen !== undefined && seen >= seq)) return
    say(actor, seq, seen === undefined ? [introduction(), ...messages] : messages)
  }

  /** One actor a turn: a fold may be long, and records go on meanwhile. */
  const list = async () => {
    for (const newest of recentActors(journal).filter(hasChart)) {
      while (socket.bufferedAmount > LIST_BYTES && !gone.signal.aborted) await pause(clock, LOOK_MS, gone.signal)
      await turn()
      if (gone.signal.aborted) return
      const { actor, seq } = newest
      const introduction = readableOr(undefined, () => feed.introduction(newest))
      if (!known.has(actor) && introduction !== undefined) say(actor, seq, [introduction])
    }
  }

  let leave = () => {}
  socket.once('close', () => {
    gone.abort()
    leave()
  })
  try {
    // Before the list is read: what is recorded in between is told after it.
    leave = feed.listen({ told })
    list().catch(fail)
  } catch (error) {
    fail(error)
  }
}
