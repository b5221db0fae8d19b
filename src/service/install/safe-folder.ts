/** Opens a folder so that no symbolic link on the way to it, or put in its place afterwards, leads a write elsewhere. */
import { closeSync, constants, existsSync, lstatSync, openSync, realpathSync } from 'node:fs'
import { basename, dirname, join, parse, sep } from 'node:path'

export interface Folder {
  /** The path by which an entry of this very folder is reached, whatever is at the folder's own path by now. */
  at(name: string): string
  close(): void
}

/** Linux: a descriptor that needs no right to list the folder, which other users' parents often do not grant. */
const O_PATH = 0o10000000
const OPEN = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW
const DESCRIPTORS = '/proc/self/fd'

const refuseNested = (name: string): void => {
  if (name === '' || name === '.' || name === '..' || basename(name) !== name) {
    throw new Error(`${JSON.stringify(name)} is not the name of one entry`)
  }
}

const inDescriptor = (descriptor: number, name: string) => join(DESCRIPTORS, String(descriptor), name)

/** Each part is opened inside the one before it, and a part that is a link is refused: what openat does. */
const walk = (path: string): number => {
  const { root } = parse(path)
  let opened = openSync(root, OPEN)
  try {
    for (const part of path.slice(root.length).split(sep)) {
      if (part === '') continue
      const next = openSync(inDescriptor(opened, part), OPEN)
      closeSync(opened)
      opened = next
    }
    return opened
  } catch (error) {
    closeSync(opened)
    throw error
  }
}

const byDescriptor = (path: string): Folder => {
  const descriptor = walk(path)
  return {
    at: name => {
      refuseNested(name)
      return inDescriptor(descriptor, name)
    },
    close: () => closeSync(descriptor),
  }
}

/** Systems without /proc: the path is resolved again before each use, which leaves a moment between look and use. */
const byPath = (path: string): Folder => ({
  at: name => {
    refuseNested(name)
    if (realpathSync(path) !== path) throw new Error(`${path} was replaced by a symbolic link`)
    return join(path, name)
  },
  close: () => {},
})

const hasDescriptors = (): boolean => process.platform === 'linux' && existsSync(DESCRIPTORS)

/** `path` is physical: a link in it is refused. Throws what the system says. */
export const openFolder = (path: string): Folder => (hasDescriptors() ? byDescriptor(path) : byPath(path))

type PhysicalPath =
  | { ok: true; path: string; exists: boolean }
  /** Names the obstacle, in words that follow the path. */
  | { ok: false; path: string; problem: string }

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

/** Resolves a path; missing parts are taken as they are written. */
export const physicalPath = (path: string): PhysicalPath => {
  try {
    return { ok: true, path: realpathSync(path), exists: true }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOTDIR') return { ok: false, path, problem: 'lies below something that is not a directory' }
    if (code !== 'ENOENT') return { ok: false, path, problem: `cannot be resolved (${code})` }
  }
  if (isThere(path)) return { ok: false, path, problem: 'is a symbolic link that leads nowhere' }
  const parent = physicalPath(dirname(path))
  return parent.ok ? { ok: true, path: join(parent.path, basename(path)), exists: false } : parent
}
