/** Journal records as the transitions that watchers see, from whichever process they come. */
import type { StepProgress, TransitionRecord } from '../contracts/records/actor.ts'
import type { JournalRecord } from '../contracts/records/journal.ts'
import type { Journal, Subscription } from './journal/journal.ts'

/** If it throws at one record, it goes on with the next one. */
export const eachRecord =
  (hear: (record: JournalRecord) => void) =>
  (records: readonly JournalRecord[]): void => {
    let failed: { error: unknown } | undefined
    for (const record of records) {
      try {
        hear(record)
      } catch (error) {
        failed ??= { error }
      }
    }
    // The subscription reports it.
    if (failed) throw failed.error
  }

export const stepProgressOf = ({ what, done, total }: JournalRecord['event']): StepProgress => ({
  what: String(what),
  done: Number(done),
  total: Number(total),
})

export const toTransition = ({ seq, actor, machine, event, from, to, at }: JournalRecord): TransitionRecord => ({
  seq,
  actor,
  machine,
  event: event.type,
  from,
  to,
  at,
  ...(event.type === 'execution.progressed' ? { progress: stepProgressOf(event) } : {}),
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
