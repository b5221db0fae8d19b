/** Reads PNG files of indexed colours, as a test of what writes them: with its own reading of the format. */
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
  const guess = left + up - corner
  const [a, b, c] = [left, up, corner].map(value => Math.abs(guess - value)) as [number, number, number]
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

const unfiltered = (raw: Buffer, width: number, height: number): Uint8Array => {
  const out = new Uint8Array(width * height)
  for (let y = 0; y < height; y += 1) {
    const filter = FILTERS[raw[y * (width + 1)] ?? -1]
    if (!filter) throw new Error('a filter that does not exist')
    for (let x = 0; x < width; x += 1) {
      const at = y * width + x
      const left = x > 0 ? (out[at - 1] ?? 0) : 0
      const up = y > 0 ? (out[at - width] ?? 0) : 0
      const corner = x > 0 && y > 0 ? (out[at - width - 1] ?? 0) : 0
      out[at] = (raw[y * (width + 1) + 1 + x] ?? 0) + filter(left, up, corner)
    }
  }
  return out
}

export const readPng = (png: Uint8Array): Picture => {
  const chunks = chunksIn(Buffer.from(png))
  const header = chunkOf(chunks, 'IHDR')
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  if (header.toString('hex', 8) !== '0803000000') throw new Error('not of indexed colours with eight bits')
  const raw = inflateSync(chunkOf(chunks, 'IDAT'))
  if (raw.length !== (width + 1) * height) throw new Error(`${raw.length} bytes of pixels for ${width}x${height}`)
  const palette = chunkOf(chunks, 'PLTE').toString('hex').match(/.{6}/g) ?? []
  const pixels = unfiltered(raw, width, height)
  const colour = (index: number | undefined) => {
    const found = palette[index ?? -1]
    if (found === undefined) throw new Error(`colour ${index} is not in the palette`)
    return `#${found}`
  }
  return {
    width,
    height,
    at: (x, y) => colour(pixels[y * width + x]),
    colours: () => new Set([...new Set(pixels)].map(colour)),
  }
}
