/** Where a file or folder of a device goes on the host: beside its place first, and then renamed. */
import { constants } from 'node:fs'
import { lstat, mkdir, open, realpath, stat, statfs } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { codeOf, messageOf } from '../../runtime/message-of.ts'
import { StepFailure } from '../screen/step-failure.ts'
import type { FileRoots } from './file-roots.ts'
import { type DraftOwners, draftName, dropDraft, sweepDrafts } from './host-drafts.ts'
import { allowedPath, refusedOnHost } from './host-files.ts'
import { type HeldFolder, withFolder, withPlace } from './open-path.ts'

export type Kind = 'file' | 'folder'

/** A place on the host, with its folder held. */
export interface HostPlace {
  /** The answer names the place so. */
  path: string
  name: string
  folder: HeldFolder
}

export const CLASH_HINT = 'Remove what is there first, or name another path.'

export const kindAt = async (at: string, path: string): Promise<Kind | 'other' | undefined> => {
  try {
    const stats = await lstat(at)
    if (stats.isFile()) return 'file'
    return stats.isDirectory() ? 'folder' : 'other'
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw refusedOnHost(path, messageOf(error))
  }
}

const isFolder = async (path: string): Promise<boolean> =>
  stat(path).then(
    stats => stats.isDirectory(),
    () => false,
  )

const noFolder = (folder: string) =>
  new StepFailure('FILE_NOT_FOUND', `the folder ${folder} is not on this host`, {
    hint: 'Name a folder that is there, or make it first.',
  })

const WINDOWS_SEPARATOR = '\\'
const cannotBeName = (name: string) =>
  name === '' ||
  name === '.' ||
  name === '..' ||
  name.includes('/') ||
  (process.platform === 'win32' && name.includes(WINDOWS_SEPARATOR))

/** Into a folder that is there under the name from the device, else to the path itself. */
const pathFor = async (to: string, name: string, roots: FileRoots): Promise<string> => {
  const allowed = await allowedPath(to, roots)
  const isInto = await isFolder(allowed)
  if (!isInto && to.endsWith('/')) throw noFolder(to)
  if (!isInto) return allowed
  if (cannotBeName(name)) throw refusedOnHost(to, 'it is a folder, and what is fetched has no name for it')
  const folder = await realpath(allowed).catch(error => {
    throw refusedOnHost(to, messageOf(error))
  })
  return allowedPath(join(folder, name), roots)
}

/** Holds the folder that it goes to, so that nothing is written elsewhere whatever is done to the folders above it. */
export const withHostPlace = async <T>(
  { to, name }: { to: string; name: string },
  roots: FileRoots,
  use: (place: HostPlace) => Promise<T>,
): Promise<T> => {
  const path = await pathFor(to, name, roots)
  if (!(await isFolder(dirname(path)))) throw noFolder(dirname(path))
  return withFolder(dirname(path), roots, folder => use({ path, name: basename(path), folder }))
}

/** True where something is there that the transfer may replace or join. Rejects with a StepFailure where it may not. */
export const isOccupied = async (
  { path, name, folder }: HostPlace,
  { kind, overwrite }: { kind: Kind; overwrite: boolean },
): Promise<boolean> => {
  const there = await kindAt(folder.at(name), path)
  if (there === undefined) return false
  if (there === 'other') throw refusedOnHost(path, 'it is neither a plain file nor a folder')
  if (there !== kind)
    throw new StepFailure('FILE_EXISTS', `${path} is a ${there} on this host, and a ${kind} is to come there`, {
      hint: CLASH_HINT,
    })
  if (!overwrite) throw new StepFailure('FILE_EXISTS', `${path} is on this host already`)
  return true
}

/** Beside its place, where it can be renamed; removed in the end, as are those of processes that were killed. */
export const withDraft = async <T>(
  { folder, name }: HostPlace,
  roots: FileRoots,
  use: (draft: string) => Promise<T>,
  owners?: DraftOwners,
): Promise<T> => {
  await sweepDrafts(folder, name, roots, owners)
  const draft = draftName(name, owners)
  try {
    return await use(folder.at(draft))
  } finally {
    await dropDraft(folder, draft, roots)
  }
}

/** In bytes; undefined where the system does not say. */
export const freeOnHost = async ({ folder }: HostPlace): Promise<number | undefined> =>
  statfs(folder.at('.')).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => undefined,
  )

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

interface NewPlace {
  /** Where it is made. */
  at: string
  path: string
  /** The rights that it has, but for those that the umask takes. */
  mode: number
}

export const writeNew = async (
  { at, path, mode }: NewPlace,
  chunks: AsyncIterable<Uint8Array>,
  roots: FileRoots,
): Promise<void> => {
  try {
    await withPlace(at, roots, async place => {
      const file = await open(place, NEW_FILE, mode)
      try {
        for await (const chunk of chunks) await file.writeFile(chunk)
      } finally {
        await file.close()
      }
    })
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw refusedOnHost(path, messageOf(error))
    throw error
  }
}

export const makeFolders = async (
  { at, path, mode }: NewPlace,
  folders: readonly string[],
  roots: FileRoots,
): Promise<void> => {
  try {
    for (const each of ['', ...folders]) await withPlace(join(at, each), roots, place => mkdir(place, { mode }))
  } catch (error) {
    throw error instanceof StepFailure ? error : refusedOnHost(path, messageOf(error))
  }
}
