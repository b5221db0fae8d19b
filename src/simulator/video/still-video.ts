/**
 * A video that shows one picture as long as it lasts, in an MP4 file as screenrecord leaves it: the picture first, and
 * the index that makes it playable only at the end.
 */
import { type Frame, PROFILE, type StillPicture, stillPicture } from './still-picture.ts'

interface Size {
  width: number
  height: number
}

/** The nearest pixel of the picture for each of the video; the picture is made to fit, and the rest is black. */
const fitted = (frame: Frame, { width, height }: Size): Frame => {
  const scale = Math.max(frame.width / width, frame.height / height)
  const left = Math.floor((width - frame.width / scale) / 2)
  const top = Math.floor((height - frame.height / scale) / 2)
  const pixels = Uint32Array.from({ length: width * height }, (_, at) => {
    const x = Math.floor(((at % width) - left) * scale)
    const y = Math.floor((Math.floor(at / width) - top) * scale)
    const isInside = x >= 0 && x < frame.width && y >= 0 && y < frame.height
    return isInside ? (frame.pixels[y * frame.width + x] as number) : 0
  })
  return { width, height, pixels }
}

const u8 = (...values: readonly number[]) => Buffer.from(values)
const u16 = (...values: readonly number[]) => Buffer.from(values.flatMap(value => [value >> 8, value & 0xff]))
const u32 = (...values: readonly number[]) => u16(...values.flatMap(value => [value >>> 16, value & 0xffff]))

const box = (type: string, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  return Buffer.concat([u32(content.length + 8), Buffer.from(type, 'latin1'), content])
}
const full = (type: string, flags: number, ...parts: readonly Uint8Array[]) => box(type, u32(flags), ...parts)

const MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
const UNDETERMINED_LANGUAGE = 0x55c4
const DPI_72 = 0x480000
const FILE_TYPE = box('ftyp', Buffer.from('mp42', 'latin1'), u32(0), Buffer.from('isommp42', 'latin1'))
const TICKS_PER_SECOND = 1_000

/** One track with one sample, which begins `firstByte` bytes into the file. */
const index = ({ width, height, sequence, picture }: StillPicture, ms: number, firstByte: number, bytes: number) => {
  const units = [u16(sequence.length), sequence, u8(1), u16(picture.length), picture]
  const parameters = box('avcC', u8(1, ...PROFILE, 0xff, 0xe1), ...units)
  const size = [u32(0), u16(0, 1), u32(0, 0, 0, 0), u16(width, height), u32(DPI_72, DPI_72, 0), u16(1)]
  const entry = box('avc1', ...size, Buffer.alloc(32), u16(0x18, 0xffff), parameters)
  const samples = box(
    'stbl',
    ...[full('stsd', 0, u32(1), entry), full('stts', 0, u32(1, 1, ms)), full('stss', 0, u32(1, 1))],
    ...[full('stsc', 0, u32(1, 1, 1, 1)), full('stsz', 0, u32(0, 1, bytes)), full('stco', 0, u32(1, firstByte))],
  )
  const data = box('dinf', full('dref', 0, u32(1), full('url ', 1)))
  const media = box(
    'mdia',
    full('mdhd', 0, u32(0, 0, TICKS_PER_SECOND, ms), u16(UNDETERMINED_LANGUAGE, 0)),
    full('hdlr', 0, u32(0), Buffer.from('vide', 'latin1'), u32(0, 0, 0), Buffer.from('VideoHandle\0', 'latin1')),
    box('minf', full('vmhd', 1, u32(0, 0)), data, samples),
  )
  const track = full('tkhd', 7, u32(0, 0, 1, 0, ms, 0, 0, 0, 0), MATRIX, u32(width << 16, height << 16))
  const times = u32(0, 0, TICKS_PER_SECOND, ms, 0x10000, 0x01000000, 0, 0)
  return box('moov', full('mvhd', 0, times, MATRIX, u32(0, 0, 0, 0, 0, 0, 2)), box('trak', track, media))
}

const START = u8(0, 0, 0, 1)

/** Pictures are in coarse pixels, so the video is smaller than `size` by as much as the picture is than the screen. */
export const stillVideo = (frame: Frame, size: Size, screen: Size) => {
  const grain = screen.width / frame.width
  const [width, height] = [Math.round(size.width / grain), Math.round(size.height / grain)]
  const still = stillPicture(fitted(frame, { width, height }))
  const sample = Buffer.concat([u32(still.slice.length), still.slice])
  return {
    /** The stream that is no file. */
    raw: Buffer.concat([still.sequence, still.picture, still.slice].flatMap(part => [START, part])),
    /** The file while it is being written: nobody can play it. */
    unfinished: Buffer.concat([FILE_TYPE, u32(0), Buffer.from('mdat', 'latin1'), sample]),
    finished: (ms: number): Buffer =>
      Buffer.concat([FILE_TYPE, box('mdat', sample), index(still, ms, FILE_TYPE.length + 8, sample.length)]),
  }
}
