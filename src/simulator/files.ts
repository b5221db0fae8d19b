/** The files of a simulated phone: a map of absolute paths with a bound, and writing to it as the shell user. */
import type { Clock } from '../runtime/clock.ts'
import type { PhoneFile, PhoneFiles } from './phone-parts.ts'

export const FILES_BYTES_MAX = 256 * 1_024 * 1_024
/** Counted for every file and folder, so that empty ones fill the disk too. */
const ENTRY_BYTES = 256
const DEFAULT_MODE = 0o660

/** Other names of the shared storage. */
const SHARED = /^\/(?:storage\/emulated\/0|storage\/self\/primary|mnt\/sdcard)(?=\/|$)/
const FOLDERS = [
  '/data/local/tmp',
  '/dev',
  '/proc',
  '/sdcard/DCIM',
  '/sdcard/Download',
  '/sdcard/Pictures',
  '/storage/emulated/0',
  '/system/bin',
]
const WRITABLE = /^\/(?:sdcard|data\/local\/tmp)(?=\/|$)/

/** Why a file cannot be written, in the words of the system. */
export class FilesError extends Error {
  constructor(message: 'No space left on device' | 'Is a directory' | 'Not a directory') {
    super(message)
    this.name = 'FilesError'
  }
}

/** The one name of a path: absolute, without `.`, `..`, doubled slashes or links. */
export const normalPath = (path: string, cwd = '/'): string => {
  const parts: string[] = []
  for (const part of (path.startsWith('/') ? path : `${cwd}/${path}`).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`.replace(SHARED, '/sdcard')
}

/** True for paths that the shell user may write; apps and the system write anywhere. */
export const shellMayWrite = (path: string): boolean => WRITABLE.test(normalPath(path))

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'

export const createFiles = ({
  clock,
  bytes = FILES_BYTES_MAX,
}: {
  clock: Clock
  bytes?: number
}): PhoneFiles & Required<Pick<PhoneFiles, 'mkdir' | 'space'>> => {
  const files = new Map<string, PhoneFile>()
  const folders = new Set<string>()
  let used = 0

  const costOf = (path: string, file: PhoneFile | undefined) =>
    file ? ENTRY_BYTES + path.length + file.content.byteLength : 0

  const mkdir = (path: string) => {
    for (let folder = normalPath(path); !folders.has(folder); folder = parentOf(folder)) {
      if (files.has(folder)) throw new FilesError('Not a directory')
      if (used + ENTRY_BYTES > bytes) throw new FilesError('No space left on device')
      used += ENTRY_BYTES
      folders.add(folder)
    }
  }
  for (const folder of FOLDERS) mkdir(folder)

  return {
    mkdir,
    space: () => ({ all: bytes, used }),
    read: path => files.get(normalPath(path)),
    write(raw, content, mode = DEFAULT_MODE, mtime = clock.now()) {
      const path = normalPath(raw)
      if (folders.has(path)) throw new FilesError('Is a directory')
      const file = { content, mode: mode & 0o777, mtime }
      const growth = costOf(path, file) - costOf(path, files.get(path))
      if (used + growth > bytes) throw new FilesError('No space left on device')
      mkdir(parentOf(path))
      used += growth
      files.set(path, file)
    },
    remove(raw) {
      const path = normalPath(raw)
      const file = files.get(path)
      if (file) {
        used -= costOf(path, file)
        return files.delete(path)
      }
      const inside = [...files.keys(), ...folders].some(other => other.startsWith(`${path}/`))
      if (inside || path === '/' || !folders.delete(path)) return false
      used -= ENTRY_BYTES
      return true
    },
    list(raw) {
      const folder = normalPath(raw)
      if (!folders.has(folder)) return undefined
      const prefix = folder === '/' ? '/' : `${folder}/`
      const names = new Map<string, PhoneFile | undefined>()
      for (const path of [...folders, ...files.keys()]) {
        if (path === folder || !path.startsWith(prefix)) continue
        const [name = '', ...below] = path.slice(prefix.length).split('/')
        if (below.length === 0) names.set(name, files.get(path))
        else if (!names.has(name)) names.set(name, undefined)
      }
      return [...names].map(([name, file]) => ({ name, file })).sort((a, b) => (a.name < b.name ? -1 : 1))
    },
  }
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
