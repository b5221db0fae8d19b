/** A picture in coarse pixels, and the shapes that screens are drawn of. */
import type { Bounds } from '../../operator/engine/ui-tree.ts'
import { glyphOf } from './glyphs.ts'
import { widthOf } from './typesetting.ts'

const OPAQUE = 0xff00_0000

/** `#RRGGBB` with red in the lowest byte, as PNG files have it first. */
const pixelOf = (colour: string): number => {
  const value = Number.parseInt(colour.slice(1), 16)
  return (OPAQUE | ((value & 0xff) << 16) | (value & 0xff00) | (value >> 16)) >>> 0
}

export interface Canvas {
  readonly width: number
  readonly height: number
  /** Row after row, each pixel with red in its lowest byte, then green, blue and how opaque it is. */
  readonly pixels: Uint32Array
  /** Everything is cut off at this edge, until the call returns. */
  within(clip: Bounds, draw: () => void): void
  /** Leaves so much of the light of everything drawn so far. */
  dim(share: number): void
  rectangle(area: Bounds, colour: string, radius?: number): void
  /** `scale` pixels to a pixel of the letters; left and top of the first line. */
  text(text: string, left: number, top: number, scale: number, colour: string): void
}

/** How far a rounded corner cuts into a row: `row` counts from the edge. */
const inset = (radius: number, row: number): number => {
  const y = radius - row - 0.5
  return y <= 0 ? 0 : Math.round(radius - Math.sqrt(Math.max(0, radius * radius - y * y)))
}

export const createCanvas = (width: number, height: number, background: string): Canvas => {
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
    within(area, draw) {
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
    dim(share) {
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
    rectangle({ left, top, right, bottom }, colour, radius = 0) {
      const pixel = pixelOf(colour)
      const round = Math.min(radius, Math.floor((right - left) / 2), Math.floor((bottom - top) / 2))
      for (let y = Math.max(top, clip.top); y < Math.min(bottom, clip.bottom); y += 1) {
        const cut = inset(round, Math.min(y - top, bottom - 1 - y))
        span(y, left + cut, right - cut, pixel)
      }
    },
    text(text, left, top, scale, colour) {
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

/** The text as far as it fits, with dots for the rest. */
export const fitted = (text: string, room: number): string => {
  if (widthOf(text) <= room) return text
  let end = text.length
  while (end > 0 && widthOf(`${text.slice(0, end)}…`) > room) end -= 1
  return `${text.slice(0, end)}…`
}
