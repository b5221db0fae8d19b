/**
 * PNG files as phones write them, RGBA with eight bits each; a pixel of the picture is a square of `grain` pixels of the file. The package
 * `fast-png` takes thirty times as long for a screen: it knows no squares, predicts nothing, and compresses without the zlib of Node.
 */
import { constants, crc32, deflateSync } from 'node:zlib'
import type { Canvas } from './canvas.ts'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const BIT_DEPTH = 8
const RGBA = 6
const CHANNELS = 4
/** Each byte as its difference to a guess from the left, above, and the corner between: zero but where an edge begins. */
const PAETH = 4
/** Almost all is runs of zeros, which this looks for and nothing else. */
const COMPRESSION = { level: 1, strategy: constants.Z_RLE, chunkSize: 128 * 1_024 } as const

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
  data.set([BIT_DEPTH, RGBA, 0, 0, 0], 8)
  return data
}

const predicted = (left: number, up: number, corner: number): number => {
  const toLeft = Math.abs(up - corner)
  const toUp = Math.abs(left - corner)
  const toCorner = Math.abs(left + up - 2 * corner)
  return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner
}

/** Only the first pixel of a square can differ from its prediction: all its other pixels are as guessed. */
const writeDifferences = (row: Uint32Array, above: Uint32Array, out: Uint8Array, start: number, grain: number) => {
  let left = 0
  let corner = 0
  for (let x = 0; x < row.length; x += 1) {
    const pixel = row[x] as number
    const up = above[x] as number
    if (pixel !== up || left !== corner) {
      const at = start + x * grain * CHANNELS
      for (let shift = 0; shift < 32; shift += 8) {
        const guess = predicted((left >>> shift) & 0xff, (up >>> shift) & 0xff, (corner >>> shift) & 0xff)
        out[at + shift / 8] = ((pixel >>> shift) & 0xff) - guess
      }
    }
    left = pixel
    corner = up
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array) => Buffer.from(buffer, byteOffset, byteLength)

interface PngSize {
  width: number
  height: number
  grain: number
}

/** Keeps the memory for the lines of a picture: to ask for it anew takes as long as all the rest. */
export const pngEncoder = ({ width, height, grain }: PngSize): ((canvas: Canvas) => Uint8Array) => {
  const stride = width * CHANNELS + 1
  let kept: Buffer | undefined
  return ({ pixels, width: across }) => {
    kept ??= Buffer.alloc(stride * height)
    const lines = kept.fill(0)
    let above: Uint32Array = new Uint32Array(across)
    for (let y = 0; y < height; y += 1) {
      lines[y * stride] = PAETH
      if (y % grain !== 0) continue
      const row = pixels.subarray((y / grain) * across, (y / grain + 1) * across)
      if (!bytesOf(row).equals(bytesOf(above))) writeDifferences(row, above, lines, y * stride + 1, grain)
      above = row
    }
    return Buffer.concat([
      SIGNATURE,
      chunk('IHDR', header(width, height)),
      chunk('IDAT', deflateSync(lines, COMPRESSION)),
      chunk('IEND', Buffer.alloc(0)),
    ])
  }
}
