/** The rights of new files and folders: below a folder of svc they are their user's alone, elsewhere the umask decides. */
import { realpathSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { HOME_MODE, STATE_FILE_MODE } from '../contracts/limits/limits.ts'

export interface FileRights {
  readonly file: number
  readonly folder: number
}

const OF_USER: FileRights = { file: STATE_FILE_MODE, folder: HOME_MODE }
const BY_UMASK: FileRights = { file: 0o666, folder: 0o777 }

/** A path that is not there yet has a real path, too. */
const realPathOf = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(realPathOf(parent), basename(path))
  }
}

/** Both paths are absolute; without a folder of svc the umask decides everywhere. */
export const rightsAt = (path: string, ownerOnlyIn: string | undefined): FileRights => {
  if (ownerOnlyIn === undefined) return BY_UMASK
  const way = relative(realPathOf(ownerOnlyIn), realPathOf(path))
  return way === '..' || way.startsWith(`..${sep}`) ? BY_UMASK : OF_USER
}
