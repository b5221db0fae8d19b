/** Changing a registry file: one process at a time, in one step, with everything else in it as it was. */
import type { RegistryEntry } from '../../contracts/registry.ts'
import type { Clock } from '../../runtime/clock.ts'
import { withLock } from '../../runtime/with-lock.ts'
import { readText } from '../read-text.ts'
import { appendEntry } from './append-entry.ts'
import { checkRegistry } from './check.ts'
import { REGISTRY_BYTES_MAX } from './load.ts'
import { realFile, replaceFile } from './replace.ts'

export interface RegistryLock {
  /** The path of the registry file. */
  path: string
  clock: Clock
  waitMs?: number | undefined
}

/** Names of one registry that lead to one file have one lock. */
const lockOf = (path: string): string => `${realFile(path)}.lock`

export const withRegistryLock = <T>({ path, clock, waitMs }: RegistryLock, work: () => T | Promise<T>) =>
  withLock<T>({ path: lockOf(path), clock, ...(waitMs === undefined ? {} : { waitMs }) }, work)

/** To be called under the lock. What is wrong, or undefined when the entry is there; throws what the disk throws. */
export const writeEntry = (path: string, entry: RegistryEntry): string | undefined => {
  const read = readText(path, REGISTRY_BYTES_MAX)
  if (!read.ok) return read.problem
  const text = appendEntry(read.text, entry)
  if (text === undefined) return 'has no skills array'
  const before = checkRegistry(JSON.parse(read.text))
  const after = checkRegistry(JSON.parse(text))
  const isAdded = before.ok && after.ok && after.skills.length === before.skills.length + 1
  if (!isAdded || after.skills.at(-1)?.id !== entry.id) return 'cannot be extended without changing its other content'
  replaceFile(path, text)
  return undefined
}
