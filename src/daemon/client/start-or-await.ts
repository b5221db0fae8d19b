/** A daemon is needed: under the lifecycle lock one caller starts or replaces it, the others wait for what it does. */
import { DAEMON_LOCK_MS } from '../../contracts/limits.ts'
import { pause } from '../../runtime/clock.ts'
import { prepareHome } from '../home.ts'
import { describeHolder, type Locked, tryLock } from '../lock.ts'
import { type Need, type SeekOptions, type Seen, seek } from './seek.ts'

export type Ensured = Exclude<Seen, { kind: 'needed' }>

export interface EnsureOptions extends SeekOptions {
  /** Starts or replaces the daemon, the lock being held already. Resolves to why there is none, if so. */
  start(need: Need): Promise<string | undefined>
}

const POLL_MS = 50

const unready = (notice: string): Ensured => ({ kind: 'unready', notice })

const startUnderLock = async (options: EnsureOptions): Promise<Ensured> => {
  // Whoever held the lock before may have done it already.
  const seen = await seek(options)
  if (seen.kind !== 'needed') return seen
  const problem = await options.start(seen.need)
  if (problem !== undefined) return unready(problem)
  const started = await seek(options)
  if (started.kind !== 'needed') return started
  return unready('the daemon that was started is not the one that answers')
}

export const startOrAwait = async (options: EnsureOptions): Promise<Ensured> => {
  const { paths, clock, signal } = options
  const problem = prepareHome(paths)
  if (problem) return unready(problem)
  const began = clock.elapsed()
  for (;;) {
    const locked: Locked = tryLock(paths.lock, clock)
    if (locked.kind === 'unavailable') return unready(locked.message)
    if (locked.kind === 'held') {
      try {
        return await startUnderLock(options)
      } finally {
        locked.release()
      }
    }
    if (signal?.aborted || clock.elapsed() - began >= DAEMON_LOCK_MS) return unready(describeHolder(locked.holder))
    await pause(clock, POLL_MS, signal)
    const again = await seek(options)
    if (again.kind !== 'needed') return again
  }
}
