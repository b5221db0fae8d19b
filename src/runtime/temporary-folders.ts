/** Temporary folders of svc, open to this user alone: each names the process that made it, so that a later one removes what a killed one left. */
import { lstatSync, mkdtempSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from './clock.ts'
import { ownerOf, ownFolder } from './folder-owner.ts'
import { once } from './once.ts'
import { mayLive } from './processes/processes.ts'

/** The beginnings of their names; short, for sockets are below them. */
const PREFIXES = {
  /** Homes of simulated phones: they have daemons, so who makes them removes them. */
  phones: 'svc-ph-',
  webdriver: 'svc-webdriver-',
  mcp: 'svc-file-',
  parcel: 'svc-parcel-',
  fleet: 'svc-fleet-',
} as const

export type Purpose = keyof typeof PREFIXES

/** So many of a purpose are removed at one start; the next start goes on. */
const REMOVED_MAX = 20

/** No transfer takes so long. */
const FOREIGN_MS = 24 * 60 * 60 * 1_000

const TRANSFERS: readonly Purpose[] = ['webdriver', 'mcp', 'parcel']

/** A process of another container, or from before the machine started, is known by the age of its folder only. */
const isLeft = (folder: string, purpose: Purpose): boolean => {
  const owner = ownerOf(folder)
  if (owner === undefined) return false
  const lives = mayLive(owner)
  if (lives !== undefined || !TRANSFERS.includes(purpose)) return lives === false
  const facts = lstatSync(folder, { throwIfNoEntry: false })
  return facts !== undefined && Math.abs(systemClock().now() - facts.mtimeMs) > FOREIGN_MS
}

const namesInTemporary = (): string[] => {
  try {
    return readdirSync(tmpdir())
  } catch {
    return []
  }
}

/** Those whose processes have ended; no more than one start removes. */
export const leftFolders = (purpose: Purpose): string[] =>
  namesInTemporary()
    .filter(name => name.startsWith(PREFIXES[purpose]))
    .map(name => join(tmpdir(), name))
    .filter(folder => isLeft(folder, purpose))
    .slice(0, REMOVED_MAX)

const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true })

const HELD_BY_NOTHING: readonly Purpose[] = ['webdriver', 'mcp', 'parcel', 'fleet']

/** Once in a process. What cannot be removed is left for the next start. */
export const removeLeftFolders = once(async (): Promise<void> => {
  await Promise.all(HELD_BY_NOTHING.flatMap(leftFolders).map(folder => removeFolder(folder).catch(() => {})))
})

/** mkdtemp makes a folder that only this user can open. */
export const makeTemporaryFolder = (purpose: Purpose): string => {
  void removeLeftFolders()
  const folder = mkdtempSync(join(tmpdir(), PREFIXES[purpose]))
  ownFolder(folder)
  return folder
}

/** Nothing of it stays. */
export const inTemporaryFolder = async <T>(purpose: Purpose, work: (folder: string) => Promise<T>): Promise<T> => {
  const folder = makeTemporaryFolder(purpose)
  try {
    return await work(folder)
  } finally {
    await removeFolder(folder)
  }
}
