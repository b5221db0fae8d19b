import { expect, test } from 'vitest'
import type { Frame } from '../../../src/simulator/video/planes.ts'
import { createRecorder } from '../../../src/simulator/video/recorder.ts'
import { needs } from '../../support/needs.ts'
import { browsing } from '../../support/pictures/browser.ts'

const [WIDTH, HEIGHT] = [120, 202]

const pixel = (red: number, green: number, blue: number) => (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0

/** Plain areas, an edge that moves, and a corner in which no two pixels are alike. */
const frameOf = (moment: number): Frame => {
  const pixels = new Uint32Array(WIDTH * HEIGHT).fill(pixel(240, 240, 255))
  for (let y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) {
      if (y < 40) pixels[y * WIDTH + x] = pixel((x * 7 + moment * 13) & 0xff, (y * 5) & 0xff, (x * y) & 0xff)
      else if (y > 150) pixels[y * WIDTH + x] = pixel(moment * 40, 200 - moment * 40, 80)
      else if (y > 90 && y < 110 && x < 20 + moment * 20) pixels[y * WIDTH + x] = pixel(200, 0, 0)
    }
  }
  return { width: WIDTH, height: HEIGHT, pixels }
}

const videoOf = (moments: readonly number[]): Buffer => {
  const size = { width: WIDTH, height: HEIGHT }
  const recorder = createRecorder(size, size)
  for (const moment of moments) recorder.take(frameOf(moment), moment * 1_000)
  return recorder.finished(moments.length * 1_000)
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

test.skipIf(!needs('chromium'))('a browser plays the video, and shows the picture of each moment', async () => {
  const { page } = await open('data:text/html,<title>video</title>')
  const source = `data:video/mp4;base64,${videoOf([0, 1, 2, 3, 4]).toString('base64')}`
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
