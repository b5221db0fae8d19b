/** The APKs of one application as files of this host: opened and read once, and sent from what was opened. */
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import type { TellProgress } from '../../contracts/records/actor.ts'
import { messageOf } from '../../runtime/message-of.ts'
import type { ApkManifest } from '../apk/binary-manifest.ts'
import { readApkFile } from '../apk/read-apk.ts'
import { type FileRoots, ROOTS_HINT } from '../files/file-roots.ts'
import { isOpenWithin } from '../files/open-path.ts'
import { StepFailure } from '../screen/step-failure.ts'
import { installHint } from './install-hints.ts'

export interface ApkFile {
  path: string
  file: FileHandle
  bytes: number
  apk: ApkManifest
}

const CHUNK_BYTES = 1_024 * 1_024

export const refusedBefore = (reason: 'NOT_AN_APK' | 'PACKAGES_DIFFER', message: string): StepFailure =>
  new StepFailure('INSTALL_FAILED', message, { data: { reason }, hint: installHint(reason, '') })

/** The words of the system without its code and call, such as `permission denied`. */
const problemOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist'
  return `cannot be read: ${/: (.*?),/.exec(messageOf(error))?.[1] ?? messageOf(error)}`
}

const missing = (path: string, problem: string) =>
  new StepFailure('FILE_NOT_FOUND', `${path} ${problem}`, { hint: 'Give the path of a file that this host can read.' })

/** Does not wait for a pipe or a device. */
const openFile = async (
  path: string,
  roots: FileRoots,
  keep: (file: FileHandle) => void,
): Promise<{ file: FileHandle; bytes: number }> => {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    keep(file)
    if (!(await isOpenWithin(file, path, roots)))
      throw new StepFailure('FILE_REFUSED', `${path} is not open to this caller`, { hint: ROOTS_HINT })
    const facts = await file.stat()
    if (!facts.isFile()) throw missing(path, 'is not a regular file')
    return { file, bytes: facts.size }
  } catch (error) {
    throw error instanceof StepFailure ? error : missing(path, problemOf(error))
  }
}

const openApk = async (path: string, roots: FileRoots, keep: (file: FileHandle) => void): Promise<ApkFile> => {
  const { file, bytes } = await openFile(path, roots, keep)
  const read = await readApkFile(file, bytes).catch((error: unknown) => {
    throw missing(path, problemOf(error))
  })
  if (!read.ok) throw refusedBefore('NOT_AN_APK', `${path} is not an APK: ${read.problem}`)
  return { path, file, bytes, apk: read.apk }
}

const requireOneApp = ([first, ...others]: readonly ApkFile[]): void => {
  if (!first) return
  const { packageName, versionCode } = first.apk
  for (const { path, apk } of others) {
    const differs =
      apk.packageName !== packageName
        ? `is of ${apk.packageName}, and ${first.path} of ${packageName}`
        : `is of version code ${apk.versionCode}, and ${first.path} of ${versionCode}`
    if (apk.packageName !== packageName || apk.versionCode !== versionCode)
      throw refusedBefore('PACKAGES_DIFFER', `${path} ${differs}`)
  }
}

interface ApkPlaces {
  readonly paths: readonly string[]
  readonly roots: FileRoots
  /** Rejects when the files take too long; a file that hangs is then left alone, and closed once it answers. */
  readonly inTime: <T>(work: Promise<T>) => Promise<T>
}

/** Rejects with a StepFailure where one is missing, not an APK, or of another application. All are closed in the end. */
export const withApks = async <T>(
  { paths, roots, inTime }: ApkPlaces,
  use: (apks: readonly ApkFile[]) => Promise<T>,
): Promise<T> => {
  const opened: FileHandle[] = []
  let isOver = false
  let isOpening = false
  const close = (file: FileHandle) => file.close().catch(() => {})
  const opening = async (path: string): Promise<ApkFile> => {
    isOpening = true
    try {
      return await openApk(path, roots, file => void (isOver ? close(file) : opened.push(file)))
    } finally {
      isOpening = false
    }
  }
  try {
    const apks: ApkFile[] = []
    for (const path of paths) apks.push(await inTime(opening(path)))
    requireOneApp(apks)
    return await use(apks)
  } finally {
    isOver = true
    const closed = Promise.all(opened.map(close))
    if (!isOpening) await closed
  }
}

const changed = (path: string) =>
  new StepFailure('INSTALL_FAILED', `${path} became shorter while it was sent; nothing was installed`, {
    hint: 'Wait until the file is complete, then install it again.',
  })

interface Piece {
  apk: ApkFile
  at: number
  length: number
}

const piecesOf = (apks: readonly ApkFile[]): Piece[] =>
  apks.flatMap(apk =>
    Array.from({ length: Math.ceil(apk.bytes / CHUNK_BYTES) }, (_, index) => {
      const at = index * CHUNK_BYTES
      return { apk, at, length: Math.min(CHUNK_BYTES, apk.bytes - at) }
    }),
  )

const readPiece = async ({ apk: { path, file }, at, length }: Piece): Promise<Buffer> => {
  const chunk = Buffer.allocUnsafe(length)
  for (let held = 0; held < length; ) {
    const { bytesRead } = await file.read(chunk, held, length - held, at + held)
    if (bytesRead === 0) throw changed(path)
    held += bytesRead
  }
  return chunk
}

/** Reads the files in their order, each as long as it was when it was opened; a piece is read while the one before it leaves. */
export async function* contentOf(apks: readonly ApkFile[], tell: TellProgress): AsyncGenerator<Uint8Array> {
  const pieces = piecesOf(apks)
  const total = apks.reduce((sum, { bytes }) => sum + bytes, 0)
  let done = 0
  let ahead: Promise<Buffer> | undefined
  for (const [index, piece] of pieces.entries()) {
    const chunk = await (ahead ?? readPiece(piece))
    const next = pieces[index + 1]
    ahead = next && readPiece(next)
    // Whoever stops asking does not hear of a failure any more.
    ahead?.catch(() => {})
    done += chunk.length
    tell({ what: `sending ${basename(piece.apk.path)}`, done, total })
    yield chunk
  }
}
