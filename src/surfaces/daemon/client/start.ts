/** A daemon is needed: one caller at a time starts or replaces it, under the lifecycle lock. Loaded only then. */
import type { DispatchEvent } from '../../../contracts/events/dispatch.ts'
import type { Unstamped } from '../../../contracts/events/event.ts'
import { DAEMON_LOCK_MS } from '../../../contracts/limits/limits.ts'
import { type Clock, pause } from '../../../runtime/clock.ts'
import { type LockAttempt, tryLock } from '../../../runtime/files/lock-file.ts'
import { type DaemonPaths, describeHolder, prepareHome } from '../paths.ts'
import type { ClientSystem } from './open.ts'

type Fact = Unstamped<DispatchEvent>

const POLL_MS = 50

export interface LockOnceOptions {
  paths: DaemonPaths
  clock: Clock
  /** When the first attempt was made, on the clock that never goes back. */
  began: number
  system?: ClientSystem | undefined
  signal?: AbortSignal | undefined
}

/** One attempt. While somebody else holds the lock, a daemon may come up: so the caller looks for it in between. */
export const lockOnce = async (options: LockOnceOptions): Promise<{ event: Fact; release?: () => void }> => {
  const { paths, clock, began, system, signal } = options
  const unready = (message: string) => ({ event: { type: 'daemon.unready' as const, message } })
  const problem = (system?.homeProblem ?? prepareHome)(paths)
  if (problem) return unready(problem)
  const locked: LockAttempt = system ? system.tryLock(paths) : tryLock(paths.lock, clock)
  if (locked.kind === 'unavailable') return unready(locked.message)
  if (locked.kind === 'held') return { event: { type: 'lock.acquired' }, release: locked.release }
  if (clock.elapsed() - began >= DAEMON_LOCK_MS) return unready(describeHolder(locked.holder))
  await pause(clock, POLL_MS, signal)
  return { event: { type: 'lock.busy' } }
}
