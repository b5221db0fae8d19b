/** Decides where a screenshot may be written, and writes it whole or not at all. */
import { randomUUID } from 'node:crypto'
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, sep } from 'node:path'
import { rightsAt } from '../runtime/file-rights.ts'

/** Two segments of a JPEG, or the colours and the first block of a GIF. */
export const IMAGE_HEADER_BYTES = 128 * 1_024

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])

const textAt = (begin: Buffer, at: number, length: number): string => begin.toString('latin1', at, at + length)

const isPng = (begin: Buffer): boolean =>
  begin.length >= 24 &&
  begin.subarray(0, PNG.length).equals(PNG) &&
  begin.readUInt32BE(16) > 0 &&
  begin.readUInt32BE(20) > 0

/** SOI, and two segments with a length each; the second is not looked at where the first is too long for the header. */
const isJpeg = (begin: Buffer, size: number): boolean => {
  if (begin.length < 6 || begin[0] !== 0xff || begin[1] !== 0xd8) return false
  const isSegment = (at: number) => begin[at] === 0xff && (begin[at + 1] ?? 0) >= 0xc0 && begin[at + 1] !== 0xff
  if (!isSegment(2)) return false
  const length = begin.readUInt16BE(4)
  const next = 4 + length
  return length >= 2 && next < size && (next + 1 >= begin.length || isSegment(next))
}

/** A block of an extension has one of these labels, with the size that follows it; a comment may have any. */
const GIF_EXTENSIONS: Readonly<Record<number, number | undefined>> = { 249: 4, 255: 11, 1: 12, 254: undefined }

const isGif = (begin: Buffer): boolean => {
  if (begin.length < 14 || !/^GIF8[79]a$/.test(textAt(begin, 0, 6))) return false
  if (begin.readUInt16LE(6) === 0 || begin.readUInt16LE(8) === 0) return false
  const packed = begin[10] ?? 0
  const block = 13 + (packed & 0x80 ? 3 * 2 ** ((packed & 0x07) + 1) : 0)
  if (begin[block] === 0x2c) {
    const localColours = (begin[block + 9] ?? 0) & 0x80 ? 3 * 2 ** (((begin[block + 9] ?? 0) & 0x07) + 1) : 0
    const codeSize = begin[block + 10 + localColours] ?? 0
    return codeSize >= 1 && codeSize <= 8
  }
  const label = begin[block + 1] ?? 0
  if (begin[block] !== 0x21 || !(label in GIF_EXTENSIONS)) return false
  const expected = GIF_EXTENSIONS[label]
  return expected === undefined || begin[block + 2] === expected
}

/** The sizes of the headers that follow the one of the file. */
const BMP_HEADERS: readonly number[] = [12, 16, 40, 52, 56, 64, 108, 124]

/** Some programs leave the size 0. */
const isBmp = (begin: Buffer, size: number): boolean =>
  begin.length >= 26 &&
  textAt(begin, 0, 2) === 'BM' &&
  begin.readUInt32LE(2) <= size &&
  begin.readUInt32LE(6) === 0 &&
  begin.readUInt32LE(10) >= 14 + begin.readUInt32LE(14) &&
  begin.readUInt32LE(10) <= size &&
  BMP_HEADERS.includes(begin.readUInt32LE(14))

/** The length counts what follows it, and is even or padded. */
const isWebp = (begin: Buffer, size: number): boolean =>
  begin.length >= 20 &&
  textAt(begin, 0, 4) === 'RIFF' &&
  begin.readUInt32LE(4) + 8 <= size + 1 &&
  /^WEBPVP8[ LX]$/.test(textAt(begin, 8, 8))

/** `begin` holds the first IMAGE_HEADER_BYTES of a file of `size` bytes, or all of a smaller one. */
export const isImage = (begin: Buffer, size: number): boolean =>
  isPng(begin) || isJpeg(begin, size) || isGif(begin) || isBmp(begin, size) || isWebp(begin, size)

type WrittenScreenshot = { ok: true; path: string } | { ok: false; problem: string }

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error))

const TOO_LONG = 'ENAMETOOLONG'

/** The file system counts bytes: 85 Chinese characters fill a name of 255. */
const reasonOf = (path: string, error: unknown): string => {
  const code = codeOf(error)
  if (code !== TOO_LONG) return code
  return `${TOO_LONG}, the file system takes no name of ${Buffer.byteLength(basename(path))} bytes or no path of ${Buffer.byteLength(path)}`
}

const beginningOf = async (path: string): Promise<Buffer> => {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(IMAGE_HEADER_BYTES), 0, IMAGE_HEADER_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** An empty file has nothing to lose: it may be a name that was reserved for the picture. */
const problemWithExisting = async (path: string): Promise<string | undefined> => {
  const found = await stat(path)
  if (found.isDirectory()) return `${path} is a directory`
  if (!found.isFile()) return `${path} is not a regular file`
  if (found.size === 0 || isImage(await beginningOf(path), found.size)) return undefined
  return `${path} exists and is not an image, so it is not overwritten`
}

const problemWithParent = async (path: string): Promise<string | undefined> => {
  const parent = dirname(path)
  try {
    return (await stat(parent)).isDirectory() ? undefined : `${parent} is not a directory`
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? `the directory ${parent} does not exist` : `${parent}: ${codeOf(error)}`
  }
}

/** Why no screenshot may go to this path, in words; undefined when it may. Nothing is written. */
export const screenshotPathProblem = async (path: string): Promise<string | undefined> => {
  if (path.includes('\0')) return 'a path cannot hold a NUL character'
  if (!isAbsolute(path)) return `${path} is not absolute`
  if (path.endsWith('/') || path.endsWith(sep)) return `${path} names a directory, not a file`
  try {
    return await problemWithExisting(path)
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? await problemWithParent(path) : `${path}: ${reasonOf(path, error)}`
  }
}

/** The path behind symbolic links, so that a link to a picture stays a link. */
const realPathOf = async (path: string): Promise<string> => {
  try {
    return await realpath(path)
  } catch {
    return path
  }
}

const fill = async (file: FileHandle, content: Uint8Array) => {
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

export interface NewScreenshot {
  readonly path: string
  readonly png: Uint8Array
  /** A picture below this folder is its user's alone. */
  readonly ownerOnlyIn?: string | undefined
}

/** Beside its place first and then renamed: a reader sees the old picture or the new one. */
export const writeScreenshot = async ({ path, png, ownerOnlyIn }: NewScreenshot): Promise<WrittenScreenshot> => {
  const problem = await screenshotPathProblem(path)
  if (problem !== undefined) return { ok: false, problem }
  const target = await realPathOf(path)
  const draft = join(dirname(target), `.svc-${randomUUID()}.tmp`)
  try {
    await fill(await open(draft, 'wx', rightsAt(target, ownerOnlyIn).file), png)
    await rename(draft, target)
    return { ok: true, path }
  } catch (error) {
    // A draft that cannot be removed has the same cause as the failure.
    await rm(draft, { force: true }).catch(() => {})
    return { ok: false, problem: `${path} cannot be written: ${reasonOf(target, error)}` }
  }
}
