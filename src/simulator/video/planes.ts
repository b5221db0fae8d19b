/** A picture as video has it: luma for each pixel, two colour planes of half the size, and whole macroblocks. */

/** Row after row, each pixel with red in its lowest byte, then green and blue. */
export interface Frame {
  width: number
  height: number
  pixels: Uint32Array
}

export interface Planes {
  /** Samples in a row of luma, a multiple of 16; a row of a colour plane has half as many. */
  stride: number
  rows: number
  luma: Uint8Array
  blue: Uint8Array
  red: Uint8Array
}

export const MACROBLOCK = 16

const whole = (size: number) => Math.ceil(size / MACROBLOCK) * MACROBLOCK

const [RED, GREEN, BLUE] = [0, 8, 16]
const part = (pixel: number, shift: number) => (pixel >>> shift) & 0xff

/** BT.709 with limited range. */
const lumaOf = (pixel: number) =>
  Math.round(16 + 0.1826 * part(pixel, RED) + 0.6142 * part(pixel, GREEN) + 0.062 * part(pixel, BLUE))

/** The edge is repeated up to whole macroblocks; the player cuts that off. */
export const planesOf = ({ width, height, pixels }: Frame): Planes => {
  const [stride, rows] = [whole(width), whole(height)]
  const luma = new Uint8Array(stride * rows)
  const blue = new Uint8Array(luma.length / 4)
  const red = new Uint8Array(luma.length / 4)
  const pixelAt = (x: number, y: number) => pixels[Math.min(y, height - 1) * width + Math.min(x, width - 1)] as number

  let [lastPixel, lastLuma] = [-1, 0]
  for (let y = 0; y < rows; y += 1) {
    for (let x = 0; x < stride; x += 1) {
      const pixel = pixelAt(x, y)
      if (pixel !== lastPixel) [lastPixel, lastLuma] = [pixel, lumaOf(pixel)]
      luma[y * stride + x] = lastLuma
    }
  }
  for (let y = 0; y < rows; y += 2) {
    for (let x = 0; x < stride; x += 2) {
      const square = [pixelAt(x, y), pixelAt(x + 1, y), pixelAt(x, y + 1), pixelAt(x + 1, y + 1)]
      const mean = (shift: number) => square.reduce((sum, pixel) => sum + part(pixel, shift), 0) / square.length
      const [r, g, b] = [mean(RED), mean(GREEN), mean(BLUE)]
      const at = (y / 2) * (stride / 2) + x / 2
      blue[at] = Math.round(128 - 0.1006 * r - 0.3386 * g + 0.4392 * b)
      red[at] = Math.round(128 + 0.4392 * r - 0.3989 * g - 0.0403 * b)
    }
  }
  return { stride, rows, luma, blue, red }
}
