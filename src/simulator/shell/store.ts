/** Writing to the phone's files as the shell user: what may not be written says why, in the words of the system. */
import { FilesError, normalPath, parentOf, shellMayWrite } from '../files.ts'
import type { PhoneFiles } from '../phone-parts.ts'

const attempt = (write: () => void): string | undefined => {
  try {
    write()
    return undefined
  } catch (error) {
    if (error instanceof FilesError) return error.message
    throw error
  }
}

const isFolder = (files: PhoneFiles, path: string) => files.list(path) !== undefined

export interface StoreOptions {
  mode?: number | undefined
  mtime?: number | undefined
  /** Makes the folders on the way, as a push does. */
  parents?: boolean
}

/** The reason when the file cannot be written. */
export const storeFile = (
  files: PhoneFiles,
  raw: string,
  content: Uint8Array,
  { mode, mtime, parents = false }: StoreOptions = {},
): string | undefined => {
  const path = normalPath(raw)
  if (isFolder(files, path)) return 'Is a directory'
  if (!shellMayWrite(path)) return 'Read-only file system'
  if (!parents && !isFolder(files, parentOf(path))) return 'No such file or directory'
  return attempt(() => files.write(path, content, mode, mtime))
}

/** The reason when the folder cannot be made. */
export const makeFolder = (files: PhoneFiles, raw: string, parents: boolean): string | undefined => {
  const path = normalPath(raw)
  if (isFolder(files, path) || files.read(path)) return parents && isFolder(files, path) ? undefined : 'File exists'
  if (!shellMayWrite(path)) return 'Read-only file system'
  if (!parents && !isFolder(files, parentOf(path))) return 'No such file or directory'
  return attempt(() => files.mkdir?.(path))
}

/** Removes a file, or a folder with everything in it; the reason when it cannot. */
export const removeTree = (files: PhoneFiles, raw: string): string | undefined => {
  const path = normalPath(raw)
  if (!shellMayWrite(path)) return 'Read-only file system'
  for (const { name } of files.list(path) ?? []) removeTree(files, `${path}/${name}`)
  files.remove(path)
  return undefined
}
