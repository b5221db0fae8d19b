/** Drawing on the simulated screen in its own units: places in real pixels, sizes in density-independent ones. */
import type { Bounds } from '../../operator/engine/ui-tree.ts'
import { type Canvas, fitted } from './canvas.ts'
import { grainOf, LINE_PIXELS, letterPixel, linesOf, type Metrics, pixelsOf, widthOf } from './typesetting.ts'

export const TEXT = '#1F1F1F'
export const FAINT = '#5F6368'
export const OFF = '#B8BCC2'
export const ACCENT = '#1A73E8'
export const SURFACE = '#E6EAF3'
export const WHITE = '#FFFFFF'

export type Align = 'start' | 'center' | 'end'

export interface TextStyle {
  colour: string
  size: number
  align?: Align
}

export interface Ink {
  canvas: Canvas
  metrics: Metrics
  /** From real pixels to coarse ones. */
  area(bounds: Bounds): Bounds
  dp(size: number): number
  rectangle(bounds: Bounds, colour: string, radiusDp?: number): void
  /** Draws as many lines as fit, in the middle of the height. */
  text(text: string, bounds: Bounds, style: TextStyle): void
}

export const createInk = (canvas: Canvas, metrics: Metrics): Ink => {
  const grain = grainOf(metrics.width)
  const coarse = (pixels: number) => Math.round(pixels / grain)
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
    dp: size => coarse(pixelsOf(size, metrics)),
    rectangle: (bounds, colour, radiusDp = 0) =>
      canvas.rectangle(area(bounds), colour, coarse(pixelsOf(radiusDp, metrics))),
    text(text, bounds, { colour, size, align = 'start' }) {
      const { left, top, right, bottom } = area(bounds)
      const scale = letterPixel(size, metrics) / grain
      const room = Math.floor((right - left) / scale)
      const lineHeight = LINE_PIXELS * scale
      const most = Math.max(1, Math.floor((bottom - top) / lineHeight))
      const lines = linesOf(text, room, most + 1)
      const shown = lines.slice(0, most).map(line => fitted(line, room))
      const first = top + Math.floor((bottom - top - shown.length * lineHeight) / 2) + 2 * scale
      for (const [i, line] of shown.entries()) {
        const spare = right - left - widthOf(line) * scale
        const shift = align === 'start' ? 0 : align === 'end' ? spare : Math.floor(spare / 2)
        canvas.text(line, left + Math.max(0, shift), first + i * lineHeight, scale, colour)
      }
    },
  }
}

/** The same rectangle, smaller by that much on each side. */
export const inner = ({ left, top, right, bottom }: Bounds, x: number, y = x): Bounds => ({
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
