import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCanvas } from '../../../src/simulator/render/canvas.ts'
import { glyphOf, linesOf, widthOf } from '../../../src/simulator/render/typesetting.ts'

const PRINTABLE = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i))

describe('the font', () => {
  test('has every printable character of ASCII, each with a look of its own', () => {
    const looks = PRINTABLE.map(letter => JSON.stringify(glyphOf(letter)))
    expect(new Set(looks).size).toBe(PRINTABLE.length)
    expect(looks).not.toContain(JSON.stringify(glyphOf('漢')))
  })

  test.each(PRINTABLE)('%s fits its five by nine pixels', letter => {
    const { width, rows } = glyphOf(letter)
    expect(width).toBeLessThanOrEqual(5)
    expect(rows.length).toBeLessThanOrEqual(9)
    expect(rows.every(row => Number.isInteger(row) && row >= 0 && row < 2 ** width)).toBe(true)
  })

  test('leaves accents out and draws a box for the rest', () => {
    expect(glyphOf('é')).toBe(glyphOf('e'))
    expect(glyphOf('漢')).toBe(glyphOf('😀'))
  })

  test('is drawn as it is, at any scale', () => {
    const canvas = createCanvas(12, 18, '#ffffff')
    canvas.text('T', 0, 0, 2, '#000000')
    const rows = Array.from({ length: 3 }, (_, y) =>
      [...canvas.pixels.subarray(y * 2 * 12, y * 2 * 12 + 10)]
        .map(pixel => (pixel === 0xffff_ffff ? ' ' : '#'))
        .join(''),
    )
    expect(rows).toEqual(['##########', '    ##    ', '    ##    '])
  })
})

describe('lines', () => {
  test('break at blanks, and inside a word only when it must be', () => {
    const room = widthOf('hello there')
    expect(linesOf('hello there you', room)).toEqual(['hello there', 'you'])
    expect(linesOf('a\nb', room)).toEqual(['a', 'b'])
    expect(linesOf('m'.repeat(50), room).every(line => widthOf(line) <= room)).toBe(true)
    expect(linesOf('one two three four five', room, 1)).toEqual(['one two'])
  })

  test('keep every letter and fit', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme-ascii', maxLength: 200 }),
        fc.integer({ min: 6, max: 300 }),
        (text, room) => {
          const lines = linesOf(text, room, Number.POSITIVE_INFINITY)
          expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
          expect(lines.every(line => widthOf(line.trim()) <= room)).toBe(true)
        },
      ),
    )
  })
})

test('nothing is drawn outside the edge that is set', () => {
  const canvas = createCanvas(10, 10, '#ffffff')
  canvas.within({ left: 2, top: 2, right: 5, bottom: 5 }, () => {
    canvas.rectangle({ left: -5, top: -5, right: 20, bottom: 20 }, '#ff0000')
    canvas.text('MMMM', 0, 0, 1, '#00ff00')
  })
  const painted = [...canvas.pixels.entries()].filter(([, pixel]) => pixel !== 0xffff_ffff).map(([at]) => at)
  expect(painted.every(at => at % 10 >= 2 && at % 10 < 5 && at >= 20 && at < 50)).toBe(true)
  expect(painted).toHaveLength(9)
})
