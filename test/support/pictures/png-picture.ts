/** Reads PNG files of RGBA pixels, as a test of what writes them: with its own reading of the format. */
import { crc32, inflateSync } from 'node:zlib'

export interface Picture {
  width: number
  height: number
  /** As `#rrggbb`. */
  at(x: number, y: number): string
  colours(): Set<string>
}

const SIGNATURE = '89504e470d0a1a0a'

const chunksIn = (png: Buffer): Map<string, Buffer> => {
  if (png.toString('hex', 0, 8) !== SIGNATURE) throw new Error('no PNG')
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    const [name, data] = [png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, at + 8 + length)]
    if (png.readUInt32BE(at + 8 + length) !== crc32(png.subarray(at + 4, at + 8 + length))) {
      throw new Error(`the checksum of ${name} is wrong`)
    }
    chunks.set(name, Buffer.concat([chunks.get(name) ?? Buffer.alloc(0), data]))
    at += length + 12
  }
  if ([...chunks.keys()].at(-1) !== 'IEND') throw new Error('no end')
  return chunks
}

const chunkOf = (chunks: Map<string, Buffer>, name: string): Buffer => {
  const data = chunks.get(name)
  if (!data) throw new Error(`no ${name}`)
  return data
}

const paeth = (left: number, up: number, corner: number) => {
  // Without a list of the three: this is asked of each of millions of bytes.
  const a = Math.abs(up - corner)
  const b = Math.abs(left - corner)
  const c = Math.abs(left + up - 2 * corner)
  return a <= b && a <= c ? left : b <= c ? up : corner
}

/** What a filter adds to a byte, from those to its left, above it and above its left. */
const FILTERS: readonly ((left: number, up: number, corner: number) => number)[] = [
  () => 0,
  left => left,
  (_, up) => up,
  (left, up) => (left + up) >> 1,
  paeth,
]

const CHANNELS = 4

const unfiltered = (raw: Buffer, width: number, height: number): Uint8Array => {
  const row = width * CHANNELS
  const out = new Uint8Array(row * height)
  for (let y = 0; y < height; y += 1) {
    const filter = FILTERS[raw[y * (row + 1)] ?? -1]
    if (!filter) throw new Error('a filter that does not exist')
    for (let x = 0; x < row; x += 1) {
      const at = y * row + x
      const left = x >= CHANNELS ? (out[at - CHANNELS] ?? 0) : 0
      const up = y > 0 ? (out[at - row] ?? 0) : 0
      const corner = x >= CHANNELS && y > 0 ? (out[at - row - CHANNELS] ?? 0) : 0
      out[at] = (raw[y * (row + 1) + 1 + x] ?? 0) + filter(left, up, corner)
    }
  }
  return out
}

export const readPng = (png: Uint8Array): Picture => {
  const chunks = chunksIn(Buffer.from(png))
  const header = chunkOf(chunks, 'IHDR')
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  if (header.toString('hex', 8) !== '0806000000') throw new Error('not RGBA with eight bits each')
  const raw = inflateSync(chunkOf(chunks, 'IDAT'))
  if (raw.length !== (width * CHANNELS + 1) * height) throw new Error(`${raw.length} bytes for ${width}x${height}`)
  const pixels = new DataView(unfiltered(raw, width, height).buffer)
  const colourAt = (pixel: number) => {
    const value = pixels.getUint32(pixel * CHANNELS)
    if ((value & 0xff) !== 0xff) throw new Error(`pixel ${pixel} is transparent`)
    return value >>> 8
  }
  const allColours = (): Set<number> => {
    const found = new Set<number>()
    for (let at = 0; at < width * height; at += 1) found.add(colourAt(at))
    return found
  }
  const named = (colour: number) => `#${colour.toString(16).padStart(6, '0')}`
  return {
    width,
    height,
    at: (x, y) => named(colourAt(y * width + x)),
    colours: () => new Set([...allColours()].map(named)),
  }
}
