/** Pictures are compared pixel by pixel, unless they cannot be those of a screen. */
import { encode } from 'fast-png'
import { expect, test } from 'vitest'
import { comparePictures } from '../../../src/flows/run/compare-pictures.ts'

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
