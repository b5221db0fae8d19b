/** Where an open file or folder really is, and folders that are held open while something is done in them. */
import type { Stats } from 'node:fs'
import { type FileHandle, lstat, readlink, realpath } from 'node:fs/promises'
import { join, parse, sep } from 'node:path'
import { type FileRoots, isWithinRoots } from './file-roots.ts'

const canAskDescriptors = process.platform === 'linux'

const pathOf = (handle: FileHandle) => `/proc/self/fd/${handle.fd}`

const isSame = (one: Stats, other: Stats) => one.dev === other.dev && one.ino === other.ino

/** The facts of what lies at a path of which no part is a link. */
const withoutLinks = async (real: string): Promise<Stats | undefined> => {
  const { root } = parse(real)
  const parts = real.slice(root.length).split(sep)
  let at = root
  let stats: Stats | undefined
  for (const part of parts) {
    at = join(at, part)
    stats = await lstat(at)
    if (stats.isSymbolicLink()) return undefined
  }
  return stats
}

/** The descriptor itself is asked: a path may lead elsewhere by now than when it was opened. */
const placeOf = async (handle: FileHandle, path: string): Promise<string | undefined> => {
  if (canAskDescriptors) return readlink(pathOf(handle))
  const real = await realpath(path)
  const there = await withoutLinks(real)
  return there && isSame(await handle.stat(), there) ? real : undefined
}

/** True while what is open lies below one of the roots, whatever was done to the folders and links of its path. */
export const isOpenWithin = async (handle: FileHandle, path: string, roots: FileRoots): Promise<boolean> => {
  if (roots === undefined) return true
  const place = await placeOf(handle, path)
  return place !== undefined && (await isWithinRoots(place, roots))
}
