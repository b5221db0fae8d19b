/**
 * A small H.264 encoder (baseline, without loss): the first picture whole, then what has changed. It is no match for that
 * of a phone in size, and makes the same kind of stream.
 */
import { createBits, nalUnit } from './bits.ts'
import { COLOUR_QUANTISER_OFFSET, QUANTISER, writeMacroblock } from './macroblock.ts'
import { type Frame, MACROBLOCK, type Planes, planesOf } from './planes.ts'

export const PROFILE = 66
export const COMPATIBILITY = 0xc0
export const LEVEL = 40

const UNIT = { sequence: 0x67, picture: 0x68, whole: 0x65, changed: 0x41 } as const
const FRAME_NUMBER_BITS = 4
const QUANTISER_BASE = 26
const BT709 = 1

/** Both sides are made even, for colour planes have half the size. */
const sequenceParameters = (width: number, height: number): Buffer => {
  const bits = createBits()
  const [columns, rows] = [Math.ceil(width / MACROBLOCK), Math.ceil(height / MACROBLOCK)]
  bits.fixed(PROFILE, 8)
  bits.fixed(COMPATIBILITY, 8)
  bits.fixed(LEVEL, 8)
  bits.unsigned(0)
  bits.unsigned(FRAME_NUMBER_BITS - 4)
  // Pictures are shown in the order in which they come.
  bits.unsigned(2)
  bits.unsigned(1)
  bits.fixed(0, 1)
  bits.unsigned(columns - 1)
  bits.unsigned(rows - 1)
  bits.fixed(0b11, 2)
  bits.fixed(1, 1)
  for (const spare of [0, columns * MACROBLOCK - width, 0, rows * MACROBLOCK - height]) bits.unsigned(spare >> 1)
  bits.fixed(1, 1)
  // Neither aspect ratio nor overscan; any format, limited range, and its colours.
  bits.fixed(0b00_1, 3)
  bits.fixed(0b101_0_1, 5)
  for (let times = 0; times < 3; times += 1) bits.fixed(BT709, 8)
  // No place of colour samples, no timing, no buffer models, no pictures of two halves; limits follow.
  bits.fixed(0b0_0_0_0_0_1, 6)
  bits.fixed(1, 1)
  for (const limit of [0, 0, 10, 10, 0, 1]) bits.unsigned(limit)
  return nalUnit(UNIT.sequence, bits.end())
}

const pictureParameters = (): Buffer => {
  const bits = createBits()
  bits.unsigned(0)
  bits.unsigned(0)
  bits.fixed(0b00, 2)
  bits.unsigned(0)
  bits.unsigned(0)
  bits.unsigned(0)
  bits.fixed(0b000, 3)
  bits.signed(QUANTISER - QUANTISER_BASE)
  bits.signed(0)
  bits.signed(COLOUR_QUANTISER_OFFSET)
  bits.fixed(0b100, 3)
  return nalUnit(UNIT.picture, bits.end())
}

const isSame = (one: Planes, other: Planes, column: number, row: number): boolean => {
  const areaSame = (a: Uint8Array, b: Uint8Array, stride: number, size: number) => {
    for (let y = 0; y < size; y += 1) {
      const at = (row * size + y) * stride + column * size
      for (let x = at; x < at + size; x += 1) if (a[x] !== b[x]) return false
    }
    return true
  }
  const half = one.stride / 2
  return (
    areaSame(one.luma, other.luma, one.stride, MACROBLOCK) &&
    areaSame(one.blue, other.blue, half, MACROBLOCK / 2) &&
    areaSame(one.red, other.red, half, MACROBLOCK / 2)
  )
}

const SLICE = { changed: 5, whole: 7 } as const
/** Types of intra macroblocks begin here in a picture of changes. */
const INTRA_AMONG_CHANGES = 5

const slice = (planes: Planes, before: Planes | undefined, number: number): Buffer => {
  const bits = createBits()
  bits.unsigned(0)
  bits.unsigned(before ? SLICE.changed : SLICE.whole)
  bits.unsigned(0)
  bits.fixed(number & ((1 << FRAME_NUMBER_BITS) - 1), FRAME_NUMBER_BITS)
  if (before) bits.fixed(0b000, 3)
  else {
    bits.unsigned(0)
    bits.fixed(0b00, 2)
  }
  bits.signed(0)
  // Without the filter that would smooth edges.
  bits.unsigned(1)

  const [columns, rows] = [planes.stride / MACROBLOCK, planes.rows / MACROBLOCK]
  const isRaw = new Uint8Array(columns * rows)
  let skipped = 0
  for (let index = 0; index < columns * rows; index += 1) {
    const [column, row] = [index % columns, Math.floor(index / columns)]
    if (before && isSame(planes, before, column, row)) {
      skipped += 1
      continue
    }
    if (before) bits.unsigned(skipped)
    skipped = 0
    const rawNeighbours = (column > 0 ? (isRaw[index - 1] ?? 0) : 0) + (row > 0 ? (isRaw[index - columns] ?? 0) : 0)
    const firstType = before ? INTRA_AMONG_CHANGES : 0
    if (writeMacroblock(bits, planes, { column, row, firstType, rawNeighbours })) isRaw[index] = 1
  }
  if (before && skipped > 0) bits.unsigned(skipped)
  return nalUnit(before ? UNIT.changed : UNIT.whole, bits.end())
}

export interface EncodedFrame {
  unit: Buffer
  /** A player can begin here. */
  isWhole: boolean
}

/** So many pictures of changes are followed by a whole one, where a player can jump to. */
const WHOLE_EVERY = 60

export const createEncoder = (size: { width: number; height: number }) => {
  const [width, height] = [size.width + (size.width % 2), size.height + (size.height % 2)]
  let before: Planes | undefined
  let number = 0
  return {
    width,
    height,
    sequence: sequenceParameters(width, height),
    picture: pictureParameters(),
    encode(frame: Frame): EncodedFrame {
      const planes = planesOf(frame)
      const isWhole = !before || number === WHOLE_EVERY
      if (isWhole) number = 0
      const unit = slice(planes, isWhole ? undefined : before, number)
      number += 1
      before = planes
      return { unit, isWhole }
    },
  }
}

export type Encoder = ReturnType<typeof createEncoder>

/** The units as a stream has them that is no file. */
export const annexB = (...units: readonly Uint8Array[]): Buffer =>
  Buffer.concat(units.flatMap(unit => [Buffer.from([0, 0, 0, 1]), unit]))
