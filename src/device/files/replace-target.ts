/** Puts what has arrived on the host in its place: in one step, or file by file in a folder that is there. */
import { link, mkdir, open, rename, rmdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, messageOf } from '../../runtime/message-of.ts'
import { StepFailure } from '../screen/step-failure.ts'
import type { FileRoots } from './file-roots.ts'
import { refusedOnHost } from './host-files.ts'
import { CLASH_HINT, type HostPlace, isOccupied, type Kind, kindAt } from './host-target.ts'
import { withPlace } from './open-path.ts'

export interface Arrived {
  kind: Kind
  /** Where it is now: a draft beside its place. */
  draft: string
  files: readonly string[]
  folders: readonly string[]
}

const clash = (path: string, kind: Kind | 'other', wanted: Kind) =>
  new StepFailure(
    'FILE_EXISTS',
    `${path} is ${kind === 'other' ? 'no folder' : `a ${kind}`} on this host, and a ${wanted} is to come there`,
    {
      hint: CLASH_HINT,
    },
  )

/** Looked for before anything is replaced. A folder of the host that is a link leads elsewhere. */
export const refuseClashes = async (
  { folder, name, path }: HostPlace,
  { files, folders }: Pick<Arrived, 'files' | 'folders'>,
): Promise<void> => {
  const look = async (each: string, wanted: Kind) => {
    const shownPath = join(path, each)
    const kind = await kindAt(join(folder.at(name), each), shownPath)
    if (kind === 'other' && wanted === 'file') throw refusedOnHost(shownPath, 'it is neither a plain file nor a folder')
    if (kind !== undefined && kind !== wanted) throw clash(shownPath, kind, wanted)
  }
  for (const each of folders) await look(each, 'folder')
  for (const each of files) await look(each, 'file')
}

const mergeInto = async (place: HostPlace, { draft, files, folders }: Arrived, roots: FileRoots) => {
  await refuseClashes(place, { files, folders })
  const target = place.folder.at(place.name)
  for (const each of folders)
    await withPlace(join(target, each), roots, at =>
      mkdir(at).catch(error => {
        if (codeOf(error) !== 'EEXIST') throw error
      }),
    )
  for (const each of files)
    await withPlace(join(draft, each), roots, from => withPlace(join(target, each), roots, to => rename(from, to)))
}

const appeared = (path: string, overwrite: boolean) =>
  new StepFailure(
    'FILE_EXISTS',
    `${path} is on this host already`,
    overwrite ? { hint: 'It was put there meanwhile: try again, or name another path.' } : {},
  )

const HAS_NO_LINKS: readonly unknown[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL']

/** Made where nothing is, and so known as its own, for what is then renamed over it. */
const overPlaceholder = async (from: string, to: string, kind: Kind) => {
  if (kind === 'folder') await mkdir(to)
  else await (await open(to, 'wx')).close()
  try {
    await rename(from, to)
  } catch (error) {
    await (kind === 'folder' ? rmdir(to) : unlink(to)).catch(() => {})
    throw error
  }
}

/** Never over something that is there. */
const putNew = async ({ draft, kind }: Arrived, to: string) => {
  // A rename there replaces no folder.
  if (kind === 'folder') return process.platform === 'win32' ? rename(draft, to) : overPlaceholder(draft, to, kind)
  try {
    await link(draft, to)
  } catch (error) {
    if (!HAS_NO_LINKS.includes(codeOf(error))) throw error
    return overPlaceholder(draft, to, kind)
  }
  await unlink(draft)
}

const IS_THERE: readonly unknown[] = ['EEXIST', 'ENOTEMPTY', 'EISDIR', 'ENOTDIR']

export const putInPlace = async (
  place: HostPlace,
  arrived: Arrived,
  { overwrite, roots }: { overwrite: boolean; roots: FileRoots },
): Promise<void> => {
  const { path, folder, name } = place
  const { kind, draft } = arrived
  try {
    const isThere = await isOccupied(place, { kind, overwrite })
    if (isThere && kind === 'folder') await mergeInto(place, arrived, roots)
    else if (isThere) await rename(draft, folder.at(name))
    else await putNew(arrived, folder.at(name))
  } catch (error) {
    if (IS_THERE.includes(codeOf(error))) throw appeared(path, overwrite)
    throw error instanceof StepFailure ? error : refusedOnHost(path, messageOf(error))
  }
}
