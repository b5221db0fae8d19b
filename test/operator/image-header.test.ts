import fc from 'fast-check'
import { expect, test } from 'vitest'
import { IMAGE_HEADER_BYTES, isImage } from '../../src/operator/image-header.ts'
import { smallImages } from '../support/small-images.ts'
import { smallPng } from '../support/small-png.ts'

const images = Object.entries({ ...smallImages, png: Buffer.from(smallPng) })

test.each(images)('a picture: %s', (_, bytes) => {
  expect(isImage(bytes, bytes.length)).toBe(true)
})

test.each(images)('what begins like one and is cut short is none: %s', (_, bytes) => {
  for (const length of [2, 4, 6, 12]) expect(isImage(bytes.subarray(0, length), length)).toBe(false)
})

test('a text is no picture, however it begins', () => {
  const beginnings = fc.constantFrom(
    'BM',
    'GIF87a',
    'GIF89a',
    'GIF89a\u0001',
    '\u0089PNG\r\n',
    'RIFFsizeWEBPVP8 ',
    'RIFF',
    '\u00ff\u00d8\u00ff',
  )
  const rest = fc.string({ unit: fc.constantFrom(...' \t\nabcGI,;!.0', '\u00e9', '\u00ff'), maxLength: 60 })
  fc.assert(
    fc.property(beginnings, rest, fc.constantFrom('latin1', 'utf8'), (begin, end, encoding) => {
      const bytes = Buffer.from(begin + end, encoding as BufferEncoding)
      expect(isImage(bytes, bytes.length)).toBe(false)
    }),
    { numRuns: 2_000 },
  )
})

test('a JPEG with a long first segment is known by what fits', () => {
  const long = Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0xff, 0xff]),
    Buffer.alloc(65_533),
    Buffer.from([0xff, 0xdb]),
  ])
  expect(long.length).toBeLessThan(IMAGE_HEADER_BYTES)
  expect(isImage(long, long.length)).toBe(true)
})
