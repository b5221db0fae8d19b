/** Keeps the journal within its age and size, and brings its WAL into the file. */
import { statSync } from 'node:fs'
import { JOURNAL_BYTES_MAX, JOURNAL_KEEP_MS } from '../../contracts/limits/limits.ts'
import { type Clock, pause } from '../clock.ts'
import { JournalError } from './fault.ts'
import type { Journal, PruneCounts, Retention } from './journal.ts'
import { CLAIM_MS_MAX, claimPrune, releasePrune } from './prune-stamp.ts'

const LOOK_MS = 250
/**
 * After so many records, which fill some megabytes, or as it grows by so much, the WAL is brought into the file and begun anew: to
 * write over it takes half of the time that it takes to make it longer.
 */
const WAL_RECORDS = 500
const WAL_BYTES = 4 * 1_024 * 1_024
/** A command that is done does not make its caller wait for long. */
const COMMAND_WAIT_MS = 200
/** The rest is for the write that it is at by then. */
const COMMAND_PRUNE_MS = 150

/** A journal that cannot be pruned now is pruned later: that is not a failure of what was done. */
const orLater = (error: unknown): undefined => {
  if (error instanceof JournalError || (error instanceof Error && 'code' in error)) return undefined
  throw error
}

interface PruneClaimedOptions {
  journal: Pick<Journal, 'prune'>
  path: string
  clock: Clock
  /** Its `now` is the time of the claim. */
  retention: Retention
  /** How long it may take; what is left is for the next one. */
  withinMs: number
}

/** Prunes under a claim on it, which ends with it. Rejects with JournalError; then the claim ends by itself. */
export const pruneClaimed = async (options: PruneClaimedOptions): Promise<PruneCounts> => {
  const { journal, path, clock, retention, withinMs } = options
  const until = clock.elapsed() + withinMs
  const pruned = await journal.prune(retention, () => clock.elapsed() > until)
  releasePrune(path, pruned, retention.now)
  return pruned
}

interface PruneIfDueOptions extends Omit<PruneClaimedOptions, 'retention' | 'withinMs'> {
  maxAgeMs?: number
  maxBytes?: number
}

/** Prunes before a command ends, if it is due, and returns what was removed, as far as that is known in time. */
export const pruneIfDue = async (options: PruneIfDueOptions): Promise<PruneCounts | undefined> => {
  const { maxAgeMs = JOURNAL_KEEP_MS, maxBytes = JOURNAL_BYTES_MAX, ...where } = options
  const { path, clock } = where
  const withinMs = COMMAND_PRUNE_MS
  const now = clock.now()
  const inTime = new AbortController()
  try {
    const after = claimPrune(path, { now, maxBytes, withinMs })
    if (!after) return undefined
    const pruned = pruneClaimed({ ...where, withinMs, retention: { maxAgeMs, maxBytes, now, after } }).catch(orLater)
    // While another process writes, a write of this one may be kept out for longer than a command waits.
    const late = pause(clock, COMMAND_WAIT_MS, inTime.signal).then(() => undefined)
    return await Promise.race([pruned, late])
  } catch (error) {
    return orLater(error)
  } finally {
    inTime.abort()
  }
}

export interface UpkeepTask {
  path: string
  /** Left out when the thread only brings the WAL into the file. */
  prune?: { retention: Retention; withinMs: number }
}

interface JournalUpkeepOptions {
  journal: Pick<Journal, 'head' | 'finishWal'>
  path: string
  clock: Clock
  /** Does the task elsewhere: it waits for the disk. Rejects when it could not. */
  run: (task: UpkeepTask) => Promise<unknown>
  maxBytes?: number
}

const walOf = (path: string) => statSync(`${path}-wal`, { throwIfNoEntry: false })

/** Starts the upkeep in a process that runs on; keeps no process alive. Returns the function that stops it. */
export const startJournalUpkeep = (options: JournalUpkeepOptions): (() => void) => {
  const { journal, path, clock, run, maxBytes = JOURNAL_BYTES_MAX } = options
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
    const after = claimPrune(path, { now, maxBytes, withinMs: CLAIM_MS_MAX })
    if (after) {
      return { path, prune: { retention: { maxAgeMs: JOURNAL_KEEP_MS, maxBytes, now, after }, withinMs: CLAIM_MS_MAX } }
    }
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
