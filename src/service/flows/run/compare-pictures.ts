/** Compares two PNG pictures of the same size, and draws where they differ. */
import type { DecodedPng } from 'fast-png'
import { PICTURE_PIXELS_MAX } from '../../../contracts/limits/picture-limits.ts'

/** How far a channel may be from the other picture's before a pixel counts as different. */
const CHANNEL_TOLERANCE = 25
const RED = [255, 0, 0] as const
/** How much of the picture shows through where nothing differs. */
const FADED = 0.25

export type Comparison =
  | { kind: 'size'; expected: string; actual: string }
  | { kind: 'compared'; samePercent: number; difference: () => Promise<Uint8Array> }

const sizeOf = ({ width, height }: DecodedPng) => `${width}x${height}`

const channel = ({ data, depth }: DecodedPng, at: number): number => {
  const value = data[at] ?? 0
  return depth === 16 ? value / 257 : value
}

/** Red, green and blue of a pixel, whatever channels the picture has. */
const colour = (picture: DecodedPng, pixel: number): readonly [number, number, number] => {
  const { channels, palette, data } = picture
  if (palette) {
    const [red = 0, green = 0, blue = 0] = palette[data[pixel] ?? 0] ?? []
    return [red, green, blue]
  }
  const at = pixel * channels
  const first = channel(picture, at)
  return channels < 3 ? [first, first, first] : [first, channel(picture, at + 1), channel(picture, at + 2)]
}

/** Where width and height are in the header, which comes first. */
const SIZE_AT = { width: 16, height: 20, end: 24 }

/** Decoding makes room for all pixels that are announced. */
const refuseHuge = (png: Uint8Array): void => {
  if (png.length < SIZE_AT.end) return
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength)
  const [width, height] = [bytes.readUInt32BE(SIZE_AT.width), bytes.readUInt32BE(SIZE_AT.height)]
  if (width * height > PICTURE_PIXELS_MAX)
    throw new Error(`a picture has ${width}x${height} pixels, more than any screen`)
}

/** Rejects with an Error for bytes that are no PNG. */
export const comparePictures = async (expected: Uint8Array, actual: Uint8Array): Promise<Comparison> => {
  for (const png of [expected, actual]) refuseHuge(png)
  const { decode, encode } = await import('fast-png')
  const [wanted, seen] = [decode(expected), decode(actual)]
  if (wanted.width !== seen.width || wanted.height !== seen.height)
    return { kind: 'size', expected: sizeOf(wanted), actual: sizeOf(seen) }
  const pixels = wanted.width * wanted.height
  const isDifferent = new Uint8Array(pixels)
  let different = 0
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    const [one, other] = [colour(wanted, pixel), colour(seen, pixel)]
    if (one.every((value, at) => Math.abs(value - (other[at] ?? 0)) <= CHANNEL_TOLERANCE)) continue
    isDifferent[pixel] = 1
    different += 1
  }
  const difference = async () => {
    const data = new Uint8Array(pixels * 3)
    for (let pixel = 0; pixel < pixels; pixel += 1) {
      const faded = () => colour(seen, pixel).map(value => 255 - (255 - value) * FADED)
      data.set(isDifferent[pixel] ? RED : faded(), pixel * 3)
    }
    return encode({ width: wanted.width, height: wanted.height, data, channels: 3, depth: 8 })
  }
  return { kind: 'compared', samePercent: pixels === 0 ? 100 : (1 - different / pixels) * 100, difference }
}
