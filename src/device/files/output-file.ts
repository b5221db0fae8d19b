/** Files that runs leave for their callers: below one folder, whatever links lie in it, each whole or not at all. */
import { constants, createWriteStream } from 'node:fs'
import { lstat, mkdir, open, realpath, rename } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { rightsAt } from '../../runtime/file-rights.ts'
import { makeFolder } from '../../runtime/files/make-folder.ts'
import { codeOf } from '../../runtime/message-of.ts'
import { IMAGE_HEADER_BYTES, isImage } from '../screenshot-file.ts'
import { isWithinRoots } from './file-roots.ts'
import { withDraft } from './host-target.ts'
import { type HeldFolder, withFolder, withPlace } from './open-path.ts'

export type OutputKind = 'picture' | 'video' | 'file'

const NO_LINK = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Every file of MP4 says so behind the size of its first box. */
const isVideo = (begin: Buffer): boolean => begin.toString('latin1', 4, 8) === 'ftyp'

const IS_OF_KIND: Readonly<Record<OutputKind, (begin: Buffer, size: number) => boolean>> = {
  picture: isImage,
  video: isVideo,
  file: () => true,
}

const NOT_OF_KIND: Readonly<Record<OutputKind, string>> = { picture: 'a picture', video: 'a video', file: 'a file' }

/** An empty file has nothing to lose. A link could lead anywhere, and a pipe never ends. */
const refuseOther = async (place: string, kind: OutputKind): Promise<void> => {
  const stats = await lstat(place).catch(error => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (!stats) return
  if (!stats.isFile()) throw new Error('there is something that is not a file')
  if (stats.size === 0 || kind === 'file') return
  const file = await open(place, NO_LINK)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(IMAGE_HEADER_BYTES), 0, IMAGE_HEADER_BYTES, 0)
    if (!IS_OF_KIND[kind](buffer.subarray(0, bytesRead), stats.size))
      throw new Error(`there is a file that is not ${NOT_OF_KIND[kind]}, so it is not replaced`)
  } finally {
    await file.close()
  }
}

/** The folder in which the file is to be, behind links that stay below the root; made where it is missing. */
const folderBelow = async (root: string, folder: string, mode: number): Promise<string> => {
  let at = root
  for (const part of relative(root, folder).split(sep).filter(Boolean)) {
    await withPlace(join(at, part), [root], place =>
      mkdir(place, { mode }).catch(error => {
        if (codeOf(error) !== 'EEXIST') throw error
      }),
    )
    at = await realpath(join(at, part))
    if (!(await isWithinRoots(at, [root]))) throw new Error(`${part} is a link that leads out of ${root}`)
  }
  return at
}

type Content = string | Uint8Array | { readonly file: string }

const fill = async (draft: string, content: Content, mode: number): Promise<void> => {
  if (typeof content === 'string' || content instanceof Uint8Array) {
    const made = await open(draft, 'wx', mode)
    try {
      await made.writeFile(content)
      await made.sync()
    } finally {
      await made.close()
    }
    return
  }
  const source = await open(content.file, NO_LINK)
  await pipeline(source.createReadStream(), createWriteStream(draft, { flags: 'wx', mode }))
}

/** Files below the folder of the caller stay below it; one that the caller names elsewhere stays in its own folder. */
export const outputRootOf = (cwd: string, file: string): string => {
  const way = relative(cwd, file)
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? dirname(file) : cwd
}

interface Output {
  /** Its own path may have links: whoever named it has chosen where it leads. */
  readonly folder: string
  /** Below the folder. */
  readonly path: string
  readonly kind: OutputKind
  /** Below this folder, it is of its user alone. Elsewhere others, such as the agent of a CI, read what a run leaves. */
  readonly ownerOnlyIn?: string | undefined
}

const rightsOf = ({ path, ownerOnlyIn }: Output) => rightsAt(path, ownerOnlyIn)

const within = async <T>(output: Output, use: (held: HeldFolder, root: string) => Promise<T>): Promise<T> => {
  const { folder, path } = output
  const mode = rightsOf(output).folder
  makeFolder(folder, mode)
  const root = await realpath(folder)
  const inner = await folderBelow(root, join(root, relative(folder, dirname(path))), mode)
  return withFolder(inner, [root], held => use(held, root))
}

/** Says nothing where the file may be written. */
export const checkOutput = (output: Output): Promise<void> =>
  within(output, held => refuseOther(held.at(basename(output.path)), output.kind))

/** A draft beside its place is renamed, so that a reader sees the old file or the new one. */
export const writeOutput = (output: Output, content: Content): Promise<void> =>
  within(output, (held, root) => {
    const name = basename(output.path)
    return withDraft({ path: output.path, name, folder: held }, [root], async draft => {
      await fill(draft, content, rightsOf(output).file)
      await refuseOther(held.at(name), output.kind)
      await rename(draft, held.at(name))
    })
  })

/** Undefined where no file is below the folder. */
export const readOutput = async (output: Pick<Output, 'folder' | 'path'>): Promise<Buffer | undefined> => {
  const root = await realpath(output.folder).catch(() => undefined)
  const inner = await realpath(join(output.folder, relative(output.folder, dirname(output.path)))).catch(
    () => undefined,
  )
  if (root === undefined || inner === undefined) return undefined
  return withFolder(inner, [root], async held => {
    const file = await open(held.at(basename(output.path)), NO_LINK).catch(() => undefined)
    if (!file) return undefined
    try {
      return (await file.stat()).isFile() ? await file.readFile() : undefined
    } finally {
      await file.close()
    }
  })
}
