/** Journal records as the transitions that watchers see, from whichever process they come. */
import type { TransitionRecord } from '../contracts/actor.ts'
import type { JournalRecord } from '../contracts/journal.ts'
import { eachRecord } from './each-record.ts'
import type { Journal, Subscription } from './journal/journal.ts'

export const toTransition = ({ seq, actor, machine, event, from, to, at }: JournalRecord): TransitionRecord => ({
  seq,
  actor,
  machine,
  event: event.type,
  from,
  to,
  at,
})

export interface WatchOptions {
  /** Replays what came after this `seq`; without it only what comes from now on. */
  after?: number
  actor?: string
  machine?: string
}

/** Every transition of every process that shares the journal, once, in order of `seq`. */
export const watchTransitions = (
  journal: Journal,
  { after, actor, machine }: WatchOptions,
  listener: (transition: TransitionRecord) => void,
): Subscription =>
  journal.subscribe(
    eachRecord(record => {
      if (actor !== undefined && record.actor !== actor) return
      if (machine !== undefined && record.machine !== machine) return
      listener(toTransition(record))
    }),
    after === undefined ? {} : { after },
  )
