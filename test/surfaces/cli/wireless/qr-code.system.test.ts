/** The QR code that a phone scans: one that other readers have read, its sizes, and its form on a terminal. */
import { expect, test } from 'vitest'
import { qrCode } from '../../../../src/surfaces/cli/wireless/qr-code.ts'
import { qrText } from '../../../../src/surfaces/cli/wireless/qr-text.ts'

/** Independent decoders read the text from it. */
const READ_BY_OTHERS = [
  '#######...#.###...#.#.#######',
  '#.....#.#.#....###..#.#.....#',
  '#.###.#.....#...#.#.#.#.###.#',
  '#.###.#.###.##.##.....#.###.#',
  '#.###.#..#...##...#.#.#.###.#',
  '#.....#.##.##..#.#....#.....#',
  '#######.#.#.#.#.#.#.#.#######',
  '.........###..#.#...#........',
  '#####.####.#.#.##....#.#.#.#.',
  '#....#.##.#.###..####.#.#.##.',
  '......###.#..#.##.#.####.#...',
  '#.#.#...#...#.###.##.##.#..##',
  '.##.###..##.##.####....####..',
  '#.#.#..#.#...##..#.##.###.##.',
  '...#.##..#.###.#.##..#.#..#..',
  '#...##...###..###..#..#..#...',
  '....#.####.#...##......#.#.##',
  '#...##...##.##.....##.#.##.#.',
  '#..#..###....####.#.#........',
  '#.#.#.....#.##....#..##.#...#',
  '#...#.###...#.#####.#######..',
  '........#........#..#...#.#..',
  '#######.#.###..#.####.#.#.#..',
  '#.....#...##..#...###...##.#.',
  '#.###.#.#.##...####.#####..##',
  '#.###.#.##..###....#....#..##',
  '#.###.#.##...####.########.#.',
  '#.....#.##..##.#..#.##..##.#.',
  '#######.#.#.#.#####...###....',
]

const rowsOf = (code: readonly (readonly boolean[])[] = []) =>
  code.map(row => row.map(dark => (dark ? '#' : '.')).join(''))

test('is the code that independent decoders have read', () => {
  expect(rowsOf(qrCode('WIFI:T:ADB;S:svc-abcdEFGH;P:0123456789;;'))).toEqual(READ_BY_OTHERS)
})

test.each([
  [1, 21],
  [17, 21],
  [18, 25],
  [32, 25],
  [33, 29],
  [53, 29],
  [54, 33],
  [78, 33],
  [79, 37],
  [106, 37],
])('%i bytes fit into %i cells', (bytes, size) => {
  const rows = rowsOf(qrCode('a'.repeat(bytes)))
  expect(rows.map(row => row.length)).toEqual(new Array(size).fill(size))
  expect([rows[0]?.slice(0, 7), rows[0]?.slice(-7), rows.at(-1)?.slice(0, 7)]).toEqual(new Array(3).fill('#######'))
})

test('a text counts in bytes, and one that is too long has no code', () => {
  expect(qrCode('\u00e4'.repeat(9))).toHaveLength(25)
  expect(qrCode('a'.repeat(107))).toBeUndefined()
})

const EMPTY = ' '.repeat(11)
const SMALL = [
  [true, false, false],
  [true, true, false],
  [false, true, false],
]

test('on a terminal with colours the ink is dark on a light ground, with a margin around', () => {
  const lines = qrText(SMALL, { hasColours: true }).split('\n')
  const ink = [EMPTY, EMPTY, '    █▄     ', '     ▀     ', EMPTY, EMPTY]
  expect(lines).toEqual(ink.map(line => `\x1b[38;5;16;48;5;231m${line}\x1b[0m`))
})

test('without colours the ink is light', () => {
  const lines = qrText(SMALL, { hasColours: false }).split('\n')
  expect(lines[2]).toBe('████ ▀█████')
  expect(lines[0]).toBe('█'.repeat(11))
})
