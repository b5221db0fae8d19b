/** A folder of this host as a zip whose files are stored as they are. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { crc32 } from 'node:zlib'
import { invalid } from '../protocol/arguments.ts'
import { FILE_BYTES_MAX, tooLarge } from './temporary-folder.ts'

const LOCAL_HEADER = 0x04034b50
const CENTRAL_HEADER = 0x02014b50
const END_OF_CENTRAL = 0x06054b50
/** Version 2.0 knows folders. */
const VERSION = 20
const UTF8_NAMES = 0x0800
/** The first day that the format has: times of the device are not known here. */
const FIRST_DATE = 0x0021
/** Without its later extension the format counts files in 16 bits. */
const FILES_MAX = 65_535

interface Entry {
  /** With slashes; one at its end means a folder. */
  name: string
  content: Buffer
}

const numbers = (...fields: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer =>
  Buffer.concat(
    fields.map(([bytes, value]) => {
      const field = Buffer.alloc(bytes)
      if (bytes === 2) field.writeUInt16LE(value)
      else field.writeUInt32LE(value)
      return field
    }),
  )

/** The fields that both headers of a file have. */
const factsOf = ({ name, content }: Entry): Buffer =>
  numbers(
    ...([
      [2, UTF8_NAMES],
      [2, 0],
      [2, 0],
      [2, FIRST_DATE],
    ] as const),
    ...([
      [4, crc32(content)],
      [4, content.length],
      [4, content.length],
    ] as const),
    ...([
      [2, Buffer.byteLength(name)],
      [2, 0],
    ] as const),
  )

export const zipOf = (entries: readonly Entry[]): Buffer => {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const name = Buffer.from(entry.name, 'utf8')
    const facts = factsOf(entry)
    const file = Buffer.concat([numbers([4, LOCAL_HEADER], [2, VERSION]), facts, name, entry.content])
    const place = numbers([2, 0], [2, 0], [2, 0], [4, 0], [4, offset])
    files.push(file)
    directory.push(Buffer.concat([numbers([4, CENTRAL_HEADER], [2, VERSION], [2, VERSION]), facts, place, name]))
    offset += file.length
  }
  const listed = Buffer.concat(directory)
  const count = entries.length
  const end = numbers(
    [4, END_OF_CENTRAL],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, listed.length],
    [4, offset],
    [2, 0],
  )
  return Buffer.concat([...files, listed, end])
}

/** Throws `invalid argument` for a file, and for a folder that is larger than an answer may be. */
export const zipOfFolder = async (folder: string, of: string): Promise<Buffer> => {
  if (!(await stat(folder)).isDirectory()) throw invalid(`${of} is a file. Ask for it with mobile: pullFile.`)
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const entries: Entry[] = []
  let bytes = 0
  for (const each of found) {
    const path = join(each.parentPath, each.name)
    const name = relative(folder, path).split(sep).join('/')
    if (each.isDirectory()) {
      entries.push({ name: `${name}/`, content: Buffer.alloc(0) })
      continue
    }
    bytes += (await stat(path)).size
    if (bytes > FILE_BYTES_MAX || entries.length >= FILES_MAX) throw tooLarge(of)
    entries.push({ name, content: await readFile(path) })
  }
  return zipOf(entries)
}
