/** One writer at a time on the whole host, for as long as a piece of work takes; waiting for it has an end. */
import { utimesSync } from 'node:fs'
import { LEASE_RENEW_MS } from '../../contracts/limits/limits.ts'
import type { Clock, Timer } from '../clock.ts'
import { acquireLock } from './lock-file.ts'

/** The longest piece of work under a lock is the first commit of a workspace. */
export const LOCK_WAIT_MS = 20_000
const MS_PER_S = 1_000

interface WithLockOptions {
  /** The path of the lock file; its folder exists. */
  path: string
  clock: Clock
  waitMs?: number
}

type WithLock<T> = { ok: true; value: T } | { ok: false; problem: string }

/** Keeps touching the lock file for processes that cannot see this one. Returns the function that stops it. */
const keepTouching = (path: string, clock: Clock): (() => void) => {
  const touch = (): Timer =>
    clock.at(
      clock.now() + LEASE_RENEW_MS,
      () => {
        try {
          utimesSync(path, clock.now() / MS_PER_S, clock.now() / MS_PER_S)
        } catch {
          // Somebody has removed it; the work goes on.
        }
        timer = touch()
      },
      { idle: true },
    )
  let timer = touch()
  return () => timer.cancel()
}

/** Runs `work` under the lock, and passes on what it throws; the lock is released either way. */
export const withLock = async <T>(options: WithLockOptions, work: () => T | Promise<T>): Promise<WithLock<T>> => {
  const { path, clock, waitMs = LOCK_WAIT_MS } = options
  const locked = await acquireLock(path, { clock, waitMs })
  if (locked.kind === 'unavailable') return { ok: false, problem: locked.message }
  if (locked.kind === 'taken') {
    const who = locked.holder === undefined ? 'another process' : `process ${locked.holder.pid}`
    return { ok: false, problem: `${who} has held the lock ${path} for longer than ${waitMs} ms` }
  }
  const stopTouching = keepTouching(path, clock)
  try {
    return { ok: true, value: await work() }
  } finally {
    stopTouching()
    locked.release()
  }
}
