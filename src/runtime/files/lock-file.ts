/** A lock file: at most one live process holds it. Exactly one of those who want it removes a lock whose holder has died. */

import { linkSync, readdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import {
  DAEMON_LOCK_MS,
  DAEMON_LOCK_UNREADABLE_MS,
  LEASE_EXPIRES_MS,
  STATE_FILE_MODE,
} from '../../contracts/limits/limits.ts'
import { type Clock, pause } from '../clock.ts'
import { codeOf } from '../message-of.ts'
import { mayLive, thisProcess } from '../processes/processes.ts'
import { systemProblem } from '../system-problem.ts'
import { parseObject, readSmall, statOf } from './small-file.ts'

export interface LockHolder {
  pid: number
  /** Missing in files of other writers: then any process with that pid counts. */
  startTime: string | undefined
}

export type LockAttempt =
  | { kind: 'held'; release(): void }
  /** By a live process; undefined for a file that may still be in the writing. */
  | { kind: 'taken'; holder: LockHolder | undefined }
  | { kind: 'unavailable'; message: string }

interface LockFile {
  /** Tells this very file from every other one that was or will be at this place. */
  identity: string
  /** The same, short enough for a file name; that two files share one costs a wait at most. */
  name: string
  holder: LockHolder | undefined
  isStale: boolean
}

/** A claim on a claim on a claim: each level is a process that was killed within the few instructions of the one below. */
const DEPTH_MAX = 4
const NAME_CHARS = 12

const holderIn = (text: string | undefined): LockHolder | undefined => {
  const { pid, startTime } = parseObject(text) ?? {}
  if (!Number.isSafeInteger(pid) || Number(pid) <= 0) return undefined
  return { pid: Number(pid), startTime: typeof startTime === 'string' && startTime !== '' ? startTime : undefined }
}

const pidExists = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** Undefined for a process of another container, which cannot be seen from here. */
const isHolding = ({ pid, startTime }: LockHolder): boolean | undefined =>
  startTime === undefined ? pidExists(pid) : mayLive({ pid, started: startTime })

/** A holder that cannot be seen from here, in another container, touches its file as long as it works. */
const isRecent = (mtimeMs: number, now: number): boolean => Math.abs(now - mtimeMs) < LEASE_EXPIRES_MS

/** A file from the future was not written just now either: the clock was set back. */
const isOld = (mtimeMs: number, now: number): boolean => Math.abs(now - mtimeMs) > DAEMON_LOCK_UNREADABLE_MS

const readLock = (path: string, now: number): LockFile | undefined => {
  const stat = statOf(path)
  if (!stat) return undefined
  const text = readSmall(path)
  const holder = holderIn(text)
  const identity = `${stat.ino}:${stat.mtimeMs}:${text ?? ''}`
  if (!holder) return { identity, holder, name: `${stat.ino}`, isStale: isOld(stat.mtimeMs, now) }
  const started = (holder.startTime ?? '').replace(/\W/g, '').slice(-NAME_CHARS)
  return {
    identity,
    holder,
    name: `${holder.pid}-${started}`,
    isStale: !(isHolding(holder) ?? isRecent(stat.mtimeMs, now)),
  }
}

/** The holder of the lock; undefined when it is not a live process. */
export const holderOf = (path: string): LockHolder | undefined => {
  const holder = holderIn(readSmall(path))
  return holder && isHolding(holder) ? holder : undefined
}

interface Draft {
  text: string
  now: number
}

/** The file appears with all of its text at once, or not at all; false when there is one already. */
const create = (path: string, { text, now }: Draft): boolean => {
  // Never a name that was used before: a draft that was left behind is the same file as the lock it was linked to.
  const draft = `${path}.new-${process.pid}-${now}`
  try {
    writeFileSync(draft, text, { mode: STATE_FILE_MODE })
    linkSync(draft, path)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    // File systems without hard links: readers may see the file while it is being written, and wait for it.
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(codeOf(error))) throw error
    return createInPlace(path, text)
  } finally {
    rmSync(draft, { force: true })
  }
}

const createInPlace = (path: string, text: string): boolean => {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: STATE_FILE_MODE })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/**
 * Only the holder of the claim on a stale file may remove it. A stale file never comes back: its holder
 * is dead. So one that is still there under the claim is the one that was read, and not a lock taken meanwhile.
 */
const removeStale = (path: string, stale: LockFile, draft: Draft, depth = 0): void => {
  const { now } = draft
  const claim = `${path}.stale-${stale.name}`
  if (!create(claim, draft)) {
    const other = depth < DEPTH_MAX ? readLock(claim, now) : undefined
    if (other?.isStale) removeStale(claim, other, draft, depth + 1)
    return
  }
  try {
    if (readLock(path, now)?.identity === stale.identity) unlinkSync(path)
  } finally {
    rmSync(claim, { force: true })
  }
}

/** Removes the files that killed processes have left beside the lock; only its holder may call this. */
const sweep = (path: string, now: number): void => {
  try {
    for (const name of readdirSync(dirname(path))) {
      if (!name.startsWith(`${basename(path)}.`)) continue
      const left = join(dirname(path), name)
      if (readLock(left, now)?.isStale) rmSync(left, { force: true })
    }
  } catch {
    // The lock is held all the same, and the next holder sweeps again.
  }
}

/** Tries once. Never waits, never throws, never takes a lock whose holder lives. */
export const tryLock = (path: string, clock: Pick<Clock, 'now'>): LockAttempt => {
  const now = clock.now()
  try {
    const { pid, started } = thisProcess()
    const text = `${JSON.stringify({ pid, startTime: started, createdAt: now })}\n`
    // Only the lock that was taken is released; another process's lock stays.
    const release = () => {
      if (readSmall(path) === text) rmSync(path, { force: true })
    }
    const held = (): LockAttempt | undefined => {
      if (!create(path, { text, now })) return undefined
      sweep(path, now)
      return { kind: 'held', release }
    }
    const first = held()
    if (first) return first
    const found = readLock(path, now)
    if (found && !found.isStale) return { kind: 'taken', holder: found.holder }
    if (found) removeStale(path, found, { text, now })
    return held() ?? { kind: 'taken', holder: readLock(path, now)?.holder }
  } catch (error) {
    return { kind: 'unavailable', message: `the lock ${path} cannot be acquired: it ${systemProblem(error).said}` }
  }
}

const POLL_MS = 25

export const acquireLock = async (
  path: string,
  options: { clock: Clock; waitMs?: number; signal?: AbortSignal | undefined },
): Promise<LockAttempt> => {
  const { clock, waitMs = DAEMON_LOCK_MS, signal } = options
  const began = clock.elapsed()
  for (;;) {
    const locked = tryLock(path, clock)
    const isOver = clock.elapsed() - began >= waitMs || signal?.aborted
    if (locked.kind !== 'taken' || isOver) return locked
    await pause(clock, POLL_MS, signal)
  }
}
