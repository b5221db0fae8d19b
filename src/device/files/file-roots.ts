/** A caller may name any file of the host, or only those below the roots that were set for it. */
import { lstat, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { codeOf } from '../../runtime/message-of.ts'

/** Absolute folders; undefined for a caller who may name any file. */
export type FileRoots = readonly string[] | undefined

export type RootedPath = { ok: true; path: string } | { ok: false; problem: string }

/** Undefined for what is not there. Any other failure is thrown. */
const realOrMissing = async (path: string): Promise<string | undefined> => {
  try {
    return await realpath(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

const isLink = async (path: string): Promise<boolean> =>
  lstat(path).then(
    stats => stats.isSymbolicLink(),
    () => false,
  )

/**
 * The path behind the links of its folders. Its last part is not followed: a link there is judged by whoever opens it. What
 * is not there yet has no links in it; one that leads nowhere could be made to lead anywhere, and is refused.
 */
const realParentOf = async (path: string): Promise<string | undefined> => {
  const folder = dirname(path)
  const real = await realOrMissing(folder)
  if (real !== undefined) return join(real, basename(path))
  if (folder === path || (await isLink(folder))) return undefined
  const above = await realParentOf(folder)
  return above === undefined ? undefined : join(above, basename(path))
}

const isBelow = (path: string, root: string): boolean =>
  path === root || path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)

/** True while the folder or file, as it is now, lies below one of the roots. A root that is not there allows nothing. */
export const isWithinRoots = async (real: string, roots: FileRoots): Promise<boolean> => {
  if (roots === undefined) return true
  for (const root of roots) {
    const realRoot = await realOrMissing(root).catch(() => undefined)
    if (realRoot !== undefined && isBelow(real, realRoot)) return true
  }
  return false
}

const list = (roots: readonly string[]) =>
  roots.length === 0 ? 'no folder is open to this caller' : `this caller may name files below ${roots.join(', ')} only`

export const ROOTS_HINT =
  'Start svc serve or svc mcp with --files-root <folder> for each folder whose files may be named, or use the command line of that machine.'

/** Where the path leads now, with the links of its folders and every `..` resolved. */
export const pathInRoots = async (named: string, roots: FileRoots): Promise<RootedPath> => {
  if (named.includes('\0')) return { ok: false, problem: 'a path cannot hold a NUL character' }
  const path = resolve(named)
  const outside = { ok: false, problem: `${named} is not open: ${list(roots ?? [])}` } as const
  try {
    const real = await realParentOf(path)
    if (real === undefined) return roots ? outside : { ok: true, path }
    return (await isWithinRoots(real, roots)) ? { ok: true, path: real } : outside
  } catch (error) {
    // A path that cannot be looked at may lie elsewhere.
    return roots ? outside : { ok: false, problem: `${named}: ${codeOf(error) ?? String(error)}` }
  }
}
