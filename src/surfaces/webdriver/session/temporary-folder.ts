/** A temporary folder of this host for the files of one command; nothing of it stays. */
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inTemporaryFolder } from '../../../runtime/temporary-folders.ts'
import { invalid } from '../protocol/arguments.ts'

/** What a body may have, base64 not counted. */
export const FILE_BYTES_MAX = 64 * 1_024 * 1_024

export const inOwnFolder = <T>(work: (folder: string) => Promise<T>): Promise<T> => inTemporaryFolder('webdriver', work)

export const makeFile = async (folder: string, bytes: Uint8Array): Promise<string> => {
  const path = join(folder, 'pushed')
  await writeFile(path, bytes)
  return path
}

export const tooLarge = (of: string) =>
  invalid(
    `${of} has more than ${FILE_BYTES_MAX} bytes, the most that an answer carries. On the host of svc, svc files pull fetches it.`,
  )

export const readPulledFile = async (path: string, of: string): Promise<Buffer> => {
  const stats = await stat(path)
  if (stats.isDirectory()) throw invalid(`${of} is a folder. Ask for it with mobile: pullFolder.`)
  if (stats.size > FILE_BYTES_MAX) throw tooLarge(of)
  return await readFile(path)
}
