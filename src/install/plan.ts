/** Plans an installation before the first write, in the same way for --dry-run and for a real run. */
import { isLooseAt } from '../runtime/owner-only.ts'
import type { Change } from './changes.ts'

export interface Noted {
  path: string
  reason: string
}

export interface Plan {
  changes: Change[]
  /** Paths that are already as they should be. */
  unchanged: string[]
  /** Left alone on purpose. */
  skipped: Noted[]
  /** In the way and not ours: nothing at all is written while there is one. */
  conflicts: Noted[]
  warnings: string[]
}

export const emptyPlan = (): Plan => ({ changes: [], unchanged: [], skipped: [], conflicts: [], warnings: [] })

export const joined = (...plans: readonly Plan[]): Plan => ({
  changes: plans.flatMap(({ changes }) => changes),
  unchanged: plans.flatMap(({ unchanged }) => unchanged),
  skipped: plans.flatMap(({ skipped }) => skipped),
  conflicts: plans.flatMap(({ conflicts }) => conflicts),
  warnings: plans.flatMap(({ warnings }) => warnings),
})

/** Removes the rights of other users on something of ours that stays. */
export const privately = (path: string): Change[] => (isLooseAt(path) ? [{ path, make: { kind: 'owner-only' } }] : [])

/** A folder that is to be there, with those above it that are missing. */
export const missingFolders = (paths: readonly string[]): Change[] =>
  paths.map(path => ({ path, make: { kind: 'directory' } }))
