/** Judges what the shell user, or an app as which it runs, may do with the files of a simulated phone. */
import { APP_DATA, FilesError, normalPath, parentOf } from './files.ts'
import type { PhoneFiles } from './phone-parts.ts'

const WRITABLE = /^\/(?:sdcard|data\/local\/tmp)(?=\/|$)/

/** True for paths that the shell user may write; the system writes anywhere. */
export const shellMayWrite = (path: string): boolean => WRITABLE.test(normalPath(path))

export const appFolder = (packageName: string): string => `${APP_DATA}/${packageName}`

const isIn = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)

/** The reason why the shell, or an app as which it runs, may not look at the path. */
export const whyUnreadable = (raw: string, runAs?: string): string | undefined => {
  const path = normalPath(raw)
  const isOpen =
    runAs === undefined
      ? !isIn(path, APP_DATA)
      : isIn(path, appFolder(runAs)) || !/^\/(?:data\/data|sdcard)(?=\/|$)/.test(path)
  return isOpen ? undefined : 'Permission denied'
}

export const whyUnwritable = (raw: string, runAs?: string): string | undefined => {
  if (runAs !== undefined) return isIn(normalPath(raw), appFolder(runAs)) ? undefined : 'Permission denied'
  return whyUnreadable(raw) ?? (shellMayWrite(raw) ? undefined : 'Read-only file system')
}

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

interface StoreOptions {
  mode?: number | undefined
  mtime?: number | undefined
  /** Makes the folders on the way, as a push does. */
  parents?: boolean
  /** The app as which the shell writes. */
  runAs?: string | undefined
}

/** The reason when the file cannot be written. */
export const storeFile = (
  files: PhoneFiles,
  raw: string,
  content: Uint8Array,
  { mode, mtime, parents = false, runAs }: StoreOptions = {},
): string | undefined => {
  const path = normalPath(raw)
  if (isFolder(files, path)) return 'Is a directory'
  const denied = whyUnwritable(path, runAs)
  if (denied !== undefined) return denied
  if (!parents && !isFolder(files, parentOf(path))) return 'No such file or directory'
  return attempt(() => files.write(path, content, mode, mtime))
}

/** The reason when the folder cannot be made. */
export const makeFolder = (
  files: PhoneFiles,
  raw: string,
  parents: boolean,
  runAs?: string | undefined,
): string | undefined => {
  const path = normalPath(raw)
  if (isFolder(files, path) || files.read(path)) return parents && isFolder(files, path) ? undefined : 'File exists'
  const denied = whyUnwritable(path, runAs)
  if (denied !== undefined) return denied
  if (!parents && !isFolder(files, parentOf(path))) return 'No such file or directory'
  return attempt(() => files.mkdir(path))
}

/** Moves a file or a folder; the reason when it cannot. */
export const moveEntry = (files: PhoneFiles, from: string, to: string, runAs?: string): string | undefined =>
  whyUnwritable(from, runAs) ?? whyUnwritable(to, runAs) ?? attempt(() => files.rename(from, to))

/** Removes a file, or a folder with everything in it; the reason when it cannot. */
export const removeTree = (files: PhoneFiles, raw: string, runAs?: string): string | undefined => {
  const denied = whyUnwritable(raw, runAs)
  if (denied === undefined) files.removeTree(raw)
  return denied
}
