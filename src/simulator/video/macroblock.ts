/**
 * Codes one macroblock without loss. Where every plane differs from its prediction by one number (plain areas, and edges
 * that go on) the prediction and those numbers are enough; any other macroblock is sent sample by sample (I_PCM).
 */
import type { Bits } from './bits.ts'
import type { Planes } from './planes.ts'

/** All macroblocks that are not skipped have it. With it, and the offset of colour, one pixel is 1.6 steps in every plane. */
export const QUANTISER = 24
export const COLOUR_QUANTISER_OFFSET = -6

interface Block {
  samples: Uint8Array
  stride: number
  /** The first sample. */
  at: number
  size: number
  hasAbove: boolean
  hasLeft: boolean
}

type Prediction = 'above' | 'left' | 'plain'

/** A block without a neighbour is predicted from this. */
const UNKNOWN = 128

/** The number by which all samples differ from the prediction; undefined when they do not differ by one. */
const differenceFrom = (prediction: Prediction, { samples, stride, at, size }: Block): number | undefined => {
  const predicted = (x: number, y: number): number => {
    if (prediction === 'plain') return UNKNOWN
    return samples[prediction === 'above' ? at - stride + x : at + y * stride - 1] as number
  }
  const difference = (samples[at] as number) - predicted(0, 0)
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      if ((samples[at + y * stride + x] as number) - predicted(x, y) !== difference) return undefined
    }
  }
  return difference
}

interface Predicted {
  prediction: Prediction
  differences: readonly number[]
}

/** Planes that are predicted alike. */
const predict = (blocks: readonly Block[]): Predicted | undefined => {
  const [{ hasAbove, hasLeft }] = blocks as [Block]
  const possible: Prediction[] = [
    ...(hasAbove ? (['above'] as const) : []),
    ...(hasLeft ? (['left'] as const) : []),
    ...(hasAbove || hasLeft ? [] : (['plain'] as const)),
  ]
  for (const prediction of possible) {
    const differences = blocks.map(block => differenceFrom(prediction, block))
    if (differences.every(difference => difference !== undefined)) return { prediction, differences }
  }
  return undefined
}

/** The coefficient that a decoder turns into exactly this difference. */
const coefficientFor = (difference: number): number => Math.round(difference * 1.6)

/** Codes of the number of coefficients, by what the neighbours have: none, one that is a one, one that is larger. */
const COUNTS = {
  few: ['1', '01', '000101'],
  many: ['000011', '000001', '000000'],
  colour: ['01', '1', '000111'],
} as const

const LAST_UNARY = 14
const ESCAPE_FROM = 30
const ESCAPE_BITS = 12

const writeLevel = (bits: Bits, level: number) => {
  const code = (level > 0 ? 2 * level - 2 : -2 * level - 1) - 2
  const prefix = code < LAST_UNARY ? code : code < ESCAPE_FROM ? LAST_UNARY : LAST_UNARY + 1
  bits.fixed(0, prefix)
  bits.fixed(1, 1)
  if (prefix === LAST_UNARY) bits.fixed(code - LAST_UNARY, 4)
  else if (prefix > LAST_UNARY) bits.fixed(code - ESCAPE_FROM, ESCAPE_BITS)
}

/** At most one coefficient, the first. */
const writeCoefficient = (bits: Bits, level: number, counts: keyof typeof COUNTS) => {
  const size = Math.abs(level)
  bits.code(COUNTS[counts][Math.min(size, 2)] ?? '')
  if (size === 0) return
  if (size === 1) bits.fixed(level < 0 ? 1 : 0, 1)
  else writeLevel(bits, level)
  // No zeros stand before it.
  bits.fixed(1, 1)
}

/** A whole macroblock in a row of samples per plane. */
const rawSamples = (blocks: readonly Block[]): Buffer =>
  Buffer.concat(
    blocks.flatMap(({ samples, stride, at, size }) =>
      Array.from({ length: size }, (_, y) => samples.subarray(at + y * stride, at + y * stride + size)),
    ),
  )

const LUMA_MODES: Readonly<Record<Prediction, number>> = { above: 0, left: 1, plain: 2 }
const COLOUR_MODES: Readonly<Record<Prediction, number>> = { plain: 0, left: 1, above: 2 }
const INTRA_16X16 = 1
const WITH_COLOUR = 4
const RAW = 25

const blocksOf = ({ stride, luma, blue, red }: Planes, column: number, row: number) => {
  const near = { hasAbove: row > 0, hasLeft: column > 0 }
  const block = (samples: Uint8Array, across: number, size: number): Block => ({
    ...near,
    samples,
    stride: across,
    at: row * size * across + column * size,
    size,
  })
  return { luma: block(luma, stride, 16), colour: [block(blue, stride / 2, 8), block(red, stride / 2, 8)] }
}

/** `firstType` is the number that the type of an intra macroblock begins at. Says whether it was sent as samples. */
export const writeMacroblock = (
  bits: Bits,
  planes: Planes,
  { column, row, firstType, rawNeighbours }: { column: number; row: number; firstType: number; rawNeighbours: number },
): boolean => {
  const { luma, colour } = blocksOf(planes, column, row)
  const light = predict([luma])
  const tint = light && predict(colour)
  if (!light || !tint) {
    bits.unsigned(firstType + RAW)
    bits.align()
    bits.append(rawSamples([luma, ...colour]))
    return true
  }
  const tinted = tint.differences.some(difference => difference !== 0)
  bits.unsigned(firstType + INTRA_16X16 + LUMA_MODES[light.prediction] + (tinted ? WITH_COLOUR : 0))
  bits.unsigned(COLOUR_MODES[tint.prediction])
  bits.signed(0)
  writeCoefficient(bits, coefficientFor(light.differences[0] ?? 0), rawNeighbours > 0 ? 'many' : 'few')
  if (tinted) for (const difference of tint.differences) writeCoefficient(bits, coefficientFor(difference), 'colour')
  return false
}
