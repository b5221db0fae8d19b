/**
 * A temporary folder of this host for the files of one command, of which nothing stays; and a folder as a zip whose
 * files are stored as they are.
 */

import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { zipSync } from 'fflate'
import { inTemporaryFolder } from '../../../runtime/temporary-folders.ts'
import { invalid } from '../protocol/arguments.ts'

/** The first day that the format has: times of the device are not known here. */
const FIRST_DATE = new Date(1980, 0, 1)
/** Without its later extension the format counts files in 16 bits. */
const FILES_MAX = 65_535

/** Throws `invalid argument` for a file, and for a folder that is larger than an answer may be. */
export const zipOfFolder = async (folder: string, of: string): Promise<Buffer> => {
  if (!(await stat(folder)).isDirectory()) throw invalid(`${of} is a file. Ask for it with mobile: pullFile.`)
  const entries = new Map<string, Uint8Array>()
  let bytes = 0
  for (const each of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(each.parentPath, each.name)
    const name = relative(folder, path).split(sep).join('/')
    if (each.isDirectory()) {
      entries.set(`${name}/`, new Uint8Array())
      continue
    }
    bytes += (await stat(path)).size
    if (bytes > FILE_BYTES_MAX || entries.size >= FILES_MAX) throw tooLarge(of)
    entries.set(name, await readFile(path))
  }
  return Buffer.from(zipSync(Object.fromEntries(entries), { level: 0, mtime: FIRST_DATE }))
}

/** What a body may have, base64 not counted. */
export const FILE_BYTES_MAX = 64 * 1_024 * 1_024

export const inOwnFolder = <T>(work: (folder: string) => Promise<T>): Promise<T> => inTemporaryFolder('webdriver', work)

export const makeFile = async (folder: string, bytes: Uint8Array): Promise<string> => {
  const path = join(folder, 'pushed')
  await writeFile(path, bytes)
  return path
}

const tooLarge = (of: string) =>
  invalid(
    `${of} has more than ${FILE_BYTES_MAX} bytes, the most that an answer carries. On the host of svc, svc files pull fetches it.`,
  )

export const readPulledFile = async (path: string, of: string): Promise<Buffer> => {
  const stats = await stat(path)
  if (stats.isDirectory()) throw invalid(`${of} is a folder. Ask for it with mobile: pullFolder.`)
  if (stats.size > FILE_BYTES_MAX) throw tooLarge(of)
  return await readFile(path)
}
