/** A lock file: made whole in one step, and taken away from an owner that has died by one process only. */
import { linkSync, readFileSync, rmSync, statSync } from 'node:fs'
import { LEASE_EXPIRES_MS } from '../contracts/limits.ts'
import { mayLive, type ProcessIdentity } from './processes.ts'
import { systemProblem } from './system-problem.ts'

export interface LockOwner extends ProcessIdentity {
  /** Never the same for two owners, of one process either. */
  token: string
  createdAt: number
}

/** What somebody else wrote there may still be in the writing when it is younger than this. */
const UNREADABLE_MS = 3_000

interface Held {
  /** Names this very lock file, and no later one at the same path. */
  key: string
  owner: LockOwner | undefined
  abandoned: boolean
}

const TOKEN = /^[\w-]{1,64}$/

const ownerIn = (text: string): LockOwner | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return undefined
    const { pid, started, token, createdAt } = value as Record<string, unknown>
    if (typeof pid !== 'number' || typeof started !== 'string' || typeof createdAt !== 'number') return undefined
    return typeof token === 'string' && TOKEN.test(token) ? { pid, started, token, createdAt } : undefined
  } catch {
    return undefined
  }
}

/** Undefined when there is no lock. */
const look = (path: string, now: number): Held | undefined => {
  try {
    const owner = ownerIn(readFileSync(path, 'utf8'))
    const { ino, mtimeMs } = statSync(path)
    if (owner !== undefined) {
      // Who cannot be seen from here, in another container, holds it for as long as it touches the file.
      const isHeld = mayLive(owner) ?? Math.abs(now - mtimeMs) < LEASE_EXPIRES_MS
      return { key: owner.token, owner, abandoned: !isHeld }
    }
    return { key: `${ino}-${Math.trunc(mtimeMs)}`, owner, abandoned: Math.abs(now - mtimeMs) > UNREADABLE_MS }
  } catch (error) {
    if (systemProblem(error).code === 'ENOENT') return undefined
    throw error
  }
}

/** `draft` is a file of ours that names us; a link to it appears whole or not at all. */
const linked = (draft: string, path: string): boolean => {
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if (systemProblem(error).code === 'EEXIST') return false
    throw error
  }
}

/**
 * Two who find the same dead owner must not both remove "its" lock: the slower one would remove the lock of the faster
 * one. So only who owns a second lock, named after the dead one, may; and that one is taken from the dead likewise.
 */
const removeAbandoned = (draft: string, path: string, now: number): void => {
  const found = look(path, now)
  if (!found?.abandoned) return
  const guard = `${path}.${found.key}`
  if (!linked(draft, guard)) {
    removeAbandoned(draft, guard, now)
    return
  }
  try {
    if (look(path, now)?.key === found.key) rmSync(path, { force: true })
  } finally {
    rmSync(guard, { force: true })
  }
}

/** Undefined once the lock is ours; otherwise who has it, as far as can be told. */
export const claim = (draft: string, path: string, now: number): { owner: LockOwner | undefined } | undefined => {
  if (linked(draft, path)) return undefined
  removeAbandoned(draft, path, now)
  return linked(draft, path) ? undefined : { owner: look(path, now)?.owner }
}
