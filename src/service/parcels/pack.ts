/** A folder as one file: a line that lists what is in it, then the files one after the other. */
import { createReadStream, createWriteStream } from 'node:fs'
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import * as v from 'valibot'
import { HOME_MODE, STATE_FILE_MODE } from '../../contracts/limits.ts'
import { PARCEL_BYTES_MAX } from '../../contracts/parcel.ts'
import { TRANSFER_FILES_MAX } from '../../contracts/transfer-limits.ts'
import type { FileRoots } from '../../operator/files/file-roots.ts'
import { bytesOf, type Source } from '../../operator/files/host-files.ts'

/** Paths begin in the folder, with `/` between their names. */
interface Packed {
  folders: string[]
  files: { path: string; bytes: number }[]
}

const LIST_BYTES_MAX = 64 * 1_024 * 1_024

/** No name of a packed path leads out of the folder that it is unpacked to. */
const isInside = (path: string): boolean =>
  path !== '' && path.split('/').every(name => name !== '' && name !== '.' && name !== '..' && !/[\0\\]/.test(name))

const Path = v.pipe(v.string(), v.maxLength(8_192), v.check(isInside))
const List = v.object({
  folders: v.pipe(v.array(Path), v.maxLength(TRANSFER_FILES_MAX)),
  files: v.pipe(
    v.array(
      v.object({ path: Path, bytes: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(PARCEL_BYTES_MAX)) }),
    ),
    v.maxLength(TRANSFER_FILES_MAX),
  ),
})

async function* packedBytes({ folders, files }: Source, roots: FileRoots): AsyncGenerator<Uint8Array> {
  const list: Packed = { folders: [...folders], files: files.map(({ path, size }) => ({ path, bytes: size })) }
  yield Buffer.from(`${JSON.stringify(list)}\n`)
  for (const file of files) yield* bytesOf(file, roots)
}

/** Rejects with a StepFailure for a file that was changed meanwhile. */
export const packFolder = (folder: Source, roots: FileRoots, into: string): Promise<void> =>
  pipeline(packedBytes(folder, roots), createWriteStream(into, { flags: 'wx', mode: STATE_FILE_MODE }))

const readList = async (file: FileHandle): Promise<{ list: Packed; begins: number }> => {
  const parts: Buffer[] = []
  for (let at = 0; at < LIST_BYTES_MAX; ) {
    const part = Buffer.alloc(65_536)
    const { bytesRead } = await file.read(part, 0, part.length, at)
    if (bytesRead === 0) break
    const end = part.subarray(0, bytesRead).indexOf(0x0a)
    parts.push(part.subarray(0, end < 0 ? bytesRead : end))
    if (end >= 0) return { list: v.parse(List, JSON.parse(Buffer.concat(parts).toString())), begins: at + end + 1 }
    at += bytesRead
  }
  throw new Error('it lists nothing')
}

/** Into a new folder. Rejects for what is no packed folder, or is cut short. */
export const unpackFolder = async (packed: string, root: string): Promise<Packed> => {
  const file = await open(packed, 'r')
  try {
    const { list, begins } = await readList(file)
    const { size } = await file.stat()
    const listed = list.files.reduce((sum, { bytes }) => sum + bytes, 0)
    if (begins + listed !== size) throw new Error(`it has ${size - begins} bytes of files, and lists ${listed}`)
    await mkdir(root, { recursive: true, mode: HOME_MODE })
    for (const folder of list.folders) await mkdir(join(root, folder), { recursive: true, mode: HOME_MODE })
    let at = begins
    for (const { path, bytes } of list.files) {
      const to = join(root, path)
      await mkdir(dirname(to), { recursive: true, mode: HOME_MODE })
      const source = bytes === 0 ? [] : createReadStream(packed, { start: at, end: at + bytes - 1 })
      await pipeline(source, createWriteStream(to, { flags: 'wx', mode: STATE_FILE_MODE }))
      at += bytes
    }
    return list
  } finally {
    await file.close()
  }
}
