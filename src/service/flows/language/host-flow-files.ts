/** The files of this host as flows read them: no file is read beyond its bound. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { FlowFiles, FolderEntry } from './flow-library.ts'
import { FLOW_FILE_BYTES } from './limits.ts'

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

const kindOf = async (path: string): ReturnType<FlowFiles['kindOf']> => {
  try {
    const found = await stat(path)
    return found.isDirectory() ? 'folder' : found.isFile() ? 'file' : 'special'
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** One byte more than a flow may have, where the file has as many: then it is refused for its length. */
const read = async (path: string): Promise<Uint8Array> => {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const bytes = Buffer.alloc(Math.min(size, FLOW_FILE_BYTES) + 1)
    let length = 0
    while (length < bytes.length) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length, length)
      if (bytesRead === 0) break
      length += bytesRead
    }
    return bytes.subarray(0, length)
  } finally {
    await file.close()
  }
}

/** Links to folders are left out, so that a walk ends. */
const list = async (folder: string): Promise<readonly FolderEntry[]> => {
  const entries = await readdir(folder, { withFileTypes: true })
  const found = await Promise.all(
    entries.map(async (entry): Promise<readonly FolderEntry[]> => {
      if (entry.isDirectory()) return [{ name: entry.name, kind: 'folder' }]
      const isFile = entry.isFile() || (entry.isSymbolicLink() && (await kindOf(`${folder}/${entry.name}`)) === 'file')
      return isFile ? [{ name: entry.name, kind: 'file' }] : []
    }),
  )
  return found.flat()
}

const digest = async (path: string): Promise<string> => {
  // The opening of a pipe would wait for a writer.
  if ((await kindOf(path)) !== 'file') throw new Error(`${path} is not a file`)
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

export const hostFlowFiles: FlowFiles = { read, kindOf, list, digest }
