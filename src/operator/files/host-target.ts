/** Where a file or folder of a device goes on the host: beside its place first, and then renamed. */
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, realpath, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf, messageOf } from '../../runtime/message-of.ts'
import { StepFailure } from '../engine/step-failure.ts'
import { refusedBy } from './device-files.ts'
import { type FileRoots, isWithinRoots, ROOTS_HINT } from './file-roots.ts'
import { allowedPath } from './host-files.ts'

type Kind = 'file' | 'folder'

export interface HostTarget {
  path: string
  draft: string
  isThere: boolean
}

const kindAt = async (path: string): Promise<Kind | 'other' | undefined> => {
  try {
    const stats = await lstat(path)
    if (stats.isFile()) return 'file'
    return stats.isDirectory() ? 'folder' : 'other'
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw refusedBy(path, messageOf(error))
  }
}

const isFolder = async (path: string): Promise<boolean> =>
  stat(path).then(
    stats => stats.isDirectory(),
    () => false,
  )

const WINDOWS_SEPARATOR = '\\'
const cannotBeName = (name: string) =>
  name === '' ||
  name === '.' ||
  name === '..' ||
  name.includes('/') ||
  (process.platform === 'win32' && name.includes(WINDOWS_SEPARATOR))

/** Into a folder that is there under the name from the device, else to the path itself. */
const placeFor = async (to: string, name: string, roots: FileRoots): Promise<string> => {
  const allowed = await allowedPath(to, roots)
  const isInto = await isFolder(allowed)
  if (!isInto && to.endsWith('/')) throw new StepFailure('FILE_NOT_FOUND', `the folder ${to} is not on this host`)
  if (!isInto) return allowed
  if (cannotBeName(name)) throw refusedBy(to, 'it is a folder, and what is fetched has no name for it')
  return allowedPath(join(await realpath(allowed), name), roots)
}

export const hostTarget = async (
  { to, name, kind, overwrite }: { to: string; name: string; kind: Kind; overwrite: boolean },
  roots: FileRoots,
): Promise<HostTarget> => {
  const path = await placeFor(to, name, roots)
  const folder = dirname(path)
  if (!(await isFolder(folder))) throw new StepFailure('FILE_NOT_FOUND', `the folder ${folder} is not on this host`)
  const there = await kindAt(path)
  if (there === 'other') throw refusedBy(path, 'it is neither a plain file nor a folder')
  if (there !== undefined && there !== kind)
    throw new StepFailure('FILE_EXISTS', `${path} is a ${there} on this host, and ${name} is a ${kind}`)
  if (there !== undefined && !overwrite) throw new StepFailure('FILE_EXISTS', `${path} is on this host already`)
  return { path, draft: join(folder, `.svc-${randomUUID()}.tmp`), isThere: there !== undefined }
}

/** In bytes; undefined where the system does not say. */
export const freeOnHost = async (path: string): Promise<number | undefined> =>
  statfs(dirname(path)).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => undefined,
  )

const noLongerOpen = (path: string) =>
  new StepFailure('FILE_REFUSED', `${path} is not open to this caller any more`, { hint: ROOTS_HINT })

/** A new file, and below the roots, whatever was done to the folders meanwhile. Nothing is written to it otherwise. */
const openNew = async (path: string, roots: FileRoots): Promise<FileHandle> => {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const file = await open(path, flags, 0o666)
  const isOpen = roots === undefined || (await isWithinRoots(await realpath(path).catch(() => ''), roots))
  if (isOpen) return file
  await file.close()
  await rm(path, { force: true })
  throw noLongerOpen(path)
}

export const writeNew = async (path: string, chunks: AsyncIterable<Uint8Array>, roots: FileRoots): Promise<void> => {
  try {
    const file = await openNew(path, roots)
    try {
      for await (const chunk of chunks) await file.writeFile(chunk)
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw refusedBy(path, messageOf(error))
    throw error
  }
}

export const makeFolders = async (draft: string, folders: readonly string[]): Promise<void> => {
  try {
    await mkdir(draft)
    for (const folder of folders) await mkdir(join(draft, folder))
  } catch (error) {
    throw refusedBy(draft, messageOf(error))
  }
}

export interface Arrived {
  kind: Kind
  files: readonly string[]
  folders: readonly string[]
}

/** Folders that are there stay, but one that is a link leads elsewhere. */
const mergeInto = async ({ path, draft }: HostTarget, { files, folders }: Arrived, roots: FileRoots) => {
  for (const folder of folders) {
    const kind = await kindAt(join(path, folder))
    if (kind === undefined) await mkdir(join(path, folder))
    else if (kind !== 'folder') throw new StepFailure('FILE_EXISTS', `${join(path, folder)} is no folder on this host`)
  }
  for (const file of files) {
    const place = join(path, file)
    const kind = await kindAt(place)
    if (kind === 'folder') throw new StepFailure('FILE_EXISTS', `${place} is a folder on this host`)
    if (kind === 'other') throw refusedBy(place, 'it is neither a plain file nor a folder')
    if (!(await isWithinRoots(await realpath(dirname(place)), roots))) throw noLongerOpen(place)
    await rename(join(draft, file), place)
  }
  await dropDraft(draft)
}

export const putInPlace = async (target: HostTarget, arrived: Arrived, roots: FileRoots): Promise<void> => {
  try {
    if (arrived.kind === 'folder' && target.isThere) await mergeInto(target, arrived, roots)
    else await rename(target.draft, target.path)
  } catch (error) {
    throw error instanceof StepFailure ? error : refusedBy(target.path, messageOf(error))
  }
}

export const dropDraft = (draft: string): Promise<void> => rm(draft, { recursive: true, force: true }).catch(() => {})
