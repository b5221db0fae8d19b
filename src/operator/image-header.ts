/** Checks by the whole header that a file is a picture: a text that happens to begin like one fails. */

/** Two segments of a JPEG, or the colours and the first block of a GIF. */
export const IMAGE_HEADER_BYTES = 128 * 1_024

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])

const textAt = (begin: Buffer, at: number, length: number): string => begin.toString('latin1', at, at + length)

const isPng = (begin: Buffer): boolean =>
  begin.length >= 24 &&
  begin.subarray(0, PNG.length).equals(PNG) &&
  begin.readUInt32BE(16) > 0 &&
  begin.readUInt32BE(20) > 0

/** SOI, and two segments with a length each; the second is not looked at where the first is too long for the header. */
const isJpeg = (begin: Buffer, size: number): boolean => {
  if (begin.length < 6 || begin[0] !== 0xff || begin[1] !== 0xd8) return false
  const isSegment = (at: number) => begin[at] === 0xff && (begin[at + 1] ?? 0) >= 0xc0 && begin[at + 1] !== 0xff
  if (!isSegment(2)) return false
  const length = begin.readUInt16BE(4)
  const next = 4 + length
  return length >= 2 && next < size && (next + 1 >= begin.length || isSegment(next))
}

/** A block of an extension has one of these labels, with the size that follows it; a comment may have any. */
const GIF_EXTENSIONS: Readonly<Record<number, number | undefined>> = { 249: 4, 255: 11, 1: 12, 254: undefined }

const isGif = (begin: Buffer): boolean => {
  if (begin.length < 14 || !/^GIF8[79]a$/.test(textAt(begin, 0, 6))) return false
  if (begin.readUInt16LE(6) === 0 || begin.readUInt16LE(8) === 0) return false
  const packed = begin[10] ?? 0
  const block = 13 + (packed & 0x80 ? 3 * 2 ** ((packed & 0x07) + 1) : 0)
  if (begin[block] === 0x2c) {
    const localColours = (begin[block + 9] ?? 0) & 0x80 ? 3 * 2 ** (((begin[block + 9] ?? 0) & 0x07) + 1) : 0
    const codeSize = begin[block + 10 + localColours] ?? 0
    return codeSize >= 1 && codeSize <= 8
  }
  const label = begin[block + 1] ?? 0
  if (begin[block] !== 0x21 || !(label in GIF_EXTENSIONS)) return false
  const expected = GIF_EXTENSIONS[label]
  return expected === undefined || begin[block + 2] === expected
}

/** The sizes of the headers that follow the one of the file. */
const BMP_HEADERS: readonly number[] = [12, 16, 40, 52, 56, 64, 108, 124]

/** Some programs leave the size 0. */
const isBmp = (begin: Buffer, size: number): boolean =>
  begin.length >= 26 &&
  textAt(begin, 0, 2) === 'BM' &&
  begin.readUInt32LE(2) <= size &&
  begin.readUInt32LE(6) === 0 &&
  begin.readUInt32LE(10) >= 14 + begin.readUInt32LE(14) &&
  begin.readUInt32LE(10) <= size &&
  BMP_HEADERS.includes(begin.readUInt32LE(14))

/** The length counts what follows it, and is even or padded. */
const isWebp = (begin: Buffer, size: number): boolean =>
  begin.length >= 20 &&
  textAt(begin, 0, 4) === 'RIFF' &&
  begin.readUInt32LE(4) + 8 <= size + 1 &&
  /^WEBPVP8[ LX]$/.test(textAt(begin, 8, 8))

/** `begin` holds the first IMAGE_HEADER_BYTES of a file of `size` bytes, or all of a smaller one. */
export const isImage = (begin: Buffer, size: number): boolean =>
  isPng(begin) || isJpeg(begin, size) || isGif(begin) || isBmp(begin, size) || isWebp(begin, size)
