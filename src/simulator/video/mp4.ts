/** MP4 files as screenrecord leaves them: the pictures first, and the index that makes them playable only at the end. */
import { COMPATIBILITY, type Encoder, LEVEL, PROFILE } from './h264.ts'

const u8 = (...values: readonly number[]) => Buffer.from(values)
const u16 = (...values: readonly number[]) => {
  const out = Buffer.alloc(values.length * 2)
  for (const [at, value] of values.entries()) out.writeUInt16BE(value, at * 2)
  return out
}
const u32 = (...values: readonly number[]) => {
  const out = Buffer.alloc(values.length * 4)
  for (const [at, value] of values.entries()) out.writeUInt32BE(value >>> 0, at * 4)
  return out
}

const box = (type: string, ...parts: readonly Uint8Array[]): Buffer => {
  const size = parts.reduce((sum, part) => sum + part.length, 8)
  return Buffer.concat([u32(size), Buffer.from(type, 'latin1'), ...parts])
}
const full = (type: string, flags: number, ...parts: readonly Uint8Array[]) => box(type, u32(flags), ...parts)

const TICKS_PER_SECOND = 1_000
const MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
const UNDETERMINED_LANGUAGE = 0x55c4
const DPI_72 = 0x480000

export interface Sample {
  bytes: number
  /** How long it is shown, in ms. */
  ms: number
  isWhole: boolean
}

const parameterBox = ({ sequence, picture }: Pick<Encoder, 'sequence' | 'picture'>) =>
  box(
    'avcC',
    u8(1, PROFILE, COMPATIBILITY, LEVEL, 0xff, 0xe1),
    ...[u16(sequence.length), sequence, u8(1), u16(picture.length), picture],
  )

const sampleEntry = (encoder: Omit<Encoder, 'encode'>) =>
  box(
    'avc1',
    ...[u32(0), u16(0, 1), u32(0, 0, 0, 0), u16(encoder.width, encoder.height), u32(DPI_72, DPI_72, 0), u16(1)],
    ...[Buffer.alloc(32), u16(0x18, 0xffff), parameterBox(encoder)],
  )

const sampleTable = (encoder: Omit<Encoder, 'encode'>, samples: readonly Sample[], firstByte: number) => {
  const whole = samples.flatMap(({ isWhole }, at) => (isWhole ? [at + 1] : []))
  return box(
    'stbl',
    full('stsd', 0, u32(1), sampleEntry(encoder)),
    full('stts', 0, u32(samples.length, ...samples.flatMap(({ ms }) => [1, ms]))),
    full('stss', 0, u32(whole.length, ...whole)),
    full('stsc', 0, u32(1, 1, samples.length, 1)),
    full('stsz', 0, u32(0, samples.length, ...samples.map(({ bytes }) => bytes))),
    full('stco', 0, u32(1, firstByte)),
  )
}

const movie = (encoder: Omit<Encoder, 'encode'>, samples: readonly Sample[], firstByte: number): Buffer => {
  const ms = samples.reduce((sum, sample) => sum + sample.ms, 0)
  const { width, height } = encoder
  const track = full('tkhd', 7, u32(0, 0, 1, 0, ms, 0, 0, 0, 0), MATRIX, u32(width << 16, height << 16))
  const media = box(
    'mdia',
    full('mdhd', 0, u32(0, 0, TICKS_PER_SECOND, ms), u16(UNDETERMINED_LANGUAGE, 0)),
    full('hdlr', 0, u32(0), Buffer.from('vide', 'latin1'), u32(0, 0, 0), Buffer.from('VideoHandle\0', 'latin1')),
    box(
      'minf',
      full('vmhd', 1, u32(0, 0)),
      box('dinf', full('dref', 0, u32(1), full('url ', 1))),
      sampleTable(encoder, samples, firstByte),
    ),
  )
  const header = full(
    'mvhd',
    0,
    u32(0, 0, TICKS_PER_SECOND, ms, 0x10000, 0x01000000, 0, 0),
    MATRIX,
    u32(0, 0, 0, 0, 0, 0, 2),
  )
  return box('moov', header, box('trak', track, media))
}

const FILE_TYPE = box('ftyp', Buffer.from('mp42', 'latin1'), u32(0), Buffer.from('isommp42', 'latin1'))
const BOX_HEADER_BYTES = 8

/** A sample as MP4 has it: its length, and the unit. */
export const sampleBytes = (unit: Uint8Array): Buffer => Buffer.concat([u32(unit.length), unit])

/** The file while it is being written: nobody can play it. */
export const unfinishedFile = (media: readonly Uint8Array[]): Buffer =>
  Buffer.concat([FILE_TYPE, u32(0), Buffer.from('mdat', 'latin1'), ...media])

export const finishedFile = (
  encoder: Omit<Encoder, 'encode'>,
  media: readonly Uint8Array[],
  samples: readonly Sample[],
): Buffer =>
  Buffer.concat([FILE_TYPE, box('mdat', ...media), movie(encoder, samples, FILE_TYPE.length + BOX_HEADER_BYTES)])
