/** Delivers records to listeners, in order and once, from tasks of its own. */

import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { JournalRecord } from '../../contracts/records/journal.ts'
import type { Troubles } from '../background-failures.ts'
import type { Clock, Timer } from '../clock.ts'
import { JournalError } from './fault.ts'
import type { Subscription } from './journal.ts'
import { isLost } from './loss.ts'
import { markPath } from './mark.ts'

export interface WatchOptions {
  path: string
  clock: Clock
  changed: () => void
}

const LOOK_MS = 1_000
const LOOK_UNTOLD_MS = 100

/** Watches the mark and not the WAL: the WAL changes before the commit is there to be read. Returns the end of it. */
export const watchJournal = ({ path, clock, changed }: WatchOptions): (() => void) => {
  const name = basename(markPath(path))
  let every = LOOK_MS
  let timer: Timer | undefined
  let watcher: FSWatcher | undefined

  const look = () => {
    timer = clock.at(
      clock.now() + every,
      () => {
        changed()
        look()
      },
      { idle: true },
    )
  }
  const untold = () => {
    watcher?.close()
    watcher = undefined
    timer?.cancel()
    every = LOOK_UNTOLD_MS
    look()
  }

  look()
  try {
    watcher = watch(dirname(path), { persistent: false }, (_, file) => {
      if (file === null || file === name) changed()
    })
    watcher.on('error', untold)
  } catch {
    untold()
  }
  return () => {
    timer?.cancel()
    watcher?.close()
  }
}

interface SubscriptionsOptions {
  /** Records after a position, oldest first, at most `limit`. */
  read: (after: number, limit: number) => JournalRecord[]
  /** Called when the first listener comes; what it returns is called when the last one has gone. */
  startWatching?: () => () => void
  troubles: Pick<Troubles, 'tell'>
  clock: Pick<Clock, 'soon'>
}

export interface Subscriptions {
  add(listener: (records: JournalRecord[]) => void, after: number): Subscription
  /** Something may have been written. Never calls a listener itself. */
  wake(): void
  close(): void
}

interface Reader {
  listener: (records: JournalRecord[]) => void
  after: number
}

/** More than this waits for the next task, so that a long replay does not hold up everything else. */
const BATCH = 500

export const createSubscriptions = ({
  read,
  startWatching = () => () => {},
  troubles,
  clock,
}: SubscriptionsOptions): Subscriptions => {
  const readers = new Set<Reader>()
  let leave: (() => void) | undefined
  let scheduled = false

  const remove = (reader: Reader) => {
    if (!readers.delete(reader) || readers.size > 0) return
    leave?.()
    leave = undefined
  }

  const deliver = (reader: Reader, records: JournalRecord[]) => {
    reader.after = records.at(-1)?.seq ?? reader.after
    try {
      reader.listener(records)
    } catch (error) {
      // A listener that was dropped would be deaf for good, while everything looks well.
      troubles.tell('a listener of the journal failed and goes on with the next records', error)
    }
  }

  const drain = () => {
    scheduled = false
    const batches = new Map<number, JournalRecord[]>()
    let more = false
    for (const reader of [...readers]) {
      if (!readers.has(reader)) continue
      const batch = batches.get(reader.after) ?? read(reader.after, BATCH)
      batches.set(reader.after, batch)
      if (batch.length === 0) continue
      const last = batch.at(-1)
      if (batch.length === BATCH || (last && isLost(last))) more = true
      deliver(reader, [...batch])
    }
    if (more) wake()
  }

  const wake = () => {
    if (scheduled || readers.size === 0) return
    scheduled = true
    clock.soon(() => {
      try {
        drain()
      } catch (error) {
        // The next wake tries again from where each listener is.
        if (!(error instanceof JournalError && error.reason === 'closed')) {
          troubles.tell('the journal cannot be read for its listeners', error)
        }
      }
    })
  }

  return {
    add: (listener, after) => {
      const reader = { listener, after }
      readers.add(reader)
      leave ??= startWatching()
      wake()
      return { close: () => remove(reader) }
    },
    wake,
    close: () => {
      for (const reader of [...readers]) remove(reader)
    },
  }
}
