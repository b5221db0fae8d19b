/** Sending an event and waiting for the one thing emitted in answer to it. Every wait has an end. */
import type { EventObject } from 'xstate'
import type { StoredEvent } from '../contracts/records/journal.ts'
import type { Clock } from './clock.ts'

export type AnswerWait<E> =
  | { kind: 'answered'; emitted: E }
  /** The time given for the wait has passed; the actor goes on. */
  | { kind: 'expired' }
  /** The caller has left; the actor goes on. */
  | { kind: 'left' }
  /** The actor broke or the host stopped. */
  | { kind: 'broken'; error: unknown }

/** How the sender takes an event back: before its turn it is never recorded, and afterwards `event` follows it. */
export interface Withdrawal {
  signal: AbortSignal
  event: StoredEvent
}

interface Waiter {
  actor: string
  matches: (emitted: EventObject) => boolean
  settle: (outcome: AnswerWait<EventObject>) => void
  /** Its event has been taken: before that an actor that breaks leaves the event to the next one that is opened. */
  isTold: boolean
  brokenBy?: { error: unknown }
}

/** An event loop that was held up puts deadlines off (`clock.ts`): what they bring about is waited for, too. */
const LATE_MS = 100
const AGAIN_MS = 1_500

export const createAwaitedAnswers = (clock: Clock) => {
  const waiters = new Set<Waiter>()

  return {
    /** Register before sending: an answer may come from within the send. */
    wait<E extends EventObject>(
      actor: string,
      matches: (emitted: E) => boolean,
      { until, leave: leaving }: { until: number; leave?: AbortSignal | undefined },
    ): {
      answer: Promise<AnswerWait<E>>
      withdraw: () => void
      /** The event was taken, by an actor that is still there or has broken since. */
      told: (isStillThere: boolean) => void
    } {
      let withdraw = () => {}
      let told: (isStillThere: boolean) => void = () => {}
      const answer = new Promise<AnswerWait<E>>(resolve => {
        const settle = (outcome: AnswerWait<EventObject>) => {
          waiters.delete(waiter)
          timer.cancel()
          leaving?.removeEventListener('abort', leave)
          resolve(outcome as AnswerWait<E>)
        }
        const leave = () => settle({ kind: 'left' })
        const waiter: Waiter = { actor, matches: emitted => matches(emitted as E), settle, isTold: false }
        told = isStillThere => {
          waiter.isTold = true
          if (waiter.brokenBy && !isStillThere) settle({ kind: 'broken', ...waiter.brokenBy })
        }
        const due = clock.elapsed() + until - clock.now()
        const expire = () => settle({ kind: 'expired' })
        let timer = clock.at(until, () => {
          if (clock.elapsed() - due < LATE_MS) return expire()
          timer = clock.at(clock.now() + AGAIN_MS, expire)
        })
        waiters.add(waiter)
        withdraw = leave
        if (leaving?.aborted) leave()
        else leaving?.addEventListener('abort', leave, { once: true })
      })
      return { answer, withdraw: () => withdraw(), told: isStillThere => told(isStillThere) }
    },
    hear(actor: string, emitted: EventObject) {
      for (const waiter of [...waiters]) {
        if (waiter.actor !== actor) continue
        try {
          if (waiter.matches(emitted)) waiter.settle({ kind: 'answered', emitted })
        } catch (error) {
          // A throw would keep the others from hearing the answer.
          waiter.settle({ kind: 'broken', error })
        }
      }
    },
    fail(actor: string | undefined, error: unknown) {
      for (const waiter of [...waiters]) {
        if (actor !== undefined && waiter.actor !== actor) continue
        if (actor === undefined || waiter.isTold) waiter.settle({ kind: 'broken', error })
        else waiter.brokenBy = { error }
      }
    },
    waiting: () => waiters.size,
  }
}
