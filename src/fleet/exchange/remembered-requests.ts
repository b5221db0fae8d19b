/**
 * The requests that this process has taken, each until no message of it can be taken for a new one. What is forgotten
 * too early would run twice: so when there is no room, nothing new is taken.
 */
import type { Clock } from '../../runtime/clock.ts'
import type { HttpAnswer } from '../../service/http-transport.ts'
import {
  ANSWERS_BYTES_MAX,
  ASKER_SILENT_MS,
  KEEP_MS,
  LATE_MS,
  REMEMBERED_MAX,
  REMEMBERED_PER_PEER_MAX,
  WITHIN_MS_MAX,
} from './limits.ts'
import type { Progress } from './request.ts'

export type State =
  | {
      kind: 'handled'
      abort: AbortController
      cancel: AbortController
      silence: AbortController
      progress?: Progress
    }
  /** Its parts are equally long, but for the last. */
  | { kind: 'answered'; answer: HttpAnswer; partBytes: number }
  /** The answer was fetched, or there was no room for it any more. */
  | { kind: 'gone' }
  /** Cancelled before it was taken. */
  | { kind: 'cancelled' }

export interface RememberedRequest {
  readonly from: string
  readonly id: string
  state: State
  /** The subject on which its asker listens. */
  reply: string
  /** When the last of its messages may come in, by the clock of `createRememberedRequests`. */
  until: number
  /** How long it is kept beyond that. */
  keepMs: number
  /** When its asker was heard last, by `Clock.elapsed()`. */
  heardAt: number
}

export const createRememberedRequests = (clock: Clock) => {
  const all = new Map<string, RememberedRequest>()
  const perPeer = new Map<string, { remembered: number; handled: number }>()
  /** Requests with an answer; the one touched last is at the end. */
  const answered = new Map<RememberedRequest, number>()
  let bytes = 0
  // Requests are judged and forgotten by the same clock, whatever happens to the one on the wall.
  const offset = clock.now() - clock.elapsed()
  const now = () => offset + clock.elapsed()
  const judgedAt = () => Math.max(now(), clock.now())
  const keyOf = (from: string, id: string) => `${from} ${id}`

  const peer = (from: string) => {
    const known = perPeer.get(from) ?? { remembered: 0, handled: 0 }
    perPeer.set(from, known)
    return known
  }

  const drop = (kept: RememberedRequest) => {
    bytes -= answered.get(kept) ?? 0
    answered.delete(kept)
  }

  const become = (kept: RememberedRequest, state: State) => {
    const counts = peer(kept.from)
    if (kept.state.kind === 'handled') counts.handled--
    if (state.kind === 'handled') counts.handled++
    drop(kept)
    kept.state = state
    if (state.kind !== 'answered') return
    const size = state.answer.body.length
    answered.set(kept, size)
    bytes += size
    for (const [oldest] of answered) {
      if (bytes <= ANSWERS_BYTES_MAX || oldest === kept) break
      become(oldest, { kind: 'gone' })
    }
  }

  return {
    find: (from: string, id: string) => all.get(keyOf(from, id)),
    /** Neither by this clock nor by that on the wall has its asker given up long ago. */
    isInTime: (until: number) => judgedAt() <= until + LATE_MS,
    judgedAt,
    /** No asker waits for that long, however its clock goes. */
    isTooFar: (until: number) => until - now() > 2 * WITHIN_MS_MAX,
    handledOf: (from: string) => perPeer.get(from)?.handled ?? 0,
    handled: () => [...all.values()].filter(({ state }) => state.kind === 'handled'),
    unfetched: () => answered.size,
    /** Undefined when there is no room. */
    add(
      from: string,
      id: string,
      { state, reply, until }: Pick<RememberedRequest, 'state' | 'reply' | 'until'>,
    ): RememberedRequest | undefined {
      const { remembered } = perPeer.get(from) ?? { remembered: 0 }
      if (remembered >= REMEMBERED_PER_PEER_MAX || all.size >= REMEMBERED_MAX) return undefined
      const heardAt = clock.elapsed()
      const kept: RememberedRequest = { from, id, state: { kind: 'gone' }, reply, until, keepMs: KEEP_MS, heardAt }
      all.set(keyOf(from, id), kept)
      peer(from).remembered++
      become(kept, state)
      return kept
    },
    become,
    /** Its answer is used: others go first. */
    touch(kept: RememberedRequest) {
      const size = answered.get(kept)
      if (size === undefined) return
      answered.delete(kept)
      answered.set(kept, size)
    },
    /** Forgets what is long over, and aborts what nobody waits for. True while anything is left. */
    sweep(): boolean {
      for (const [key, kept] of all) {
        if (kept.state.kind === 'handled') {
          if (now() > kept.until + LATE_MS) kept.state.abort.abort()
          if (clock.elapsed() - kept.heardAt > ASKER_SILENT_MS) kept.state.silence.abort()
          continue
        }
        if (now() <= kept.until + Math.max(kept.keepMs, LATE_MS)) continue
        drop(kept)
        all.delete(key)
        const counts = peer(kept.from)
        if (--counts.remembered === 0) perPeer.delete(kept.from)
      }
      return all.size > 0
    },
  }
}
