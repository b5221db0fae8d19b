/**
 * A QR code of up to 106 bytes (ISO/IEC 18004): byte mode, error correction level L, versions 1 to 5, which have one
 * block and no version information.
 */

interface Version {
  size: number
  dataBytes: number
  checkBytes: number
  /** Centre of the alignment pattern; undefined for version 1. */
  alignment: number | undefined
}

const VERSIONS: readonly Version[] = [
  { size: 21, dataBytes: 19, checkBytes: 7, alignment: undefined },
  { size: 25, dataBytes: 34, checkBytes: 10, alignment: 18 },
  { size: 29, dataBytes: 55, checkBytes: 15, alignment: 22 },
  { size: 33, dataBytes: 80, checkBytes: 20, alignment: 26 },
  { size: 37, dataBytes: 108, checkBytes: 26, alignment: 30 },
]

const BYTE_MODE = 0b0100
const PADDING = [0xec, 0x11] as const
/** Mode and length take twelve bits. */
const HEAD_BYTES = 2
const LEVEL_L = 0b01
const FORMAT_POLYNOMIAL = 0b10100110111
const FORMAT_MASK = 0b101010000010010
const FIELD_POLYNOMIAL = 0x11d
const FINDER = 7
const TIMING = 6

/** Products in the field of 256 elements. */
const multiply = (a: number, b: number): number => {
  let product = 0
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * FIELD_POLYNOMIAL)
    product ^= ((b >> bit) & 1) * a
  }
  return product
}

/** The remainder of the data by the Reed-Solomon generator of that degree. */
const checkBytesOf = (data: readonly number[], degree: number): number[] => {
  let generator = [1]
  let root = 1
  for (let index = 0; index < degree; index++) {
    const next = [...generator, 0]
    generator.forEach((coefficient, at) => {
      next[at + 1] = (next[at + 1] ?? 0) ^ multiply(coefficient, root)
    })
    generator = next
    root = multiply(root, 2)
  }
  let remainder = new Array<number>(degree).fill(0)
  for (const byte of data) {
    const factor = byte ^ (remainder[0] ?? 0)
    remainder = [...remainder.slice(1), 0].map((value, at) => value ^ multiply(generator[at + 1] ?? 0, factor))
  }
  return remainder
}

const bitsOf = (value: number, length: number): number[] =>
  Array.from({ length }, (_, index) => (value >> (length - 1 - index)) & 1)

const codewords = (content: Uint8Array, { dataBytes, checkBytes }: Version): number[] => {
  const bits = [...bitsOf(BYTE_MODE, 4), ...bitsOf(content.length, 8), ...[...content].flatMap(byte => bitsOf(byte, 8))]
  while (bits.length % 8 !== 0) bits.push(0)
  const data = Array.from({ length: bits.length / 8 }, (_, at) =>
    Number.parseInt(bits.slice(at * 8, at * 8 + 8).join(''), 2),
  )
  for (let at = 0; data.length < dataBytes; at++) data.push(PADDING[at % 2] ?? 0)
  return [...data, ...checkBytesOf(data, checkBytes)]
}

type Cells = (boolean | undefined)[][]

/** Patterns that are the same in every code of this size. */
const fixedCells = ({ size, alignment }: Version): Cells => {
  const cells: Cells = Array.from({ length: size }, () => new Array<boolean | undefined>(size).fill(undefined))
  const set = (row: number, column: number, dark: boolean) => {
    const line = cells[row]
    if (line && column >= 0 && column < size) line[column] = dark
  }
  const square = (top: number, left: number, isDark: (distance: number) => boolean, radius: number) => {
    for (let row = -radius; row <= radius; row++) {
      for (let column = -radius; column <= radius; column++) {
        set(top + row, left + column, isDark(Math.max(Math.abs(row), Math.abs(column))))
      }
    }
  }
  for (let at = 0; at < size; at++) {
    set(TIMING, at, at % 2 === 0)
    set(at, TIMING, at % 2 === 0)
  }
  const edge = size - 4
  for (const [top, left] of [
    [3, 3],
    [3, edge],
    [edge, 3],
  ] as const)
    square(top, left, far => far !== 2 && far < 4, 4)
  if (alignment !== undefined) square(alignment, alignment, far => far !== 1, 2)
  return cells
}

