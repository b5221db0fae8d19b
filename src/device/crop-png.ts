/** Cuts a part out of a screenshot without holding up the event loop. Reads what `screencap` writes: 8 bits, not interlaced. */
import { promisify } from 'node:util'
import { crc32, deflate, inflate } from 'node:zlib'
import { type Bounds, intersection } from '../contracts/device/ui-tree.ts'
import { PICTURE_PIXELS_MAX } from '../contracts/limits/picture-limits.ts'
import type { Clock } from '../runtime/clock.ts'
import { inSlices, PIECE, type Sliced } from '../runtime/yielding.ts'

const SIGNATURE_BYTES = 8
/** Length, type and checksum. */
const FRAME_BYTES = 12
const HEADER = { bytes: 13, bitDepth: 8, colourType: 9, interlace: 12 }
/** Bytes of a pixel by the colour type; palettes are none that a screen is written with. */
const PIXEL_BYTES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 }

type Cropped = { ok: true; png: Uint8Array } | { ok: false; problem: string }

interface Picture {
  header: Buffer
  width: number
  height: number
  pixelBytes: number
  data: Buffer
}

const chunksOf = (png: Uint8Array): { type: string; data: Buffer }[] => {
  const buffer = Buffer.from(png.buffer, png.byteOffset, png.byteLength)
  const chunks: { type: string; data: Buffer }[] = []
  for (let at = SIGNATURE_BYTES; at + FRAME_BYTES <= buffer.length; ) {
    const length = buffer.readUInt32BE(at)
    chunks.push({ type: buffer.toString('latin1', at + 4, at + 8), data: buffer.subarray(at + 8, at + 8 + length) })
    at += FRAME_BYTES + length
  }
  return chunks
}

const readPicture = (png: Uint8Array): Picture | string => {
  const chunks = chunksOf(png)
  const header = chunks.find(({ type }) => type === 'IHDR')?.data
  if (header?.length !== HEADER.bytes) return 'the picture has no header'
  const pixelBytes = PIXEL_BYTES[header[HEADER.colourType] ?? -1]
  if (header[8] !== HEADER.bitDepth || header[HEADER.interlace] !== 0 || pixelBytes === undefined)
    return 'the picture is of a kind that no screenshot has'
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  if (width * height > PICTURE_PIXELS_MAX) return `the picture has ${width}x${height} pixels, more than any screen`
  const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(chunk => chunk.data))
  return { header, width, height, pixelBytes, data }
}

const paeth = (left: number, above: number, corner: number): number => {
  const guess = left + above - corner
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)]
  if (a <= b && a <= c) return left
  return b <= c ? above : corner
}

/** Undoes the filter of one row in place; `above` is the row before it, as it was drawn. */
const unfilter = (kind: number, row: Buffer, above: Buffer | undefined, pixelBytes: number): void => {
  for (let at = 0; at < row.length; at++) {
    const left = at >= pixelBytes ? (row[at - pixelBytes] ?? 0) : 0
    const up = above?.[at] ?? 0
    const corner = at >= pixelBytes ? (above?.[at - pixelBytes] ?? 0) : 0
    const added =
      kind === 1 ? left : kind === 2 ? up : kind === 3 ? (left + up) >> 1 : kind === 4 ? paeth(left, up, corner) : 0
    row[at] = ((row[at] ?? 0) + added) & 0xff
  }
}

/** The rows of the part, each behind the number of its filter: none. */
const rowsOf = function* (picture: Picture, raw: Buffer, part: Bounds): Sliced<Buffer> {
  const { width, pixelBytes } = picture
  const stride = width * pixelBytes + 1
  const [from, to] = [part.left * pixelBytes, part.right * pixelBytes]
  const rows = Buffer.alloc((part.bottom - part.top) * (to - from + 1))
  let above: Buffer | undefined
  for (let y = 0; y < part.bottom; y++) {
    if (y % (PIECE / 4) === 0) yield
    const row = raw.subarray(y * stride + 1, (y + 1) * stride)
    const kind = raw[y * stride] ?? 0
    if (kind !== 0) unfilter(kind, row, above, pixelBytes)
    above = row
    if (y >= part.top) row.copy(rows, (y - part.top) * (to - from + 1) + 1, from, to)
  }
  return rows
}

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

/** The part that lies on the picture. Rejects when the signal aborts. */
export const cropPng = async (
  png: Uint8Array,
  bounds: Bounds,
  options: { clock: Clock; signal?: AbortSignal | undefined },
): Promise<Cropped> => {
  const picture = readPicture(png)
  if (typeof picture === 'string') return { ok: false, problem: picture }
  const { width, height, header, pixelBytes } = picture
  const part = intersection(bounds, { left: 0, top: 0, right: width, bottom: height })
  if (!part) return { ok: false, problem: 'the node is not on the picture' }
  const maxOutputLength = height * (width * pixelBytes + 1)
  const raw = await promisify(inflate)(picture.data, { maxOutputLength }).catch(() => undefined)
  if (raw?.length !== maxOutputLength) return { ok: false, problem: 'the pixels of the picture cannot be read' }
  const rows = await inSlices(rowsOf(picture, raw, part), options)
  const head = Buffer.from(header)
  head.writeUInt32BE(part.right - part.left, 0)
  head.writeUInt32BE(part.bottom - part.top, 4)
  const data = await promisify(deflate)(rows)
  const chunks = [chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]
  return { ok: true, png: Buffer.concat([png.subarray(0, SIGNATURE_BYTES), ...chunks]) }
}
