/** Keeps the journal within its age and size, and brings its WAL into the file. */
import { closeSync, openSync, statSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { JOURNAL_BYTES_MAX, JOURNAL_KEEP_MS, STATE_FILE_MODE } from '../../contracts/limits.ts'
import type { Clock } from '../clock.ts'
import { JournalError } from './fault.ts'
import type { Journal, PruneCounts } from './journal.ts'

/** The interval of pruning, shared by all processes. */
const PRUNE_EVERY_MS = 60 * 60 * 1_000
const LOOK_MS = 250
/**
 * After so many records, which fill some megabytes, or as it grows by so much, the WAL is brought into the file and begun anew: to
 * write over it takes half of the time that it takes to make it longer.
 */
const WAL_RECORDS = 500
const WAL_BYTES = 4 * 1_024 * 1_024
/** A command that is done does not make its caller wait for long. */
const COMMAND_PRUNE_MS = 200

/** Its time says when the journal was last pruned. */
const stampPath = (path: string) => join(dirname(path), 'journal.pruned')

/** Touches the stamp first: of two processes that come at once the second finds it fresh. False when it is not due. */
const isPruneDue = (path: string, now: number): boolean => {
  const stamp = stampPath(path)
  const last = statSync(stamp, { throwIfNoEntry: false })
  // A stamp from the future was left by a clock that has been set back since.
  if (last && Math.abs(now - last.mtimeMs) < PRUNE_EVERY_MS) return false
  if (!last) closeSync(openSync(stamp, 'a', STATE_FILE_MODE))
  utimesSync(stamp, now / 1_000, now / 1_000)
  return true
}

/** A journal that cannot be pruned now is pruned later: that is not a failure of what was done. */
const orLater = (error: unknown): undefined => {
  if (error instanceof JournalError || (error instanceof Error && 'code' in error)) return undefined
  throw error
}

interface PruneIfDueOptions {
  journal: Pick<Journal, 'prune'>
  path: string
  clock: Clock
  maxAgeMs?: number
  maxBytes?: number
  /** How long it may take; what is left is for the next one. */
  withinMs?: number
}

/** Prunes before a command ends, if it is due, and returns what was removed. */
export const pruneIfDue = async (options: PruneIfDueOptions): Promise<PruneCounts | undefined> => {
  const { journal, path, clock, withinMs = COMMAND_PRUNE_MS } = options
  const { maxAgeMs = JOURNAL_KEEP_MS, maxBytes = JOURNAL_BYTES_MAX } = options
  const now = clock.now()
  const until = clock.elapsed() + withinMs
  try {
    if (!isPruneDue(path, now)) return undefined
    return await journal.prune({ maxAgeMs, maxBytes, now }, () => clock.elapsed() > until)
  } catch (error) {
    return orLater(error)
  }
}

export interface UpkeepTask {
  path: string
  /** Left out when the thread only brings the WAL into the file. */
  prune?: { maxAgeMs: number; maxBytes: number; now: number }
}

interface JournalUpkeepOptions {
  journal: Pick<Journal, 'head' | 'finishWal'>
  path: string
  clock: Clock
  /** Does the task elsewhere: it waits for the disk. Rejects when it could not. */
  run: (task: UpkeepTask) => Promise<unknown>
}

const walOf = (path: string) => statSync(`${path}-wal`, { throwIfNoEntry: false })

/** Starts the upkeep in a process that runs on; keeps no process alive. Returns the function that stops it. */
export const startJournalUpkeep = ({ journal, path, clock, run }: JournalUpkeepOptions): (() => void) => {
  let isAtWork = false
  let isOver = false
  let seenMs: number | undefined
  /** The journal had this head, and its WAL this size, when the WAL was brought in last. */
  let broughtIn = { head: journal.head(), size: walOf(path)?.size ?? 0 }

  const isWalDue = (): boolean => {
    const { size = 0, mtimeMs } = walOf(path) ?? {}
    if (mtimeMs === seenMs) return false
    const isDue = size - broughtIn.size >= WAL_BYTES || journal.head() - broughtIn.head >= WAL_RECORDS
    if (!isDue) seenMs = mtimeMs
    return isDue
  }
  const taskDue = (now: number): UpkeepTask | undefined => {
    if (isPruneDue(path, now)) return { path, prune: { maxAgeMs: JOURNAL_KEEP_MS, maxBytes: JOURNAL_BYTES_MAX, now } }
    if (!isWalDue()) return undefined
    broughtIn = { head: journal.head(), size: walOf(path)?.size ?? 0 }
    return { path }
  }
  const look = async () => {
    if (isAtWork) return
    isAtWork = true
    try {
      const task = taskDue(clock.now())
      if (task) await run(task)
      // The thread never catches up with one that writes; what it has left is little.
      if (task && !task.prune && !isOver) journal.finishWal()
    } catch {
      // The journal works without; the next look tries again.
    }
    isAtWork = false
  }
  const wait = () =>
    clock.at(
      clock.now() + LOOK_MS,
      () => {
        void look()
        timer = wait()
      },
      { idle: true },
    )
  let timer = wait()
  return () => {
    isOver = true
    timer.cancel()
  }
}
