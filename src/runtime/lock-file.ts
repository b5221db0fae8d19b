/** One writer at a time on the whole host, for as long as a piece of work takes; waiting for it has an end. */
import { randomBytes } from 'node:crypto'
import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { LEASE_RENEW_MS, STATE_FILE_MODE } from '../contracts/limits.ts'
import { type Clock, pause, type Timer } from './clock.ts'
import { claim, type LockOwner } from './lock-claim.ts'
import { thisProcess } from './processes.ts'
import { systemProblem } from './system-problem.ts'

/** The longest piece of work under a lock is the first commit of a workspace. */
export const LOCK_WAIT_MS = 20_000
const RETRY_MS = 20
const TOKEN_BYTES = 12
const MS_PER_S = 1_000

export interface LockOptions {
  /** Of the lock file; its folder exists. */
  path: string
  clock: Clock
  waitMs?: number
}

export type Locked<T> = { ok: true; value: T } | { ok: false; problem: string }

const heldBy = (path: string, owner: LockOwner | undefined, waitMs: number): string => {
  const who = owner === undefined ? 'somebody' : `process ${owner.pid}`
  return `${who} has held the lock ${path} for longer than ${waitMs} ms`
}

const acquire = async (draft: string, { path, clock, waitMs = LOCK_WAIT_MS }: LockOptions) => {
  const latest = clock.elapsed() + waitMs
  for (;;) {
    const held = claim(draft, path, clock.now())
    if (held === undefined) return undefined
    if (clock.elapsed() >= latest) return heldBy(path, held.owner, waitMs)
    await pause(clock, RETRY_MS)
  }
}

/** For those that cannot see this process. Returns the end of it. */
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

/** What `work` throws is thrown on; the lock is given back either way. */
export const withLock = async <T>(options: LockOptions, work: () => T | Promise<T>): Promise<Locked<T>> => {
  const { path, clock } = options
  const owner: LockOwner = {
    ...thisProcess(),
    token: randomBytes(TOKEN_BYTES).toString('hex'),
    createdAt: clock.now(),
  }
  const draft = `${path}.${owner.token}.draft`
  try {
    writeFileSync(draft, JSON.stringify(owner), { flag: 'wx', mode: STATE_FILE_MODE })
    const problem = await acquire(draft, options)
    if (problem !== undefined) return { ok: false, problem }
  } catch (error) {
    return { ok: false, problem: `the lock ${path} ${systemProblem(error).said}` }
  } finally {
    rmSync(draft, { force: true })
  }
  const stopTouching = keepTouching(path, clock)
  try {
    return { ok: true, value: await work() }
  } finally {
    stopTouching()
    rmSync(path, { force: true })
  }
}
