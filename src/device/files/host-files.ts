/** Files of the host that are sent to a device: what there is of them, and their bytes, as they were judged. */
import { isUtf8 } from 'node:buffer'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { TRANSFER_FILES_MAX } from '../../contracts/limits/transfer-limits.ts'
import { codeOf, messageOf } from '../../runtime/message-of.ts'
import { StepFailure } from '../screen/step-failure.ts'
import { type FileRoots, pathInRoots, ROOTS_HINT } from './file-roots.ts'
import { isOpenWithin, withFolder } from './open-path.ts'

const PERMISSION_BITS = 0o777
const PIECE_BYTES = 1_024 * 1_024

export interface SourceFile {
  /** From the folder that is sent; empty for a single file. */
  path: string
  /** Where it is on the host. */
  from: string
  size: number
  mode: number
  /** In epoch ms. */
  mtime: number
}

export interface Source {
  kind: 'file' | 'folder'
  name: string
  files: readonly SourceFile[]
  /** Below the folder, each after the one that it is in. */
  folders: readonly string[]
  bytes: number
}

const HOST_HINT = 'The message says what stands against it on this host: change that, or name another path.'

/** The reason lies with this host, not with the device. */
export const refusedOnHost = (path: string, reason: string) =>
  new StepFailure('FILE_REFUSED', `${path}: ${reason}`, { hint: HOST_HINT })

type Stats = Awaited<ReturnType<typeof lstat>>

const kindOf = (stats: Stats): string => {
  if (stats.isSymbolicLink()) return 'a symbolic link'
  if (stats.isFIFO()) return 'a FIFO'
  return stats.isSocket() ? 'a socket' : 'a device'
}

const onlyPlain = (path: string, stats: Stats) =>
  refusedOnHost(path, `it is ${kindOf(stats)}, and only plain files and folders are transferred`)

const sourceFile = (path: string, from: string, stats: Stats): SourceFile => ({
  path,
  from,
  size: Number(stats.size),
  mode: Number(stats.mode) & PERMISSION_BITS,
  mtime: Number(stats.mtimeMs),
})

const tooMany = (path: string) => refusedOnHost(path, `it has more than ${TRANSFER_FILES_MAX} files or folders`)

/** The path behind its folders' links, where the caller may name it. */
export const allowedPath = async (named: string, roots: FileRoots): Promise<string> => {
  const found = await pathInRoots(named, roots)
  if (found.ok) return found.path
  throw new StepFailure('FILE_REFUSED', found.problem, { hint: ROOTS_HINT })
}

const statsOf = async (path: string): Promise<Stats> => {
  try {
    return await lstat(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR')
      throw new StepFailure('FILE_NOT_FOUND', `${path} is not on this host`, { hint: 'Check the path on this host.' })
    throw refusedOnHost(path, messageOf(error))
  }
}

const walk = async (root: string, roots: FileRoots, signal: AbortSignal) => {
  const files: SourceFile[] = []
  const folders: string[] = []
  const enter = (folder: string): Promise<void> =>
    withFolder(join(root, folder), roots, async held => {
      signal.throwIfAborted()
      const names = await readdir(held.at('.'), { encoding: 'buffer' })
      for (const bytes of names.sort(Buffer.compare)) {
        const name = bytes.toString()
        const path = folder === '' ? name : `${folder}/${name}`
        const from = join(root, path)
        if (!isUtf8(bytes)) throw refusedOnHost(from, 'its name is no UTF-8')
        const stats = await lstat(held.at(name))
        if (stats.isDirectory()) {
          folders.push(path)
          if (folders.length > TRANSFER_FILES_MAX) throw tooMany(root)
          await enter(path)
        } else if (stats.isFile()) {
          files.push(sourceFile(path, from, stats))
          if (files.length > TRANSFER_FILES_MAX) throw tooMany(root)
        } else throw onlyPlain(from, stats)
      }
    })
  try {
    await enter('')
  } catch (error) {
    if (error instanceof StepFailure || signal.aborted) throw error
    throw refusedOnHost(root, messageOf(error))
  }
  return { files, folders }
}

export const sourceOf = async (named: string, roots: FileRoots, signal: AbortSignal): Promise<Source> => {
  const path = await allowedPath(named, roots)
  const stats = await statsOf(path)
  const name = basename(path)
  if (stats.isFile())
    return { kind: 'file', name, files: [sourceFile('', path, stats)], folders: [], bytes: Number(stats.size) }
  if (!stats.isDirectory()) throw onlyPlain(path, stats)
  const { files, folders } = await walk(path, roots, signal)
  return { kind: 'folder', name, files, folders, bytes: files.reduce((sum, { size }) => sum + size, 0) }
}

const changed = (path: string) => refusedOnHost(path, 'it was changed while it was read')

/** Reads as many bytes as the file had when it was looked at. A FIFO that took its place is not waited for. */
export async function* bytesOf({ from, size }: SourceFile, roots: FileRoots): AsyncGenerator<Buffer> {
  let file: FileHandle
  try {
    file = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    throw codeOf(error) === 'ELOOP' || codeOf(error) === 'ENOENT'
      ? changed(from)
      : refusedOnHost(from, messageOf(error))
  }
  try {
    if (!(await file.stat()).isFile() || !(await isOpenWithin(file, from, roots))) throw changed(from)
    for (let at = 0; at < size; ) {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(Math.min(PIECE_BYTES, size - at)), 0, null, at)
      if (bytesRead === 0) throw changed(from)
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } catch (error) {
    throw error instanceof StepFailure ? error : refusedOnHost(from, messageOf(error))
  } finally {
    await file.close()
  }
}
