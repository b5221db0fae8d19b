/** Decides where a screenshot may be written, and writes it whole or not at all. */
import { randomUUID } from 'node:crypto'
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, sep } from 'node:path'
import { IMAGE_HEADER_BYTES, isImage } from './image-header.ts'

export type WrittenScreenshot = { ok: true; path: string } | { ok: false; problem: string }

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

/** Beside its place first and then renamed: a reader sees the old picture or the new one. */
export const writeScreenshot = async ({ path, png }: { path: string; png: Uint8Array }): Promise<WrittenScreenshot> => {
  const problem = await screenshotPathProblem(path)
  if (problem !== undefined) return { ok: false, problem }
  const target = await realPathOf(path)
  const draft = join(dirname(target), `.svc-${randomUUID()}.tmp`)
  try {
    await fill(await open(draft, 'wx'), png)
    await rename(draft, target)
    return { ok: true, path }
  } catch (error) {
    // A draft that cannot be removed has the same cause as the failure.
    await rm(draft, { force: true }).catch(() => {})
    return { ok: false, problem: `${path} cannot be written: ${reasonOf(target, error)}` }
  }
}
