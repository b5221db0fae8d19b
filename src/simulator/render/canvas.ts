/** A picture in coarse pixels, and the shapes that screens are drawn of. */
import type { Bounds } from '../../contracts/device/ui-tree.ts'
import {
  glyphOf,
  LINE_PIXELS,
  letterPixel,
  linesOf,
  type Metrics,
  pixelScaleOf,
  pixelsOf,
  widthOf,
} from './typesetting.ts'

const OPAQUE = 0xff00_0000

/** `#RRGGBB` with red in the lowest byte, as PNG files have it first. */
const pixelOf = (colour: string): number => {
  const value = Number.parseInt(colour.slice(1), 16)
  return (OPAQUE | ((value & 0xff) << 16) | (value & 0xff00) | (value >> 16)) >>> 0
}

/** How far a rounded corner cuts into a row: `row` counts from the edge. */
const cornerInset = (radius: number, row: number): number => {
  const y = radius - row - 0.5
  return y <= 0 ? 0 : Math.round(radius - Math.sqrt(Math.max(0, radius * radius - y * y)))
}

export const createCanvas = (width: number, height: number, background: string) => {
  /** Row after row, each pixel with red in its lowest byte, then green, blue and how opaque it is. */
  const pixels = new Uint32Array(width * height).fill(pixelOf(background))
  let clip: Bounds = { left: 0, top: 0, right: width, bottom: height }

  const span = (y: number, from: number, to: number, pixel: number) => {
    const [left, right] = [Math.max(from, clip.left), Math.min(to, clip.right)]
    if (left < right) pixels.fill(pixel, y * width + left, y * width + right)
  }

  return {
    width,
    height,
    pixels,
    /** Everything is cut off at this edge, until the call returns. */
    within(area: Bounds, draw: () => void) {
      const outer = clip
      clip = {
        left: Math.max(outer.left, area.left),
        top: Math.max(outer.top, area.top),
        right: Math.min(outer.right, area.right),
        bottom: Math.min(outer.bottom, area.bottom),
      }
      draw()
      clip = outer
    },
    /** Leaves so much of the light of everything drawn so far. */
    dim(share: number) {
      const dimmed = new Map<number, number>()
      const darker = (pixel: number) => {
        const part = (shift: number) => Math.round(((pixel >>> shift) & 0xff) * share) << shift
        return (OPAQUE | part(16) | part(8) | part(0)) >>> 0
      }
      for (const [at, pixel] of pixels.entries()) {
        const known = dimmed.get(pixel) ?? darker(pixel)
        dimmed.set(pixel, known)
        pixels[at] = known
      }
    },
    rectangle({ left, top, right, bottom }: Bounds, colour: string, radius = 0) {
      const pixel = pixelOf(colour)
      const round = Math.min(radius, Math.floor((right - left) / 2), Math.floor((bottom - top) / 2))
      for (let y = Math.max(top, clip.top); y < Math.min(bottom, clip.bottom); y += 1) {
        const cut = cornerInset(round, Math.min(y - top, bottom - 1 - y))
        span(y, left + cut, right - cut, pixel)
      }
    },
    /** `scale` pixels to a pixel of the letters; left and top of the first line. */
    text(text: string, left: number, top: number, scale: number, colour: string) {
      const pixel = pixelOf(colour)
      let x = left
      for (const letter of text) {
        const { width: columns, rows } = glyphOf(letter)
        for (const [row, bits] of rows.entries()) {
          for (let column = 0; column < columns; column += 1) {
            if ((bits & (1 << (columns - 1 - column))) === 0) continue
            for (let dy = 0; dy < scale; dy += 1) {
              const y = top + row * scale + dy
              if (y >= clip.top && y < clip.bottom) span(y, x + column * scale, x + (column + 1) * scale, pixel)
            }
          }
        }
        x += (columns + 1) * scale
        if (x >= clip.right) return
      }
    },
  }
}

export type Canvas = ReturnType<typeof createCanvas>

/** The text as far as it fits, with dots for the rest. */
const fitted = (text: string, room: number): string => {
  if (widthOf(text) <= room) return text
  let end = text.length
  while (end > 0 && widthOf(`${text.slice(0, end)}…`) > room) end -= 1
  return `${text.slice(0, end)}…`
}

export const TEXT = '#1F1F1F'
export const FAINT = '#5F6368'
export const OFF = '#B8BCC2'
export const ACCENT = '#1A73E8'
export const SURFACE = '#E6EAF3'
export const WHITE = '#FFFFFF'

type Align = 'start' | 'center' | 'end'

export const createInk = (canvas: Canvas, metrics: Metrics) => {
  const grain = pixelScaleOf(metrics.width)
  const coarse = (pixels: number) => Math.round(pixels / grain)
  /** From real pixels to coarse ones. */
  const area = ({ left, top, right, bottom }: Bounds): Bounds => ({
    left: coarse(left),
    top: coarse(top),
    right: coarse(right),
    bottom: coarse(bottom),
  })
  return {
    canvas,
    metrics,
    area,
    dp: (size: number) => coarse(pixelsOf(size, metrics)),
    rectangle: (bounds: Bounds, colour: string, radiusDp = 0) =>
      canvas.rectangle(area(bounds), colour, coarse(pixelsOf(radiusDp, metrics))),
    /** Draws as many lines as fit, in the middle of the height. */
    text(
      text: string,
      bounds: Bounds,
      { colour, size, align = 'start' }: { colour: string; size: number; align?: Align },
    ) {
      const { left, top, right, bottom } = area(bounds)
      const scale = letterPixel(size, metrics) / grain
      const room = Math.floor((right - left) / scale)
      const lineHeight = LINE_PIXELS * scale
      const most = Math.max(1, Math.floor((bottom - top) / lineHeight))
      const lines = linesOf(text, room, most + 1)
      const fittedLines = lines.slice(0, most).map(line => fitted(line, room))
      const first = top + Math.floor((bottom - top - fittedLines.length * lineHeight) / 2) + 2 * scale
      for (const [i, line] of fittedLines.entries()) {
        const spare = right - left - widthOf(line) * scale
        const shift = align === 'start' ? 0 : align === 'end' ? spare : Math.floor(spare / 2)
        canvas.text(line, left + Math.max(0, shift), first + i * lineHeight, scale, colour)
      }
    },
  }
}

export type Ink = ReturnType<typeof createInk>

/** The same rectangle, smaller by that much on each side. */
export const inset = ({ left, top, right, bottom }: Bounds, x: number, y = x): Bounds => ({
  left: left + x,
  top: top + y,
  right: right - x,
  bottom: bottom - y,
})

/** A square of that size in the middle of the height, at one end of the width. */
export const squareIn = (bounds: Bounds, size: number, align: Align): Bounds => {
  const top = Math.floor((bounds.top + bounds.bottom - size) / 2)
  const spare = bounds.right - bounds.left - size
  const left = bounds.left + (align === 'start' ? 0 : align === 'end' ? spare : Math.floor(spare / 2))
  return { left, top, right: left + size, bottom: top + size }
}

export const isDark = (colour: string): boolean => {
  const [red = 0, green = 0, blue = 0] = (colour.slice(1).match(/../g) ?? []).map(part => Number.parseInt(part, 16))
  return red * 0.3 + green * 0.6 + blue * 0.1 < 128
}
