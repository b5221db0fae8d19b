import { deflateSync } from 'node:zlib'
import { decode, encode } from 'fast-png'
import { describe, expect, test } from 'vitest'
import { cropPng } from '../../src/device/crop-png.ts'
import { systemClock } from '../../src/runtime/clock.ts'

const clock = systemClock()
const bounds = (left: number, top: number, right: number, bottom: number) => ({ left, top, right, bottom })

/** Each pixel holds its own place. */
const picture = (width: number, height: number, channels: 3 | 4) => {
  const data = Uint8Array.from({ length: width * height * channels }, (_, at) => {
    const pixel = Math.floor(at / channels)
    return [pixel % width, Math.floor(pixel / width), pixel % 7, 255][at % channels] ?? 0
  })
  return encode({ width, height, channels, depth: 8, data })
}

/** The rows of a picture with each filter in turn. */
const filtered = (width: number, height: number): Uint8Array => {
  const plain = decode(picture(width, height, 4)).data
  const at = (x: number, y: number) => (x < 0 || y < 0 ? 0 : (plain[y * width * 4 + x] ?? 0))
  const paeth = (a: number, b: number, c: number) => {
    const p = a + b - c
    const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)]
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c
  }
  const rows: number[] = []
  for (let y = 0; y < height; y++) {
    const kind = y % 5
    rows.push(kind)
    for (let x = 0; x < width * 4; x++) {
      const [left, up, corner] = [at(x - 4, y), at(x, y - 1), x < 4 ? 0 : at(x - 4, y - 1)]
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][kind] ?? 0
      rows.push((at(x, y) - guess) & 0xff)
    }
  }
  const encoded = Buffer.from(encode({ width, height, channels: 4, depth: 8, data: plain as Uint8Array }))
  const start = encoded.indexOf('IDAT') - 4
  const data = deflateSync(Buffer.from(rows))
  const chunk = Buffer.alloc(data.length + 12)
  chunk.writeUInt32BE(data.length, 0)
  chunk.write('IDAT', 4, 'latin1')
  data.copy(chunk, 8)
  return Buffer.concat([encoded.subarray(0, start), chunk, encoded.subarray(encoded.indexOf('IEND') - 4)])
}

/** Of a few hundred bytes that say they are a picture of that size. */
const announcing = (width: number, height: number): Uint8Array => {
  const png = Buffer.from(picture(10, 10, 4))
  png.writeUInt32BE(width, 16)
  png.writeUInt32BE(height, 20)
  return png
}

const cropped = async (png: Uint8Array, part: ReturnType<typeof bounds>) => {
  const result = await cropPng(png, part, { clock })
  if (!result.ok) throw new Error(result.problem)
  const { width, height, data, channels } = decode(result.png)
  return { width, height, first: [...data.slice(0, channels)], last: [...data.slice(-channels)] }
}

describe.each([
  ['without alpha', (width: number, height: number) => picture(width, height, 3), [] as number[]],
  ['with alpha', (width: number, height: number) => picture(width, height, 4), [255]],
  ['with each filter', filtered, [255]],
])('%s', (_name, make, alpha) => {
  test('cuts the part out', async () => {
    expect(await cropped(make(40, 30), bounds(5, 7, 15, 27))).toEqual({
      ...{ width: 10, height: 20 },
      first: [5, 7, (7 * 40 + 5) % 7, ...alpha],
      last: [14, 26, (26 * 40 + 14) % 7, ...alpha],
    })
  })

  test('cuts what lies on the picture', async () => {
    expect(await cropped(make(40, 30), bounds(-5, 20, 500, 500))).toMatchObject({ width: 40, height: 10 })
  })
})

test.each([
  ['a node beside the picture', picture(10, 10, 4), bounds(20, 0, 30, 10), 'is not on the picture'],
  ['no picture', Buffer.from('no picture at all'), bounds(0, 0, 5, 5), 'has no header'],
  ['a picture of a billion pixels', announcing(40_000, 25_000), bounds(0, 0, 5, 5), 'more than any screen'],
  ['a picture that is cut off', picture(10, 10, 4).subarray(0, 60), bounds(0, 0, 5, 5), 'cannot be read'],
])('%s is a problem in words', async (_name, png, part, problem) => {
  expect(await cropPng(png, part, { clock })).toMatchObject({ ok: false, problem: expect.stringContaining(problem) })
})
