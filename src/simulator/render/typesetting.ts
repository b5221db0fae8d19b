/** How large a text is on the simulated screen, and where its lines break. */
import { glyphOf } from './glyphs.ts'

/** Screens are drawn in coarse pixels of this many real ones: a quarter of the work and of the bytes. */
const DRAWN_WIDTH = 540
export const grainOf = (screenWidth: number): number => Math.max(1, Math.round(screenWidth / DRAWN_WIDTH))

/** The share of a text's size that one pixel of a letter takes: capitals are seven tenths of it. */
const PIXEL_SHARE = 0.1
export const LINE_PIXELS = 12
const GAP = 1
const DPI = 160

export interface Metrics {
  width: number
  height: number
  density: number
}

export const pixelsOf = (dp: number, { density }: Metrics): number => Math.round((dp * density) / DPI)

/** Real pixels to one pixel of a letter; a multiple of the grain. */
export const letterPixel = (textSize: number, metrics: Metrics): number => {
  const grain = grainOf(metrics.width)
  return grain * Math.max(1, Math.round((pixelsOf(textSize, metrics) * PIXEL_SHARE) / grain))
}

/** In pixels of a letter. */
export const widthOf = (text: string): number => {
  let width = 0
  for (const letter of text) width += glyphOf(letter).width + GAP
  return Math.max(0, width - GAP)
}

const cutWord = (word: string, room: number): string[] => {
  if (widthOf(word) <= room) return [word]
  const pieces: string[] = []
  let piece = ''
  for (const letter of word) {
    if (piece !== '' && widthOf(piece + letter) > room) {
      pieces.push(piece)
      piece = ''
    }
    piece += letter
  }
  return [...pieces, piece]
}

/** `room` in pixels of a letter. Lines over `most` are not worked out. */
export const linesOf = (text: string, room: number, most = 200): string[] => {
  if (!text.includes('\n') && widthOf(text) <= room) return [text]
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    let line = ''
    for (const word of paragraph.split(' ').flatMap(word => cutWord(word, room))) {
      if (lines.length >= most) return lines
      const longer = line === '' ? word : `${line} ${word}`
      if (widthOf(longer) <= room) line = longer
      else {
        lines.push(line)
        line = word
      }
    }
    lines.push(line)
  }
  return lines.slice(0, most)
}
