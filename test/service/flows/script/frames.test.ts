/** Messages come whole, however their bytes are cut. */
import { expect, test } from 'vitest'
import { createFrameReader, encodeFrame, FRAME_BYTES_MAX } from '../../../../src/service/flows/script/frames.ts'

test('frames that come in pieces, and several at once', () => {
  const frames = [
    { head: { type: 'a', text: 'ä\n' }, body: '' },
    { head: 1, body: 'b\u{1f600}'.repeat(10) },
    { head: null, body: 'c' },
  ]
  const bytes = Buffer.concat(frames.map(({ head, body }) => encodeFrame(head, body)))
  for (const size of [1, 3, 8, 50, bytes.length]) {
    const read = createFrameReader()
    const found = []
    for (let at = 0; at < bytes.length; at += size) found.push(...read(bytes.subarray(at, at + size)))
    expect(found, `cut to ${size} bytes`).toEqual(frames)
  }
})

test('one that claims to be too long is refused at once', () => {
  const bytes = encodeFrame(1)
  bytes.writeUInt32LE(FRAME_BYTES_MAX, 4)
  expect(() => createFrameReader()(bytes)).toThrow('too long')
})
