/** Appends to logs: actors of the journal that no machine drives, such as the denials of the policy or the screens of a device. */

import { CHECKPOINT_RECORDS } from '../contracts/limits/limits.ts'
import type { JournalRecord, RecordedOutcome, StoredEvent } from '../contracts/records/journal.ts'
import { type Clock, pause } from './clock.ts'
import { JournalError } from './journal/fault.ts'
import type { Journal } from './journal/journal.ts'

export interface LogRecord {
  actor: string
  machine: string
  /** The one state that the log has. */
  state: string
  /** The time is added. */
  event: StoredEvent
  body?: unknown
  tags?: readonly string[] | undefined
  /** Works out body and tags from the newest record of the log; again where another process wrote first. */
  upon?: ((last: JournalRecord | undefined) => { body: unknown; tags: readonly string[] }) | undefined
  outcome?: RecordedOutcome | undefined
  /** True when the newest record of the log says the same: then nothing is written. */
  isSaidBy?(last: JournalRecord): boolean
}

interface LogWriter {
  /**
   * Resolves with the record that was written, or with the newest one where that says the same. Rejects with JournalError;
   * then nothing was recorded. Records of one log are written in the order in which they were given.
   */
  append(record: LogRecord): Promise<JournalRecord>
  /** True when WAITING_MAX records of the actor wait to be written; append then fails with `busy`. */
  isFull(actor: string): boolean
}

export interface LogWriterOptions {
  journal: Pick<Journal, 'append' | 'last' | 'saveCheckpoint'>
  clock: Clock
}

/** Each process that loses a position to another one reads again: the bound is one of time, for many may write at once. */
const BEHIND_MS = 10_000
/** The pause after a lost position grows up to this, so that a crowd of processes spreads. */
const PAUSE_MAX_MS = 20
const WAITING_MAX = 1_000
/** Brings the digits of the clock that nobody can foresee to the front. */
const MOMENT_FACTOR = 1_009

/** Between 0 and 1: processes lose a position at moments of their own, and a simulated clock gives the same one again. */
const chanceOf = (clock: Clock): number => (clock.elapsed() * MOMENT_FACTOR) % 1

const isBehind = (error: unknown) => error instanceof JournalError && error.reason === 'behind'

export const createLogWriter = ({ journal, clock }: LogWriterOptions): LogWriter => {
  /** The last of those that wait for each log, and how many they are. */
  const lines = new Map<string, { end: Promise<unknown>; waiting: number }>()

  const writeOnce = async ({
    event,
    state,
    isSaidBy,
    upon,
    tags = [],
    ...record
  }: LogRecord): Promise<JournalRecord> => {
    const { actor } = record
    const last = journal.last(actor)
    if (last && isSaidBy?.(last)) return last
    const n = (last?.n ?? -1) + 1
    const at = clock.now()
    const place = { n, version: 1, at, from: last?.to ?? '', to: state, tags, ...upon?.(last) }
    const written = await journal.append({ ...record, ...place, event: { ...event, at } })
    // Retention takes only what a checkpoint covers. One that fails is made up for by the next.
    if (n > 0 && n % CHECKPOINT_RECORDS === 0)
      await journal.saveCheckpoint({ actor, n, seq: written.seq, version: 1, snapshot: {} }).catch(() => {})
    return written
  }

  const write = async (record: LogRecord, until: number): Promise<JournalRecord> => {
    for (let lost = 0; ; lost++) {
      try {
        return await writeOnce(record)
      } catch (error) {
        if (!isBehind(error) || clock.elapsed() >= until) throw error
        if (lost > 0) await pause(clock, chanceOf(clock) * Math.min(lost, PAUSE_MAX_MS))
      }
    }
  }

  const isFull: LogWriter['isFull'] = actor => (lines.get(actor)?.waiting ?? 0) >= WAITING_MAX

  return {
    isFull,
    async append(record) {
      const { actor } = record
      if (isFull(actor)) throw new JournalError('busy', `${WAITING_MAX} records wait to be written to ${actor}`)
      const line = lines.get(actor) ?? { end: Promise.resolve(), waiting: 0 }
      lines.set(actor, line)
      line.waiting += 1
      const until = clock.elapsed() + BEHIND_MS
      const turn = line.end.then(() => write(record, until))
      line.end = turn.catch(() => {})
      try {
        return await turn
      } finally {
        line.waiting -= 1
        if (line.waiting === 0) lines.delete(actor)
      }
    },
  }
}
