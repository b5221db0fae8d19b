import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeFrame, frameCutter } from '../../../src/operator/wire/frames.ts'

describe('frames', () => {
  test('come out whole and in order, wherever the bytes were split', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.array(fc.nat()), (values, cuts) => {
        const bytes = Buffer.concat(values.map(encodeFrame))
        const places = [...new Set(cuts.map(cut => cut % (bytes.length + 1)))].sort((a, b) => a - b)
        const cutter = frameCutter()
        const frames = [...places, bytes.length].flatMap((to, index) =>
          cutter.push(bytes.subarray(places[index - 1] ?? 0, to)),
        )
        expect(frames.map(frame => JSON.parse(frame))).toEqual(JSON.parse(JSON.stringify(values)))
        expect(cutter.isInside()).toBe(false)
      }),
    )
  })

  test('the length is of the bytes, big-endian', () => {
    expect(Buffer.from(encodeFrame('ü')).toString('hex')).toBe('0000000422c3bc22')
  })

  test('one longer than allowed is refused when its length is known', () => {
    const cutter = frameCutter(100)
    expect(() => cutter.push(Buffer.from([0, 0, 0, 101]))).toThrow(RangeError)
    expect(() => frameCutter().push(Buffer.from([0x04, 0, 0, 1]))).toThrow('67108865')
  })

  test('a stream that ends inside a frame is told from one that ends between two', () => {
    const cutter = frameCutter()
    const bytes = encodeFrame({ a: 1 })
    cutter.push(bytes.subarray(0, 2))
    expect(cutter.isInside()).toBe(true)
    cutter.push(bytes.subarray(2, 5))
    expect(cutter.isInside()).toBe(true)
    expect(cutter.push(bytes.subarray(5))).toEqual(['{"a":1}'])
    expect(cutter.isInside()).toBe(false)
  })

  test('an empty frame is a frame', () => {
    expect(frameCutter().push(Buffer.from([0, 0, 0, 0, 0, 0, 0, 1, 0x31]))).toEqual(['', '1'])
  })
})
