/** The stream of one listener in the journal: what it took on and what came of it, one record after the other. */
import type { JournalRecord, StoredEvent } from '../contracts/journal.ts'
import { CHECKPOINT_RECORDS } from '../contracts/limits.ts'
import type { Clock } from '../runtime/clock.ts'
import { JournalError } from '../runtime/journal/fault.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import { recordsAfter } from './journal-pages.ts'

/** What stands in the journal's column `machine`; there is no chart of it, for it has one state. */
export const LISTENER_MACHINE = 'listener'
const VERSION = 1
const STATE = 'listening'
/** Another process writes to the stream only while an address changes hands, or where several take any free port. */
const ATTEMPTS = 5

export interface Appended {
  record: JournalRecord
  /** Nobody else wrote to the stream since the last record that this process knows of. */
  follows: boolean
}

export interface ListenerStream {
  /** The newest checkpoint and every record since. Throws JournalError. */
  open(): void
  /** Throws JournalError; then nothing was recorded. */
  append(event: StoredEvent, body?: unknown): Appended
  /** Retention may take what lies before a checkpoint; the snapshot is asked for when one is due. */
  checkpointIfDue(snapshot: () => unknown): void
}

export interface ListenerStreamOptions {
  journal: Journal
  clock: Clock
  listener: string
  /** The snapshot of a checkpoint: where `onRecord` begins. */
  onCheckpoint: (snapshot: unknown) => void
  /** Each record that is there already, or that another process wrote. */
  onRecord: (record: JournalRecord) => void
}

export const createListenerStream = (options: ListenerStreamOptions): ListenerStream => {
  const { journal, clock, listener } = options
  let next = 0
  let newest = 0
  let sinceCheckpoint = 0

  const know = ({ n, seq }: JournalRecord) => {
    next = n + 1
    newest = seq
    sinceCheckpoint += 1
  }

  const catchUp = () => {
    for (const record of recordsAfter(journal, newest, { actor: listener })) {
      know(record)
      options.onRecord(record)
    }
    // Retention forgets a stream that nobody wrote to for long: then it begins anew.
    next = (journal.last(listener)?.n ?? -1) + 1
  }

  const write = (event: StoredEvent, body: unknown): JournalRecord => {
    const at = clock.now()
    const place = { actor: listener, n: next, machine: LISTENER_MACHINE, version: VERSION, at }
    const record = { ...place, event: { ...event, at }, from: STATE, to: STATE, tags: [] }
    return journal.append(body === undefined ? record : { ...record, body })
  }

  const append = (event: StoredEvent, body?: unknown, attempt = 1): Appended => {
    try {
      const record = write(event, body)
      know(record)
      return { record, follows: attempt === 1 }
    } catch (error) {
      const isBehind = error instanceof JournalError && error.reason === 'behind'
      if (!isBehind || attempt === ATTEMPTS) throw error
      catchUp()
      return append(event, body, attempt + 1)
    }
  }

  return {
    open() {
      const checkpoint = journal.checkpoint(listener)
      if (checkpoint) options.onCheckpoint(checkpoint.snapshot)
      newest = checkpoint?.seq ?? 0
      catchUp()
    },
    append: (event, body) => append(event, body),
    checkpointIfDue(snapshot) {
      if (sinceCheckpoint < CHECKPOINT_RECORDS) return
      journal.saveCheckpoint({ actor: listener, n: next, seq: newest, version: VERSION, snapshot: snapshot() })
      sinceCheckpoint = 0
    },
  }
}
