/** How large a text is on the simulated screen, and where its lines break. */

/** One digit of base 32 for each row from the top: 16 is its leftmost pixel, 1 its rightmost. Rows that are left out are empty. */
const DRAWN: Readonly<Record<string, string>> = {
  ...{ A: 'ehhvhhh', B: 'uhhuhhu', C: 'ehggghe', D: 'uhhhhhu', E: 'vgguggv', F: 'vgguggg', G: 'ehgnhhf' },
  ...{ H: 'hhhvhhh', I: 'e44444e', J: '72222ic', K: 'hikokih', L: 'ggggggv', M: 'hrllhhh', N: 'hpljhhh' },
  ...{ O: 'ehhhhhe', P: 'uhhuggg', Q: 'ehhhlid', R: 'uhhukih', S: 'fgge11u', T: 'v444444', U: 'hhhhhhe' },
  ...{ V: 'hhhhha4', W: 'hhhllra', X: 'hha4ahh', Y: 'hha4444', Z: 'v1248gv' },
  ...{ a: '00e1fhf', b: 'gguhhhu', c: '00ehghe', d: '11fhhhf', e: '00ehvge', f: '698s888', g: '00fhhhf1e' },
  ...{ h: 'gguhhhh', i: '4044444', j: '20222222c', k: 'ggikoki', l: '4444446', m: '00ullll', n: '00uhhhh' },
  ...{ o: '00ehhhe', p: '00uhhhugg', q: '00fhhhf11', r: '00moggg', s: '00fge1u', t: '88s8886', u: '00hhhhf' },
  ...{ v: '00hhha4', w: '00hhlla', x: '00ha4ah', y: '00hhhhf1e', z: '00v248v' },
  ...{ 0: 'ehjlphe', 1: '4c4444e', 2: 'eh1248v', 3: 'eh161he', 4: '26aiv22', 5: 'vgu11he', 6: '68guhhe' },
  ...{ 7: 'v124888', 8: 'ehhehhe', 9: 'ehhf12c' },
  ...{ '!': '4444404', '"': 'aaa', '#': 'aavavaa', $: '4fke5u4', '%': 'op248j3', '&': 'cik8lid', "'": '44' },
  ...{ '(': '2488842', ')': '8422248', '*': '04lel4', '+': '044v44', ',': '00000448', '-': '000e', '.': '0000004' },
  ...{ '/': '11248gg', ':': '0040004', ';': '00400448', '<': '248g842', '=': '00v0v', '>': '8421248', '?': 'eh12404' },
  ...{ '@': 'ehnlnge', '[': 'e88888e', '\\': 'gg84211', ']': 'e22222e', '^': '4ah', _: '0000000v', '`': '84' },
  ...{
    '{': '6448446',
    '|': '44444444',
    '}': 'c44244c',
    '~': '008l2',
    '•': '00eee',
    '…': '000000l',
    '°': '4a4',
    '€': '68s8s86',
  },
}

const UNKNOWN = 'vhhhhhv'
const BASE = 32
const LEFTMOST = 16
const SPACE_WIDTH = 3

/** Rows of bits, the leftmost pixel being the highest bit of `width` bits. */
interface Glyph {
  width: number
  rows: readonly number[]
}

/** Narrow letters are as wide as what is drawn of them. */
const glyph = (drawn: string): Glyph => {
  const rows = [...drawn].map(digit => Number.parseInt(digit, BASE))
  const used = rows.reduce((all, row) => all | row, 0)
  let [left, right] = [LEFTMOST, 1]
  while (left > 1 && (used & left) === 0) left >>= 1
  while (right < left && (used & right) === 0) right <<= 1
  return { width: Math.log2(left / right) + 1, rows: rows.map(row => row / right) }
}

const GLYPHS: ReadonlyMap<string, Glyph> = new Map([
  [' ', { width: SPACE_WIDTH, rows: [] }],
  ...Object.entries(DRAWN).map(([letter, drawn]) => [letter, glyph(drawn)] as const),
])
const BOX = glyph(UNKNOWN)

/** A letter without its accent, and a box for what the font does not know. */
export const glyphOf = (letter: string): Glyph =>
  GLYPHS.get(letter) ?? GLYPHS.get(letter.normalize('NFD').slice(0, 1)) ?? BOX

/** Screens are drawn in coarse pixels of this many real ones: a quarter of the work and of the bytes. */
const DRAWN_WIDTH = 540
export const pixelScaleOf = (screenWidth: number): number => Math.max(1, Math.round(screenWidth / DRAWN_WIDTH))

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
  const grain = pixelScaleOf(metrics.width)
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
