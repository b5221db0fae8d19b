/** Finds one entry of a ZIP archive by a few reads, however the archive is made: every size and place in it may be a lie. */
import { inflateRawSync } from 'node:zlib'

/** A plain word on what is wrong, that goes on from `<file> is not an APK: `. */
export class NotAnApk extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'NotAnApk'
  }
}

interface Range {
  at: number
  length: number
}

/**
 * Asks for ranges of a file and is given their bytes, so that the same code reads files and bytes in memory. Between two
 * pieces of long work it asks for nothing: other work may have its turn.
 */
export type Reading<T> = Generator<Range | typeof PAUSE, T, Buffer>
export const PAUSE = 'pause'
export const NO_BYTES = Buffer.alloc(0)

export const ENTRY_BYTES_MAX = 4 * 1_024 * 1_024
/** Room for 65,535 entries with long names. */
const DIRECTORY_BYTES_MAX = 16 * 1_024 * 1_024

const END_MARK = Buffer.from('PK\x05\x06', 'latin1')
const END_BYTES = 22
const COMMENT_BYTES_MAX = 65_535
const ENTRY_SIGNATURE = 0x02014b50
const ENTRY_BYTES = 46
const LOCAL_SIGNATURE = 0x04034b50
const LOCAL_BYTES = 30
const STORED = 0
const DEFLATED = 8
const ENCRYPTED = 1
const ZIP64_COUNT = 0xffff
const ZIP64_SIZE = 0xffffffff

export interface Directory {
  /** Where it begins in the archive. */
  at: number
  bytes: Buffer
  count: number
}

export function* readDirectory(size: number): Reading<Directory> {
  if (size < END_BYTES) throw new NotAnApk(`it has ${size} bytes, and no ZIP archive is that short`)
  const length = Math.min(size, END_BYTES + COMMENT_BYTES_MAX)
  const tail = yield { at: size - length, length }
  const end = tail.lastIndexOf(END_MARK, length - END_BYTES)
  if (end < 0) throw new NotAnApk('it is not a ZIP archive, or its end is missing')
  const [count, bytes, at] = [tail.readUInt16LE(end + 10), tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)]
  if (count === ZIP64_COUNT || at === ZIP64_SIZE || bytes === ZIP64_SIZE)
    throw new NotAnApk('it is a ZIP64 archive, which Android does not install')
  if (at + bytes > size - length + end) throw new NotAnApk('the directory of the archive lies outside of the file')
  if (bytes > DIRECTORY_BYTES_MAX)
    throw new NotAnApk(`the directory of the archive has more than ${DIRECTORY_BYTES_MAX} bytes`)
  return { at, bytes: yield { at, length: bytes }, count }
}

interface Entry {
  flags: number
  method: number
  packedBytes: number
  bytes: number
  local: number
}

const damaged = () => new NotAnApk('the directory of the archive is damaged')

/** Walks the directory; an archive with two entries of the name is refused, since readers disagree on which counts. */
const findEntry = ({ bytes, count }: Directory, name: Buffer): Entry | undefined => {
  let found: Entry | undefined
  let at = 0
  for (let left = count; left > 0; left--) {
    if (at + ENTRY_BYTES > bytes.length || bytes.readUInt32LE(at) !== ENTRY_SIGNATURE) throw damaged()
    const nameAt = at + ENTRY_BYTES
    const nameEnd = nameAt + bytes.readUInt16LE(at + 28)
    const next = nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
    if (next > bytes.length) throw damaged()
    if (nameEnd - nameAt === name.length && bytes.compare(name, 0, name.length, nameAt, nameEnd) === 0) {
      if (found) throw new NotAnApk(`the archive has two entries ${name}`)
      found = {
        flags: bytes.readUInt16LE(at + 8),
        method: bytes.readUInt16LE(at + 10),
        packedBytes: bytes.readUInt32LE(at + 20),
        bytes: bytes.readUInt32LE(at + 24),
        local: bytes.readUInt32LE(at + 42),
      }
    }
    at = next
  }
  return found
}

const unpacked = (packed: Buffer, { method, bytes }: Entry, name: string): Buffer => {
  try {
    const content = method === STORED ? packed : inflateRawSync(packed, { maxOutputLength: Math.max(bytes, 1) })
    if (content.length === bytes) return content
  } catch (error) {
    // Damage, and more bytes than were announced.
    if (!(error instanceof Error && 'code' in error)) throw error
  }
  throw new NotAnApk(`its ${name} cannot be unpacked`)
}

export function* readEntry(directory: Directory, name: string): Reading<Buffer> {
  const entry = findEntry(directory, Buffer.from(name))
  if (!entry) throw new NotAnApk(`the archive has no ${name}`)
  const { flags, method, packedBytes, bytes, local } = entry
  if ((flags & ENCRYPTED) !== 0) throw new NotAnApk(`its ${name} is encrypted`)
  if (method !== STORED && method !== DEFLATED)
    throw new NotAnApk(`its ${name} is packed by method ${method}, which Android does not know`)
  if (Math.max(bytes, packedBytes) > ENTRY_BYTES_MAX)
    throw new NotAnApk(`its ${name} has more than ${ENTRY_BYTES_MAX} bytes`)
  const outside = () => new NotAnApk(`its ${name} lies outside of the archive`)
  if (local + LOCAL_BYTES > directory.at) throw outside()
  const header = yield { at: local, length: LOCAL_BYTES }
  if (header.readUInt32LE(0) !== LOCAL_SIGNATURE) throw outside()
  const start = local + LOCAL_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28)
  if (start + packedBytes > directory.at) throw outside()
  return unpacked(yield { at: start, length: packedBytes }, entry, name)
}
