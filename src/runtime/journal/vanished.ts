/** Detects that a journal file was replaced or removed, and finds processes that still use the removed one. */
import { statSync } from 'node:fs'
import { attempt } from '../attempt.ts'
import { processesWithOpen, removedName } from '../process-list.ts'

/** Tells two files apart that were at the same path; undefined when there is none. */
export const fileIdentity = (path: string): string | undefined => {
  const found = attempt(() => statSync(path))
  return found && `${found.dev}:${found.ino}`
}

/**
 * The other processes of this user that have the removed file open: they may own devices, and the leases that say so
 * are in that file.
 */
export const processesWithRemoved = (path: string): number[] => processesWithOpen(new Set([removedName(path)]))
