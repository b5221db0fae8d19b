/** The QR code that a phone scans: one that other readers have read, and its form on a terminal. */
import { encode } from 'uqr'
import { expect, test } from 'vitest'
import { qrText } from '../../../../src/surfaces/cli/wireless/pair.ts'

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
  expect(rowsOf(encode('WIFI:T:ADB;S:svc-abcdEFGH;P:0123456789;;', { ecc: 'L', border: 0 }).data)).toEqual(
    READ_BY_OTHERS,
  )
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
