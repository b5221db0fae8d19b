/** The lifecycle lock of one daemon: one process at a time starts, stops or replaces it. Every wait for it has an end. */
import { DAEMON_LOCK_MS } from '../contracts/limits.ts'
import { type Clock, pause } from '../runtime/clock.ts'
import { type LockHolder, releaseLock, takeLock } from './lock-file.ts'

export type Locked =
  | { kind: 'held'; release(): void }
  /** Somebody else held it all the time. */
  | { kind: 'taken'; holder: LockHolder | undefined }
  | { kind: 'unavailable'; message: string }

const POLL_MS = 25

export const tryLock = (path: string, clock: Clock): Locked => {
  const taken = takeLock(path, clock.now())
  return taken.kind === 'held' ? { kind: 'held', release: () => releaseLock(path, taken.text) } : taken
}

export interface LockOptions {
  clock: Clock
  waitMs?: number
  signal?: AbortSignal | undefined
}

export const acquireLock = async (path: string, options: LockOptions): Promise<Locked> => {
  const { clock, waitMs = DAEMON_LOCK_MS, signal } = options
  const began = clock.elapsed()
  for (;;) {
    const locked = tryLock(path, clock)
    const isOver = clock.elapsed() - began >= waitMs || signal?.aborted
    if (locked.kind !== 'taken' || isOver) return locked
    await pause(clock, POLL_MS, signal)
  }
}

export const describeHolder = (holder: LockHolder | undefined): string =>
  holder ? `process ${holder.pid} is starting or stopping this daemon` : 'somebody is starting or stopping this daemon'
