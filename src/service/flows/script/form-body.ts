/** The body of a request with `multipartForm`: texts, and files of the host. */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { messageOf } from '../../../runtime/message-of.ts'
import type { ScriptRequest } from './messages.ts'
import type { ReadFile } from './script-answer.ts'

const FILE_BYTES_MAX = 64 * 1_024 * 1_024
const DEFAULT_TYPE = 'application/octet-stream'

/** Opens a file to read it, or throws why a script may not have it. */
export type OpenFile = (file: string) => Promise<FileHandle>

/** The opening of a FIFO would otherwise wait for a writer. */
export const openAnyFile: OpenFile = file => open(file, constants.O_RDONLY | constants.O_NONBLOCK)

const readPart = async (file: string, openFile: OpenFile): Promise<Buffer> => {
  const handle = await openFile(file)
  try {
    const found = await handle.stat()
    if (!found.isFile()) throw new Error('it is not a file')
    if (found.size > FILE_BYTES_MAX) throw new Error(`it has more than ${FILE_BYTES_MAX} bytes`)
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}

export const formBody = async (
  form: NonNullable<ScriptRequest['form']>,
  { folder, openFile }: { folder: string; openFile: OpenFile },
): Promise<{ body: FormData; files: readonly ReadFile[] } | { problem: string }> => {
  const body = new FormData()
  const files: ReadFile[] = []
  for (const [name, part] of Object.entries(form)) {
    if (typeof part === 'string') {
      body.append(name, part)
      continue
    }
    const { filePath, mediaType = DEFAULT_TYPE } = part
    try {
      const file = resolve(folder, filePath)
      const content = await readPart(file, openFile)
      files.push({ file, digest: createHash('sha256').update(content).digest('hex') })
      body.append(name, new Blob([new Uint8Array(content)], { type: mediaType }), basename(filePath))
    } catch (error) {
      return { problem: `the file ${filePath} of the form cannot be read: ${messageOf(error)}.` }
    }
  }
  return { body, files }
}
