/** Screenshots that executions have written to files of this host, and those of the viewer's looks, of which only the newest stay. */
import { constants } from 'node:fs'
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { LOOKS_KEPT } from '../../contracts/limits/limits.ts'
import type { StoredReceipt } from '../../runtime/journal/journal.ts'

export const PICTURE_BYTES_MAX = 32 * 1_024 * 1_024
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** A file system may round the time of a file up. */
const ROUNDED_MS = 2_000

export type Picture = { ok: true; png: Buffer } | { ok: false; problem: string }

/** Without O_NONBLOCK, opening a pipe at that path would block. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

const missing = (problem: string): { ok: false; problem: string } => ({ ok: false, problem })

/** Steps may share an id: the position among all steps, from 0, tells them apart. */
export interface PictureStep {
  id: string
  position?: number | undefined
}

const pathOf = ({ result }: StoredReceipt, { id: step, position }: PictureStep): string | undefined => {
  const pictures = (result?.ok ? result.envelope.stepResults : []).map(one =>
    one.actionType === 'take_screenshot' ? one : undefined,
  )
  const found = position === undefined ? pictures.find(one => one?.id === step) : pictures[position]
  return found?.success ? found.data.path : undefined
}

/** A file that was written after the execution had ended shows something else; only a PNG is handed out. */
const withPicture = async <T>(
  receipt: StoredReceipt,
  step: PictureStep,
  use: (file: FileHandle) => Promise<T>,
): Promise<{ ok: true; found: T } | { ok: false; problem: string }> => {
  const path = pathOf(receipt, step)
  if (path === undefined) return missing('This step of the execution took no screenshot.')
  if (!isAbsolute(path)) return missing('The step does not name a file of this host.')
  try {
    const file = await open(path, READ)
    try {
      const stats = await file.stat()
      if (!stats.isFile()) return missing(`${path} is not a regular file.`)
      if (stats.size > PICTURE_BYTES_MAX) return missing(`${path} is larger than ${PICTURE_BYTES_MAX} bytes.`)
      if (receipt.settledAt !== undefined && stats.mtimeMs > receipt.settledAt + ROUNDED_MS) {
        return missing(`${path} has been changed since the execution ended.`)
      }
      const { buffer } = await file.read(Buffer.alloc(SIGNATURE.length), 0, SIGNATURE.length, 0)
      return buffer.equals(SIGNATURE) ? { ok: true, found: await use(file) } : missing(`${path} is not a PNG.`)
    } finally {
      await file.close()
    }
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException
    return missing(`${path} cannot be read: ${code}.`)
  }
}

/** All of it, from the start of the file. */
const wholeOf = async (file: FileHandle): Promise<Buffer> => {
  const { size } = await file.stat()
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0)
  return buffer.subarray(0, bytesRead)
}

export const readPicture = async (receipt: StoredReceipt, step: PictureStep): Promise<Picture> => {
  const read = await withPicture(receipt, step, wholeOf)
  return read.ok ? { ok: true, png: read.found } : read
}

/** Why it cannot be shown; undefined when it can. */
export const pictureProblem = async (receipt: StoredReceipt, step: PictureStep): Promise<string | undefined> => {
  const looked = await withPicture(receipt, step, async () => undefined)
  return looked.ok ? undefined : looked.problem
}

export const lookFolder = (screenshots: string): string => join(screenshots, 'looks')

/** Matches the names that executions give to their own files: the id and the segment. */
const NAME = /^[0-9a-f-]{36}\.\d+\.png$/

/** Another server of the same home may delete at the same time. */
const writtenAt = (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  )

/** Deletes all but the newest. */
export const pruneLooks = async (
  folder: string,
  note: (text: string) => void,
  most: number = LOOKS_KEPT,
): Promise<void> => {
  try {
    const names = await readdir(folder).catch(() => [])
    const found: { path: string; at: number }[] = []
    for (const name of names.filter(each => NAME.test(each))) {
      const path = join(folder, name)
      const at = await writtenAt(path)
      if (at !== undefined) found.push({ path, at })
    }
    found.sort((a, b) => b.at - a.at)
    for (const { path } of found.slice(most)) await rm(path, { force: true })
  } catch (error) {
    note(`cannot delete old pictures in ${folder}: ${error}`)
  }
}
