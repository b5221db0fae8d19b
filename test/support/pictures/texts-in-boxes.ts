/** Looks in a browser for texts of statecharts that leave their boxes. */
import type { Page } from 'playwright-core'

/** By the name that a failing test shows: `undefined` is what the page itself asks for. */
export const FONTS: readonly (readonly [string, string | undefined])[] = [
  ['the sans-serif of the page', undefined],
  ['a wide sans-serif', 'font-family: "DejaVu Sans", Verdana !important'],
  ['a monospaced font', 'font-family: monospace !important'],
]

/** Wider than any font that the pictures were drawn for. */
export const WIDEST = 'font-family: monospace !important; letter-spacing: 0.2em'

const styleScript = (font: string) => `
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(${JSON.stringify(`.statechart { ${font} }`)})
  document.adoptedStyleSheets = [sheet]`

/** For the page that is open. */
export const useFont = async (page: Page, font: string | undefined) => {
  if (font !== undefined) await page.evaluate(styleScript(font))
}

/** For every page that is opened from now on. */
export const useFontAlways = async (page: Page, font: string | undefined) => {
  if (font !== undefined) await page.addInitScript(styleScript(font))
}

/** Each text by itself, then those of each arrow and row while it is lit. Rows of a state with states inside have no border of their own. */
const LOOK = `(() => {
  const smallest = boxes => boxes.sort((a, b) => a.width * a.height - b.width * b.height)[0]
  const contains = (box, x, y) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom
  const boxOf = (text, rect) => {
    const own = text.closest('.arrow')?.querySelector(':scope > .pill') ?? text.closest('.state')?.querySelector(':scope > .box')
    if (own) return own.getBoundingClientRect()
    const around = [...text.ownerSVGElement.querySelectorAll('.compound > .box')].map(box => box.getBoundingClientRect())
    return smallest(around.filter(box => contains(box, rect.left, rect.top + rect.height / 2)))
  }
  const leaves = text => {
    const rect = text.getBoundingClientRect()
    const box = boxOf(text, rect)
    const isIn = box && rect.width > 0 && contains(box, rect.left, rect.top) && contains(box, rect.right, rect.bottom)
    return isIn ? [] : [text.textContent]
  }
  const found = [...document.querySelectorAll('.statechart text')].flatMap(leaves)
  for (const part of document.querySelectorAll('.statechart :is(.arrow, .edge, .state)')) {
    const wasActive = part.classList.contains('active')
    part.classList.add('active')
    found.push(...[...part.querySelectorAll(':scope > text, :scope > .edge text')].flatMap(leaves).map(text => text + ' (active)'))
    if (!wasActive) part.classList.remove('active')
  }
  return { found, texts: document.querySelectorAll('.statechart text').length }
})()`

export const textsOutsideBoxes = (page: Page) => page.evaluate(LOOK) as Promise<{ found: string[]; texts: number }>
