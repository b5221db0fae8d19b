/** Reads an APK from its bytes: the manifest in the archive, as far as installing needs it. */
import { inflateRawSync } from 'node:zlib'

const MANIFEST = 'AndroidManifest.xml'
const MANIFEST_BYTES_MAX = 4 * 1_024 * 1_024

const END_SIGNATURE = 0x06054b50
const END_BYTES = 22
const COMMENT_BYTES_MAX = 65_535
const ENTRY_SIGNATURE = 0x02014b50
const ENTRY_BYTES = 46
const LOCAL_BYTES = 30
const DEFLATED = 8

/** The content of one file of a ZIP archive. Throws RangeError if the archive is malformed. */
const unzipped = (zip: Buffer, wanted: string): Buffer => {
  let end = zip.length - END_BYTES
  const lowest = Math.max(0, end - COMMENT_BYTES_MAX)
  while (end >= lowest && zip.readUInt32LE(end) !== END_SIGNATURE) end--
  if (end < lowest) throw new RangeError('no end of the central directory')
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (zip.readUInt32LE(at) !== ENTRY_SIGNATURE) throw new RangeError('no entry')
    const [method, size] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)]
    const [name, extra, comment] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30), zip.readUInt16LE(at + 32)]
    if (zip.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + name) === wanted) {
      const local = zip.readUInt32LE(at + 42)
      const start = local + LOCAL_BYTES + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
      const content = zip.subarray(start, start + size)
      return method === DEFLATED ? inflateRawSync(content, { maxOutputLength: MANIFEST_BYTES_MAX }) : content
    }
    at += ENTRY_BYTES + name + extra + comment
  }
  throw new RangeError(`no ${wanted}`)
}

const STRINGS = 0x0001
const RESOURCE_IDS = 0x0180
const START_ELEMENT = 0x0102
const UTF8 = 0x100
const ATTRIBUTE_BYTES = 20
const NONE = 0xffffffff
const TYPE_STRING = 3
/** Attributes of the platform go by number; their names may be empty. */
const VERSION_CODE = 0x0101021b
const VERSION_NAME = 0x0101021c
const MIN_SDK = 0x0101020c

const stringsOf = (xml: Buffer, at: number): ((index: number) => string) => {
  const [count, flags] = [xml.readUInt32LE(at + 8), xml.readUInt32LE(at + 16)]
  const start = at + xml.readUInt32LE(at + 20)
  return index => {
    if (index >= count) return ''
    let from = start + xml.readUInt32LE(at + 28 + 4 * index)
    if ((flags & UTF8) === 0) {
      const units = xml.readUInt16LE(from)
      return xml.toString('utf16le', from + 2, from + 2 + 2 * units)
    }
    // Two lengths, in characters and in bytes, of one or two bytes each.
    from += (xml.readUInt8(from) & 0x80) === 0 ? 1 : 2
    const first = xml.readUInt8(from)
    const bytes = (first & 0x80) === 0 ? first : ((first & 0x7f) << 8) | xml.readUInt8(from + 1)
    const begin = from + ((first & 0x80) === 0 ? 1 : 2)
    return xml.toString('utf8', begin, begin + bytes)
  }
}

/** The attributes of the first elements that have them, by name or by number. */
const attributesIn = (xml: Buffer): Map<string | number, string | number> => {
  const found = new Map<string | number, string | number>()
  let text: (index: number) => string = () => ''
  let ids: (index: number) => number | undefined = () => undefined
  for (let at = xml.readUInt16LE(2); at + 8 <= xml.length; ) {
    const [type, header, size] = [xml.readUInt16LE(at), xml.readUInt16LE(at + 2), xml.readUInt32LE(at + 4)]
    if (size < 8) throw new RangeError('an empty chunk')
    if (type === STRINGS) text = stringsOf(xml, at)
    if (type === RESOURCE_IDS) {
      const from = at
      ids = index => (header + 4 * index + 4 <= size ? xml.readUInt32LE(from + header + 4 * index) : undefined)
    }
    if (type === START_ELEMENT) {
      const element = text(xml.readUInt32LE(at + header + 4))
      const first = at + header + xml.readUInt16LE(at + header + 8)
      for (let index = 0; index < xml.readUInt16LE(at + header + 12); index++) {
        const from = first + index * ATTRIBUTE_BYTES
        const name = xml.readUInt32LE(from + 4)
        const raw = xml.readUInt32LE(from + 8)
        const isText = xml.readUInt8(from + 15) === TYPE_STRING || raw !== NONE
        const value = isText ? text(raw === NONE ? xml.readUInt32LE(from + 16) : raw) : xml.readUInt32LE(from + 16)
        const key = ids(name) ?? `${element}/${text(name)}`
        if (!found.has(key)) found.set(key, value)
      }
    }
    at += size
  }
  return found
}

const PACKAGE_NAME = /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+$/

/** Undefined for what is not an APK. */
export const readApk = (bytes: Uint8Array) => {
  try {
    const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const found = attributesIn(unzipped(zip, MANIFEST))
    const packageName = String(found.get('manifest/package') ?? '')
    if (!PACKAGE_NAME.test(packageName)) return undefined
    return {
      packageName,
      versionCode: Number(found.get(VERSION_CODE) ?? 0),
      versionName: String(found.get(VERSION_NAME) ?? ''),
      minSdk: Number(found.get(MIN_SDK) ?? 1),
    }
  } catch (error) {
    // A damaged archive makes Buffer, or zlib, throw.
    if (error instanceof RangeError || (error instanceof Error && 'code' in error)) return undefined
    throw error
  }
}