/** Where each of the fifteen bits of the format stands, twice, from the first bit on. */
const formatPlaces = (size: number): readonly (readonly [row: number, column: number])[][] => {
  const along = [0, 1, 2, 3, 4, 5, 7, 8]
  const first = [
    ...along.map(column => [FINDER + 1, column] as const),
    ...along
      .slice(0, 7)
      .reverse()
      .map(row => [row, FINDER + 1] as const),
  ]
  const second = [
    ...Array.from({ length: 7 }, (_, at) => [size - 1 - at, FINDER + 1] as const),
    ...Array.from({ length: 8 }, (_, at) => [FINDER + 1, size - 8 + at] as const),
  ]
  return [first, second]
}

const formatBits = (mask: number): number[] => {
  const data = (LEVEL_L << 3) | mask
  let remainder = data << 10
  for (let bit = 14; bit >= 10; bit--) if ((remainder >> bit) & 1) remainder ^= FORMAT_POLYNOMIAL << (bit - 10)
  return bitsOf(((data << 10) | remainder) ^ FORMAT_MASK, 15)
}

const MASKS: readonly ((row: number, column: number) => boolean)[] = [
  (row, column) => (row + column) % 2 === 0,
  row => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
]

/** In pairs of columns from the right, up and down by turns; the timing column belongs to no pair. */
function* dataPlaces(cells: Cells): Generator<readonly [row: number, column: number]> {
  const { length: size } = cells
  let isUp = true
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === TIMING) right -= 1
    for (let step = 0; step < size; step++) {
      const row = isUp ? size - 1 - step : step
      for (const column of [right, right - 1]) if (cells[row]?.[column] === undefined) yield [row, column]
    }
    isUp = !isUp
  }
}

const RUN = /0{5,}|1{5,}/g
const LIKE_FINDER = /(?=10111010000|00001011101)/g

/** How hard a code is to read: long runs, blocks, patterns like those of the corners, and an uneven share of dark. */
const penaltyOf = (rows: readonly (readonly boolean[])[]): number => {
  const lines = rows.map(row => row.map(Number).join(''))
  const columns = rows.map((_, at) => rows.map(row => Number(row[at])).join(''))
  let penalty = 0
  for (const line of [...lines, ...columns]) {
    for (const [run] of line.matchAll(RUN)) penalty += run.length - 2
    penalty += 40 * [...line.matchAll(LIKE_FINDER)].length
  }
  for (let row = 1; row < rows.length; row++) {
    for (let column = 1; column < rows.length; column++) {
      const block = [rows[row]?.[column], rows[row - 1]?.[column], rows[row]?.[column - 1], rows[row - 1]?.[column - 1]]
      if (block.every(dark => dark === block[0])) penalty += 3
    }
  }
  const dark = lines.join('').replaceAll('0', '').length / rows.length ** 2
  return penalty + 10 * Math.floor(Math.abs(dark * 20 - 10))
}

/** Rows of cells, true for dark; undefined for a text that is too long. The quiet zone around it is left to the caller. */
export const qrCode = (text: string): readonly (readonly boolean[])[] | undefined => {
  const content = Buffer.from(text)
  const version = VERSIONS.find(({ dataBytes }) => content.length + HEAD_BYTES <= dataBytes)
  if (!version) return undefined
  const bits = codewords(content, version).flatMap(byte => bitsOf(byte, 8))
  const fixed = fixedCells(version)
  const formats = formatPlaces(version.size)
  // The format cells belong to no data, whatever they will hold.
  for (const [row, column] of formats.flat()) if (fixed[row]) fixed[row][column] = false
  const darkCell = fixed[version.size - 8]
  if (darkCell) darkCell[FINDER + 1] = true
  const places = [...dataPlaces(fixed)]
  const candidates = MASKS.map((isMasked, mask) => {
    const cells = fixed.map(row => row.map(cell => cell === true))
    places.forEach(([row, column], at) => {
      const line = cells[row]
      if (line) line[column] = Boolean(bits[at]) !== isMasked(row, column)
    })
    const format = formatBits(mask)
    for (const copy of formats) {
      copy.forEach(([row, column], at) => {
        const line = cells[row]
        if (line) line[column] = format[at] === 1
      })
    }
    return { cells, penalty: penaltyOf(cells) }
  })
  return candidates.reduce((best, each) => (each.penalty < best.penalty ? each : best)).cells
}
