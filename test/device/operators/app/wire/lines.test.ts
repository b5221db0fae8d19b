import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Line, lineCutter } from '../../../../../src/device/operators/app/wire/lines.ts'

/** Cuts the bytes at the given places and feeds the pieces. */
const read = (bytes: Uint8Array, cuts: readonly number[], bytesMax?: number): Line[] => {
  const cutter = lineCutter(bytesMax)
  const places = [...new Set(cuts.map(cut => cut % (bytes.length + 1)))].sort((a, b) => a - b)
  const pieces = [...places, bytes.length].map((to, index) => bytes.subarray(places[index - 1] ?? 0, to))
  return [...pieces.flatMap(piece => cutter.push(piece)), ...cutter.end()]
}
const text = fc.string({ unit: 'binary' }).map(value => value.replaceAll(/[\n\r]/g, ' '))

describe('lines', () => {
  test('come out whole, wherever the bytes were split, also inside a character', () => {
    fc.assert(
      fc.property(fc.array(text), fc.array(fc.nat()), fc.boolean(), (texts, cuts, newlineAtEnd) => {
        const bytes = Buffer.from(texts.join('\n') + (newlineAtEnd ? '\n' : ''))
        const shown = bytes.toString()
        const expected = shown.split('\n').map((line, index, all) => {
          return { text: line, end: index === all.length - 1 ? 'stream' : 'newline' }
        })
        if (expected.at(-1)?.text === '') expected.pop()
        expect(read(bytes, cuts)).toEqual(expected)
      }),
    )
  })

  test('longer than the bound are cut there and the rest of them is dropped, wherever the bytes were split', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(40), { maxLength: 8 }), fc.array(fc.nat()), (lengths, cuts) => {
        const bytes = Buffer.from(`${lengths.map((length, index) => `${index}`.repeat(length)).join('\n')}\n`)
        const expected = lengths.map((length, index) => ({
          text: `${index}`.repeat(Math.min(length, 16)),
          end: length > 16 ? 'cut' : 'newline',
        }))
        expect(read(bytes, cuts, 16)).toEqual(lengths.length === 0 ? [{ text: '', end: 'newline' }] : expected)
      }),
    )
  })

  test('a line that is dropped when the stream ends is not handed out twice', () => {
    expect(read(Buffer.from('12345'), [2], 4)).toEqual([{ text: '1234', end: 'cut' }])
  })

  test('a carriage return at the end belongs to the line break', () => {
    expect(read(Buffer.from('a\r\nb\rc\r'), [])).toEqual([
      { text: 'a', end: 'newline' },
      { text: 'b\rc', end: 'stream' },
    ])
  })

  test('a long line in single bytes keeps no more than twice its length', () => {
    const cutter = lineCutter()
    const before = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed
    const byte = Buffer.from('x')
    for (let index = 0; index < 400_000; index++) cutter.push(byte)
    const grown = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed - before
    expect(cutter.end()[0]?.text).toHaveLength(400_000)
    expect(grown).toBeLessThan(64 * 1_024 * 1_024)
  })
})
