/** Where an open file or folder really is, and folders that are held open while something is done in them. */
import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join, parse, sep } from 'node:path'
import { codeOf, messageOf } from '../../runtime/message-of.ts'
import { StepFailure } from '../screen/step-failure.ts'
import { type FileRoots, isWithinRoots, ROOTS_HINT } from './file-roots.ts'

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

/** A folder that stays the same one whatever is put at its path meanwhile. */
export interface HeldFolder {
  /** The path of a name in it, for one call: as messages it is told as `path` and the name. */
  at: (name: string) => string
  path: string
}

const FOLDER_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

export const noLongerOpen = (path: string) =>
  new StepFailure('FILE_REFUSED', `${path} is not open to this caller any more`, { hint: ROOTS_HINT })

const GONE: readonly unknown[] = ['ENOENT', 'ENOTDIR', 'ELOOP']

const HELD = /^\/proc\/self\/fd\/\d+$/

const openFolder = async (path: string): Promise<FileHandle> => {
  try {
    // The path of a held folder is a link itself.
    return await open(HELD.test(path) ? `${path}/.` : path, FOLDER_FLAGS)
  } catch (error) {
    if (GONE.includes(codeOf(error))) throw noLongerOpen(path)
    throw new StepFailure('FILE_REFUSED', `${path}: ${messageOf(error)}`, { hint: ROOTS_HINT })
  }
}

/** Rejects with a StepFailure for a folder that lies outside the roots by now. Its path may be one of a held folder. */
export const withFolder = async <T>(
  path: string,
  roots: FileRoots,
  use: (folder: HeldFolder) => Promise<T>,
): Promise<T> => {
  const plain: HeldFolder = { path, at: name => join(path, name) }
  if (roots === undefined) return use(plain)
  if (!canAskDescriptors) {
    if (!(await isWithinRoots(await realpath(path).catch(() => ''), roots))) throw noLongerOpen(path)
    return use(plain)
  }
  const handle = await openFolder(path)
  try {
    if (!(await isOpenWithin(handle, path, roots))) throw noLongerOpen(path)
    return await use({ path: await readlink(pathOf(handle)), at: name => join(pathOf(handle), name) })
  } finally {
    await handle.close()
  }
}

/** Its folder is held meanwhile. */
export const withPlace = <T>(path: string, roots: FileRoots, use: (place: string) => Promise<T>): Promise<T> =>
  withFolder(dirname(path), roots, folder => use(folder.at(basename(path))))
