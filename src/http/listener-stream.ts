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
/** Another process writes to the stream of this name only while an address changes hands. */
const ATTEMPTS = 5

export interface Appended {
  record: JournalRecord
  /** Nobody else wrote to the stream since the last record that this process knows of. */
  follows: boolean
}

export interface ListenerStream {
  /** The newest checkpoint's snapshot, and then every record since; ends where this process goes on writing. */
  replay(take: { snapshot(kept: unknown): void; record(record: JournalRecord): void }): void
  /** Throws JournalError; then nothing was recorded. */
  append(event: StoredEvent, body?: unknown): Appended
  /** Retention may take what lies before a checkpoint; the snapshot is asked for when one is due. */
  checkpointIfDue(snapshot: () => unknown): void
}

export interface ListenerStreamOptions {
  journal: Journal
  clock: Clock
  listener: string
}

export const createListenerStream = ({ journal, clock, listener }: ListenerStreamOptions): ListenerStream => {
  let next: number | undefined
  let newest = 0
  let sinceCheckpoint = 0

  const know = ({ n, seq }: { n: number; seq: number }) => {
    next = n + 1
    newest = seq
    sinceCheckpoint += 1
  }

  const write = (n: number, event: StoredEvent, body: unknown): JournalRecord => {
    const at = clock.now()
    const place = {
      actor: listener,
      n,
      machine: LISTENER_MACHINE,
      version: VERSION,
      at,
      from: STATE,
      to: STATE,
      tags: [],
    }
    return journal.append({ ...place, event: { ...event, at }, ...(body === undefined ? {} : { body }) })
  }

  const append = (event: StoredEvent, body: unknown, attempt = 1): Appended => {
    const known = next
    const n = attempt === 1 && known !== undefined ? known : (journal.last(listener)?.n ?? -1) + 1
    try {
      const record = write(n, event, body)
      know(record)
      return { record, follows: known === n }
    } catch (error) {
      const isBehind = error instanceof JournalError && error.reason === 'behind'
      if (!isBehind || attempt === ATTEMPTS) throw error
      return append(event, body, attempt + 1)
    }
  }

  return {
    append,
    replay(take) {
      const checkpoint = journal.checkpoint(listener)
      if (checkpoint) take.snapshot(checkpoint.snapshot)
      for (const record of recordsAfter(journal, checkpoint?.seq ?? 0, { actor: listener })) {
        know(record)
        take.record(record)
      }
    },
    checkpointIfDue(snapshot) {
      if (next === undefined || sinceCheckpoint < CHECKPOINT_RECORDS) return
      journal.saveCheckpoint({ actor: listener, n: next, seq: newest, version: VERSION, snapshot: snapshot() })
      sinceCheckpoint = 0
    },
  }
}
