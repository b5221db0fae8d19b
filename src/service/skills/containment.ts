/** Section Skills, paths: every path of an entry stays inside the skills repo root, symbolic links included. */
import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { systemProblem } from '../../runtime/system-problem.ts'

/** Places a registry and the folder that its entries' paths are relative to. Plain data: it travels to workers. */
export interface RepoPlace {
  /** The absolute path of the registry file. */
  path: string
  /** The skills repo root: the parent of the folder that holds the registry file. */
  root: string
}

export type PathInRoot =
  | { kind: 'file'; path: string }
  | { kind: 'missing'; path: string; problem: string }
  | { kind: 'outside'; problem: string }

export const repoPlaceOf = (registryPath: string): RepoPlace => ({
  path: registryPath,
  root: dirname(dirname(registryPath)),
})

const reallyAt = (path: string): string | undefined => {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}

/** False for a symbolic link to a folder. */
const isOwnFolder = (path: string): boolean => {
  try {
    return lstatSync(path).isDirectory()
  } catch {
    return false
  }
}

const isWithin = (folder: string, path: string) =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

const lexicalProblem = (path: string, root: string): string | undefined => {
  if (path.trim() === '') return 'is blank'
  if (path.includes('\0')) return 'holds a NUL character'
  if (isAbsolute(path)) return `is absolute, and must be relative to ${root}`
  // Most paths cannot lead out, and of 10,000 skills it is cheaper to see that first. A colon may name a Windows drive.
  if (!path.includes('..') && !path.includes(':')) return undefined
  const way = relative(root, resolve(root, path))
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? `leads out of ${root}` : undefined
}

/**
 * Looks at paths of entries as files. One of these remembers which folders it has found to be inside, so it serves one
 * piece of work and is not kept.
 */
export const createRootGuard = ({ path: registryPath, root }: RepoPlace): ((path: string) => PathInRoot) => {
  // The folder of the registry may itself be a link of the user's: what he reads the registry through, he trusts.
  const homes = [root, dirname(registryPath)].map(folder => reallyAt(folder) ?? folder)
  const folders = new Map<string, string | undefined>()
  const isInside = (real: string) => homes.some(home => isWithin(home, real))

  /** One look at a folder whose parent is known; the system's own answer asks for every part of the path again. */
  const realFolder = (folder: string): string | undefined => {
    const parent = dirname(folder)
    if (folder === root || parent === folder || !isOwnFolder(folder)) return reallyAt(folder)
    const real = reallyIn(parent)
    return real === undefined ? undefined : join(real, basename(folder))
  }

  const reallyIn = (folder: string): string | undefined => {
    if (!folders.has(folder)) folders.set(folder, realFolder(folder))
    return folders.get(folder)
  }

  /** The nearest existing folder above a target that does not exist. */
  const nearestFolder = (target: string): string => {
    const folder = dirname(target)
    return folder === target ? folder : (reallyIn(folder) ?? nearestFolder(folder))
  }

  const outside = (target: string): PathInRoot => ({
    kind: 'outside',
    problem: `is, through a symbolic link, at ${reallyAt(target) ?? nearestFolder(target)}, outside of ${root}`,
  })

  const missing = (target: string, problem: string): PathInRoot =>
    isInside(nearestFolder(target)) ? { kind: 'missing', path: target, problem } : outside(target)

  const seen = (target: string, facts: Stats): PathInRoot => {
    const folder = facts.isSymbolicLink() ? undefined : reallyIn(dirname(target))
    const real = folder === undefined ? reallyAt(target) : `${folder}${sep}${basename(target)}`
    if (real === undefined) return missing(target, 'is a symbolic link that leads nowhere')
    if (!isInside(real)) return outside(target)
    const end = facts.isSymbolicLink() ? statSync(real) : facts
    if (end.isFile()) return { kind: 'file', path: target }
    return { kind: 'missing', path: target, problem: end.isDirectory() ? 'is a directory' : 'is not a regular file' }
  }

  return path => {
    const problem = lexicalProblem(path, root)
    if (problem !== undefined) return { kind: 'outside', problem }
    const target = resolve(root, path)
    try {
      return seen(target, lstatSync(target))
    } catch (error) {
      return missing(target, systemProblem(error).said)
    }
  }
}
