/** A folder as one file: a line that lists what is in it, then the files one after the other. */
import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, type FileHandle, mkdir, open, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import * as v from 'valibot'
import { HOME_MODE, STATE_FILE_MODE } from '../../contracts/limits/limits.ts'
import { TRANSFER_FILES_MAX } from '../../contracts/limits/transfer-limits.ts'
import { PARCEL_BYTES_MAX } from '../../contracts/parcel.ts'
import type { FileRoots } from '../../device/files/file-roots.ts'
import { bytesOf, type Source, type SourceFile } from '../../device/files/host-files.ts'
import { isFileName } from './references.ts'

export interface PackedFile {
  path: string
  bytes: number
  mode: number
  /** In epoch ms. */
  mtime: number
}

/** Paths begin in the folder, with `/` between their names. */
interface Packed {
  folders: string[]
  files: PackedFile[]
}

const PERMISSION_BITS = 0o777
const LIST_BYTES_MAX = 64 * 1_024 * 1_024

/** No name of a packed path leads out of the folder that it is unpacked to. */
const isInside = (path: string): boolean => path !== '' && path.split('/').every(isFileName)

const Path = v.pipe(v.string(), v.maxLength(8_192), v.check(isInside))
const List = v.object({
  folders: v.pipe(v.array(Path), v.maxLength(TRANSFER_FILES_MAX)),
  files: v.pipe(
    v.array(
      v.object({
        path: Path,
        bytes: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(PARCEL_BYTES_MAX)),
        mode: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(PERMISSION_BITS)),
        mtime: v.pipe(v.number(), v.finite()),
      }),
    ),
    v.maxLength(TRANSFER_FILES_MAX),
  ),
})

const packedFile = ({ path, size: bytes, mode, mtime }: SourceFile): PackedFile => ({ path, bytes, mode, mtime })

async function* packedBytes({ folders, files }: Source, roots: FileRoots): AsyncGenerator<Uint8Array> {
  const list: Packed = { folders: [...folders], files: files.map(packedFile) }
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
    for (const { path, bytes, mode, mtime } of list.files) {
      const to = join(root, path)
      await mkdir(dirname(to), { recursive: true, mode: HOME_MODE })
      const source = bytes === 0 ? [] : createReadStream(packed, { start: at, end: at + bytes - 1 })
      await pipeline(source, createWriteStream(to, { flags: 'wx', mode: STATE_FILE_MODE }))
      await chmod(to, mode)
      await utimes(to, new Date(mtime), new Date(mtime))
      at += bytes
    }
    return list
  } finally {
    await file.close()
  }
}
