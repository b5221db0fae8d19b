/** The files of a simulated phone: a tree of files, folders, links and pipes with a bound. */
import type { Clock } from '../runtime/clock.ts'
import type { PhoneEntry, PhoneFiles } from './phone-parts.ts'

export const FILES_BYTES_MAX = 256 * 1_024 * 1_024
/** Counted for every file and folder, so that empty ones fill the disk too. */
const ENTRY_BYTES = 256
const DEFAULT_MODE = 0o660

/** Other names of the shared storage. */
const SHARED = /^\/(?:storage\/emulated\/0|storage\/self\/primary|mnt\/sdcard)(?=\/|$)/
/** Another name of the data of apps. */
const USER_DATA = /^\/data\/user\/0(?=\/|$)/
export const APP_DATA = '/data/data'
const FOLDERS = [
  APP_DATA,
  '/data/local/tmp',
  '/dev',
  '/proc',
  '/sdcard/DCIM',
  '/sdcard/Download',
  '/sdcard/Pictures',
  '/storage/emulated/0',
  '/system/bin',
]

/** Why a file cannot be written, in the words of the system. */
export class FilesError extends Error {
  constructor(
    message:
      | 'No space left on device'
      | 'Is a directory'
      | 'Not a directory'
      | 'Directory not empty'
      | 'No such file or directory'
      | 'Invalid argument',
  ) {
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
  return `/${parts.join('/')}`.replace(SHARED, '/sdcard').replace(USER_DATA, APP_DATA)
}

export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

type Node = PhoneEntry | (Extract<PhoneEntry, { kind: 'folder' }> & { children: Map<string, Node> })
type Folder = Extract<Node, { children: unknown }>

const FOLDER_MODE = 0o771
const LINKS_MAX = 40

const isFolderNode = (node: Node | undefined): node is Folder => node?.kind === 'folder'

const costOf = (name: string, node: Node): number =>
  ENTRY_BYTES + (node.kind === 'file' ? name.length + node.content.byteLength : 0)

/** With all that is in it. */
const costOfAll = (name: string, node: Node): number =>
  isFolderNode(node)
    ? [...node.children].reduce((sum, [child, below]) => sum + costOfAll(child, below), costOf(name, node))
    : costOf(name, node)

export const createFiles = ({ clock, bytes = FILES_BYTES_MAX }: { clock: Clock; bytes?: number }): PhoneFiles => {
  const newFolder = (): Folder => ({ kind: 'folder', mode: FOLDER_MODE, mtime: clock.now(), children: new Map() })
  const root = newFolder()
  let used = 0

  /** Where the path leads, with the links on its way resolved, and its last one if asked for. */
  const resolved = (raw: string, follows: boolean, links = LINKS_MAX): string => {
    const parts = normalPath(raw).split('/').slice(1)
    let node: Node | undefined = root
    for (const [at, part] of parts.entries()) {
      node = isFolderNode(node) ? node.children.get(part) : undefined
      if (node?.kind !== 'link' || (!follows && at === parts.length - 1)) continue
      if (links === 0) return '/proc/self/too-many-links'
      const folder = `/${parts.slice(0, at).join('/')}`
      return resolved([normalPath(node.target, folder), ...parts.slice(at + 1)].join('/'), follows, links - 1)
    }
    return normalPath(raw)
  }
  const at = (path: string): Node | undefined => {
    let node: Node | undefined = root
    for (const part of path.split('/')) if (part !== '') node = isFolderNode(node) ? node.children.get(part) : undefined
    return node
  }
  const found = (raw: string, follows: boolean) => at(resolved(raw, follows))

  const makeFolders = (path: string): Folder => {
    const there = at(path)
    if (isFolderNode(there)) return there
    if (there) throw new FilesError('Not a directory')
    const parent = makeFolders(parentOf(path))
    if (used + ENTRY_BYTES > bytes) throw new FilesError('No space left on device')
    used += ENTRY_BYTES
    const made = newFolder()
    parent.children.set(nameOf(path), made)
    return made
  }
  /** In the place of what may be there. */
  const put = (path: string, node: Node) => {
    const name = nameOf(path)
    const earlier = at(path)
    if (isFolderNode(earlier)) throw new FilesError('Is a directory')
    const growth = costOf(name, node) - (earlier ? costOf(name, earlier) : 0)
    if (used + growth > bytes) throw new FilesError('No space left on device')
    makeFolders(parentOf(path)).children.set(name, node)
    used += growth
  }
  const takeOut = (path: string): Node | undefined => {
    const parent = at(parentOf(path))
    const node = at(path)
    if (path === '/' || !node || !isFolderNode(parent)) return undefined
    parent.children.delete(nameOf(path))
    return node
  }
  for (const folder of FOLDERS) makeFolders(folder)

  return {
    mkdir: raw => void makeFolders(resolved(raw, true)),
    entry: raw => found(raw, false),
    read(raw) {
      const node = found(raw, true)
      return node?.kind === 'file' ? node : undefined
    },
    write(raw, content, mode = DEFAULT_MODE, mtime = clock.now()) {
      put(resolved(raw, true), { kind: 'file', content, mode: mode & 0o777, mtime })
    },
    link: (raw, target) => put(resolved(raw, false), { kind: 'link', target, mode: 0o777, mtime: clock.now() }),
    fifo: raw => put(resolved(raw, false), { kind: 'fifo', mode: 0o600, mtime: clock.now() }),
    rename(rawFrom, rawTo) {
      const [from, to] = [resolved(rawFrom, false), resolved(rawTo, false)]
      const node = at(from)
      const there = at(to)
      if (!node || from === '/') throw new FilesError('No such file or directory')
      if (`${to}/`.startsWith(`${from}/`)) throw new FilesError('Invalid argument')
      if (isFolderNode(there) && (!isFolderNode(node) || there.children.size > 0))
        throw new FilesError(isFolderNode(node) ? 'Directory not empty' : 'Is a directory')
      if (there && !isFolderNode(there) && isFolderNode(node)) throw new FilesError('Not a directory')
      if (!isFolderNode(at(parentOf(to)))) throw new FilesError('No such file or directory')
      if (there) used -= costOf(nameOf(to), there)
      takeOut(from)
      makeFolders(parentOf(to)).children.set(nameOf(to), node)
    },
    remove(raw) {
      const path = resolved(raw, false)
      const node = at(path)
      if (!node || (isFolderNode(node) && node.children.size > 0)) return false
      if (!takeOut(path)) return false
      used -= costOf(nameOf(path), node)
      return true
    },
    removeTree(raw) {
      const path = resolved(raw, false)
      const node = takeOut(path)
      if (node) used -= costOfAll(nameOf(path), node)
      return node !== undefined
    },
    list(raw) {
      const folder = found(raw, true)
      if (!isFolderNode(folder)) return undefined
      return [...folder.children]
        .map(([name, entry]) => ({ name, entry, file: entry.kind === 'file' ? entry : undefined }))
        .sort((a, b) => (a.name < b.name ? -1 : 1))
    },
    realPath: raw => resolved(raw, true),
    space: () => ({ total: bytes, used: Math.min(used, bytes) }),
  }
}
