import { expect, test } from 'vitest'
import type { Frame } from '../../../src/simulator/video/still-picture.ts'
import { stillVideo } from '../../../src/simulator/video/still-video.ts'
import { needs } from '../../support/needs.ts'
import { browsing } from '../../support/pictures/browser.ts'

const [WIDTH, HEIGHT] = [120, 202]

const pixel = (red: number, green: number, blue: number) => (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0

/** Plain areas, an edge, and a corner in which no two pixels are alike. */
const frame = (): Frame => {
  const pixels = Uint32Array.from({ length: WIDTH * HEIGHT }, (_, at) => {
    const [x, y] = [at % WIDTH, Math.floor(at / WIDTH)]
    if (y < 40) return pixel((x * 7) & 0xff, (y * 5) & 0xff, (x * y) & 0xff)
    if (y > 150) return pixel(120, 80, 80)
    return y > 90 && y < 110 && x < 80 ? pixel(200, 0, 0) : pixel(240, 240, 255)
  })
  return { width: WIDTH, height: HEIGHT, pixels }
}

const { open } = browsing()

/** The colours that a page shows at a time of the video. */
const SHOWN = `(async ([source, seconds, points]) => {
  const video = document.createElement('video')
  video.muted = true
  const ready = new Promise((resolve, reject) => {
    video.onseeked = resolve
    video.onerror = () => reject(new Error(video.error.message))
  })
  video.onloadedmetadata = () => { video.currentTime = seconds }
  video.src = source
  await ready
  const canvas = document.createElement('canvas')
  canvas.width = video.videoWidth
  canvas.height = video.videoHeight
  const context = canvas.getContext('2d', { willReadFrequently: true })
  // A picture that is decoded but not handed over yet leaves the canvas empty.
  for (let tries = 0; tries < 250 && context.getImageData(0, 0, 1, 1).data[3] === 0; tries++) {
    await new Promise(resolve => setTimeout(resolve, 20))
    context.drawImage(video, 0, 0)
  }
  const colours = points.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data].slice(0, 3))
  return { width: video.videoWidth, height: video.videoHeight, seconds: video.duration, colours }
})`

test.skipIf(!needs('chromium'))('a browser plays the video, and shows its picture to the end', async () => {
  const { page } = await open('data:text/html,<title>video</title>')
  const size = { width: WIDTH, height: HEIGHT }
  const source = `data:video/mp4;base64,${stillVideo(frame(), size, size).finished(5_000).toString('base64')}`
  const points = [
    [60, 60],
    [60, 180],
    [70, 100],
  ]
  const shown = (await page.evaluate(`${SHOWN}(${JSON.stringify([source, 3.5, points])})`)) as {
    colours: number[][]
  }
  expect(shown).toMatchObject({ width: WIDTH, height: HEIGHT, seconds: 5 })
  const expected = [
    [240, 240, 255],
    [120, 80, 80],
    [200, 0, 0],
  ]
  for (const [at, colour] of expected.entries())
    for (const [channel, value] of colour.entries())
      expect(Math.abs((shown.colours[at]?.[channel] ?? -99) - value), `${at}/${channel}`).toBeLessThan(8)
})
