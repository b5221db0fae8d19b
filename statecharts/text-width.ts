/** How wide a text can be: the fonts that browsers take for a sans are up to a fifth apart, and pictures must hold each of them. */

/** Advance widths of DejaVu Sans, the widest of them, in hundredths of the font size. */
const REGULAR: Readonly<Record<number, string>> = {
  28: "ijl'",
  30: 'IJ',
  32: ' ,.',
  34: '/:;|',
  35: 'f',
  36: '-',
  39: '()[]t',
  41: 'r',
  50: '*_',
  52: 'sz',
  55: 'c',
  56: 'L',
  58: 'Fk',
  59: 'vxy',
  61: 'PTYao',
  62: 'e',
  64: 'ESbdghnpqu0123456789{}',
  66: 'K',
  69: 'ABRVXZ',
  70: 'C',
  75: 'HNU',
  79: 'DGOQ',
  84: 'w+<=>&',
  87: 'M',
  99: 'mW%',
}

/** The same in bold. */
const BOLD: Readonly<Record<number, string>> = {
  35: "ijl' ",
  38: 'IJ/,.|',
  42: ':;-',
  46: 'f()[]',
  49: 'rt',
  52: '*_',
  60: 'scz',
  66: 'vxyL',
  69: 'akeoEFT',
  72: 'hnubdgpqSY0123456789{}',
  77: 'AKRVXBCPZ',
  84: 'DGHNU+<=>',
  87: 'OQ&',
  92: 'w',
  104: 'mM%',
  110: 'W',
}

/** A letter of a font in which all have the same width. */
const MONOSPACED = 60.3

const byLetter = (widths: Readonly<Record<number, string>>) =>
  new Map(Object.entries(widths).flatMap(([width, letters]) => [...letters].map(letter => [letter, Number(width)])))

const WIDTHS = { regular: byLetter(REGULAR), bold: byLetter(BOLD) }

/** An upper bound in pixels, for a sans and for a monospaced font. */
export const textWidth = (text: string, size: number, weight: keyof typeof WIDTHS = 'regular') => {
  const letters = [...text]
  const sans = letters.reduce((sum, letter) => sum + (WIDTHS[weight].get(letter) ?? 100), 0)
  return (Math.max(sans, letters.length * MONOSPACED) * size) / 100
}
