/** Keeps the journal within its age and size, whoever uses it: at most once an hour for all processes together. */
import { closeSync, openSync, statSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { JOURNAL_BYTES_MAX, JOURNAL_KEEP_MS, STATE_FILE_MODE } from '../../contracts/limits.ts'
import type { Clock, Timer } from '../clock.ts'
import { JournalError } from './fault.ts'
import type { Journal, Pruned } from './journal.ts'

const EVERY_MS = 60 * 60 * 1_000

/** Its time says when the journal was last pruned. */
const stampPath = (path: string) => join(dirname(path), 'journal.pruned')

/** Touches the stamp first: of two processes that come at once the second finds it fresh. False when it is not due. */
const isDue = (path: string, now: number): boolean => {
  const stamp = stampPath(path)
  const last = statSync(stamp, { throwIfNoEntry: false })
  // A stamp from the future was left by a clock that has been set back since.
  if (last && Math.abs(now - last.mtimeMs) < EVERY_MS) return false
  if (!last) closeSync(openSync(stamp, 'a', STATE_FILE_MODE))
  utimesSync(stamp, now / 1_000, now / 1_000)
  return true
}

export interface KeepOptions {
  journal: Journal
  path: string
  clock: Clock
  maxAgeMs?: number
  maxBytes?: number
}

/** What it took, if it was due. A journal that cannot be pruned now is pruned later: that is no failure of what was done. */
export const keepBounded = (options: KeepOptions): Pruned | undefined => {
  const { journal, path, clock, maxAgeMs = JOURNAL_KEEP_MS, maxBytes = JOURNAL_BYTES_MAX } = options
  const now = clock.now()
  try {
    return isDue(path, now) ? journal.prune({ maxAgeMs, maxBytes, now }) : undefined
  } catch (error) {
    if (error instanceof JournalError || (error instanceof Error && 'code' in error)) return undefined
    throw error
  }
}

/** For a process that runs on: looks every hour, and keeps no process alive. Returns the end of it. */
export const keepWatching = (options: KeepOptions): (() => void) => {
  const { clock } = options
  let timer: Timer | undefined
  const wait = () => {
    timer = clock.at(clock.now() + EVERY_MS, look, { idle: true })
  }
  const look = () => {
    keepBounded(options)
    wait()
  }
  wait()
  return () => timer?.cancel()
}
