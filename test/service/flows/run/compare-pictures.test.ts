/** Pictures are compared pixel by pixel, unless they cannot be those of a screen. */
import { decode, encode } from 'fast-png'
import { expect, test } from 'vitest'
import { comparePictures } from '../../../../src/service/flows/run/compare-pictures.ts'

const grey = (...levels: readonly number[]) =>
  encode({ width: 2, height: 2, channels: 1, data: Uint8Array.from(levels) })

test('the share of equal pixels is told', async () => {
  expect(await comparePictures(grey(0, 0, 0, 0), grey(0, 0, 10, 200))).toMatchObject({
    kind: 'compared',
    samePercent: 75,
  })
})

test('a picture that announces billions of pixels is refused before there is room for them', async () => {
  const huge = Buffer.from(grey(0, 0, 0, 0))
  huge.writeUInt32BE(100_000, 16)
  huge.writeUInt32BE(100_000, 20)
  await expect(comparePictures(grey(0, 0, 0, 0), huge)).rejects.toThrow('100000x100000 pixels, more than any screen')
})

test('bytes that are no picture are refused', async () => {
  await expect(comparePictures(grey(0, 0, 0, 0), Buffer.from('no picture'))).rejects.toThrow()
})

const picture = (width: number, height: number, channels: 1 | 2 | 3 | 4, ...data: readonly number[]) =>
  encode({ width, height, channels, data: Uint8Array.from(data) })

test('pictures of other sizes are not compared, and both sizes are told', async () => {
  const one = picture(2, 1, 1, 0, 0)
  expect(await comparePictures(one, picture(1, 2, 1, 0, 0))).toEqual({ kind: 'size', expected: '2x1', actual: '1x2' })
  expect(await comparePictures(one, picture(2, 2, 1, 0, 0, 0, 0))).toMatchObject({ actual: '2x2' })
  expect(await comparePictures(one, picture(3, 1, 1, 0, 0, 0))).toMatchObject({ actual: '3x1' })
})

test.each([
  ['red', [40, 0, 0]],
  ['green', [0, 40, 0]],
  ['blue', [0, 0, 40]],
])('a pixel that differs in %s alone is different', async (_, colour) => {
  const black = picture(2, 1, 3, 0, 0, 0, 0, 0, 0)
  expect(await comparePictures(black, picture(2, 1, 3, 0, 0, 0, ...colour))).toMatchObject({ samePercent: 50 })
})

test('what the eye does not see is the same: a little of a colour, transparency, and how colours are written', async () => {
  const rgb = picture(1, 1, 3, 100, 100, 100)
  const same = [picture(1, 1, 3, 125, 75, 100), picture(1, 1, 1, 100), picture(1, 1, 2, 100, 7)]
  const deep = encode({ width: 1, height: 1, channels: 1, depth: 16, data: Uint16Array.of(100 * 257) })
  for (const other of [...same, picture(1, 1, 4, 100, 100, 100, 7), deep])
    expect(await comparePictures(rgb, other)).toMatchObject({ samePercent: 100 })
  expect(await comparePictures(rgb, picture(1, 1, 3, 126, 100, 100))).toMatchObject({ samePercent: 0 })
})

test('the picture of the difference is red where they differ, and faded elsewhere', async () => {
  const compared = await comparePictures(picture(2, 1, 3, 0, 0, 0, 9, 9, 9), picture(2, 1, 3, 0, 100, 200, 9, 9, 9))
  if (compared.kind !== 'compared') throw new Error('the sizes differ')
  const { width, height, channels, data } = decode(await compared.difference())
  expect([width, height, channels]).toEqual([2, 1, 3])
  expect([...data].slice(0, 3)).toEqual([255, 0, 0])
  expect([...data].slice(3)).toEqual(Array(3).fill(255 - Math.ceil((255 - 9) * 0.25)))
})
