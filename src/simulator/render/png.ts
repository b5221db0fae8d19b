/** PNG files of indexed colours, each pixel of the picture being a square of `grain` pixels of the file. */
import { crc32, deflateSync } from 'node:zlib'
import type { Canvas } from './canvas.ts'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const BIT_DEPTH = 8
const INDEXED = 3
/** Each byte as its difference to the one above: rows that repeat become zeros. */
const UP = 2
/** Runs of zeros shrink as well at the lowest effort. */
const EFFORT = 1

const chunk = (type: string, data: Uint8Array): Buffer => {
  const out = Buffer.alloc(data.length + 12)
  out.writeUInt32BE(data.length, 0)
  out.write(type, 4, 'latin1')
  out.set(data, 8)
  out.writeUInt32BE(crc32(out.subarray(4, data.length + 8)), data.length + 8)
  return out
}

const header = (width: number, height: number): Buffer => {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  data.set([BIT_DEPTH, INDEXED, 0, 0, 0], 8)
  return data
}

const scanlines = ({ pixels, width: across }: Canvas, width: number, height: number, grain: number): Buffer => {
  const out = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y += 1) {
    const start = y * (width + 1)
    out[start] = UP
    if (y % grain !== 0) continue
    const row = (y / grain) * across
    for (let x = 0; x < across; x += 1) {
      const difference = (pixels[row + x] ?? 0) - (y === 0 ? 0 : (pixels[row - across + x] ?? 0))
      if (difference === 0) continue
      const from = start + 1 + x * grain
      out.fill(difference & 0xff, from, Math.min(from + grain, start + 1 + width))
    }
  }
  return out
}

export const encodePng = (canvas: Canvas, { width, height, grain }: { width: number; height: number; grain: number }) =>
  Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header(width, height)),
    chunk(
      'PLTE',
      Buffer.from(
        canvas
          .colours()
          .map(colour => colour.slice(1))
          .join(''),
        'hex',
      ),
    ),
    chunk('IDAT', deflateSync(scanlines(canvas, width, height, grain), { level: EFFORT })),
    chunk('IEND', Buffer.alloc(0)),
  ])
