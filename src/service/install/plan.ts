/** A plan of changes, and the entry at a path, described so exactly that a change between the look and the write is noticed. */
import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { MANAGED_FILE_BYTES_MAX, MANAGED_FILES_MAX } from '../../contracts/limits/limits.ts'
import { isLooseAt } from '../../runtime/files/owner-only.ts'
import type { Change } from './changes.ts'

export interface FolderEntry {
  kind: 'folder'
  identity: string
  /** SHA-256 of each regular file, by name. */
  files: ReadonlyMap<string, string>
  /** The text of the marker file, if there is one. */
  marker: string | undefined
  /** Names of what is neither a regular file nor small enough to be ours. */
  strange: readonly string[]
  /** The folder or a file in it can be read or changed by other users. */
  isLoose: boolean
}

export type Entry =
  | FolderEntry
  | { kind: 'link'; identity: string; target: string }
  | { kind: 'file'; identity: string; mode: number; size: number }
  | { kind: 'other'; identity: string }

/** Lies in each folder that is ours, and says what we wrote into it. */
export const MARKER = '.svc-managed'

const OTHERS = 0o077
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | (constants.O_NONBLOCK ?? 0)

export const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')

/** Reads a regular file, not a link; undefined for anything else, and for a file that is too long. */
export const readRegular = (path: string, bytesMax: number): Buffer | undefined => {
  let opened: number | undefined
  try {
    opened = openSync(path, READ)
    const facts = fstatSync(opened)
    return facts.isFile() && facts.size <= bytesMax ? readFileSync(opened) : undefined
  } catch {
    return undefined
  } finally {
    if (opened !== undefined) closeSync(opened)
  }
}

const folderEntry = (path: string, inode: string, mode: number): FolderEntry => {
  const names = readdirSync(path).sort()
  const files = new Map<string, string>()
  const strange: string[] = names.slice(MANAGED_FILES_MAX)
  let marker: string | undefined
  let isLoose = (mode & OTHERS) !== 0
  for (const name of names.slice(0, MANAGED_FILES_MAX)) {
    const bytes = readRegular(join(path, name), MANAGED_FILE_BYTES_MAX)
    if (!bytes) {
      strange.push(name)
      continue
    }
    isLoose ||= ((lstatSync(join(path, name), { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) !== 0
    if (name === MARKER) marker = bytes.toString('utf8')
    files.set(name, sha256(bytes))
  }
  const content = sha256(JSON.stringify([...files, ...strange]))
  return { kind: 'folder', identity: `${inode}:${content}`, files, marker, strange, isLoose }
}

/** Undefined when nothing is there. Follows no link. */
export const entryAt = (path: string): Entry | undefined => {
  const facts = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  if (!facts) return undefined
  const inode = `${facts.dev}:${facts.ino}`
  if (facts.isSymbolicLink()) {
    const target = readlinkSync(path)
    return { kind: 'link', identity: `${inode}:${target}`, target }
  }
  const mode = Number(facts.mode)
  if (facts.isDirectory()) return folderEntry(path, inode, mode)
  const identity = `${inode}:${facts.size}:${facts.mtimeNs}`
  return facts.isFile()
    ? { kind: 'file', identity, mode: mode & 0o777, size: Number(facts.size) }
    : { kind: 'other', identity }
}

interface PathNote {
  path: string
  reason: string
}

export interface Plan {
  changes: Change[]
  /** Paths that are already as they should be. */
  unchanged: string[]
  /** Left alone on purpose. */
  skipped: PathNote[]
  /** In the way and not ours: nothing at all is written while there is one. */
  conflicts: PathNote[]
  warnings: string[]
}

export const emptyPlan = (): Plan => ({ changes: [], unchanged: [], skipped: [], conflicts: [], warnings: [] })

export const joinPlans = (...plans: readonly Plan[]): Plan => ({
  changes: plans.flatMap(({ changes }) => changes),
  unchanged: plans.flatMap(({ unchanged }) => unchanged),
  skipped: plans.flatMap(({ skipped }) => skipped),
  conflicts: plans.flatMap(({ conflicts }) => conflicts),
  warnings: plans.flatMap(({ warnings }) => warnings),
})

/** Removes the rights of other users on something of ours that stays. */
export const ownerOnly = (path: string): Change[] => (isLooseAt(path) ? [{ path, make: { kind: 'owner-only' } }] : [])

/** A folder that is to be there, with those above it that are missing. */
export const missingFolders = (paths: readonly string[]): Change[] =>
  paths.map(path => ({ path, make: { kind: 'directory' } }))
