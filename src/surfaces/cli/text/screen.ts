/** A screen in compact lines, as svc writes them, or as XML. */
import { displayWidth, shortened } from './display-width.ts'
import { type Page, SIGNS } from './page.ts'
import { visible, visibleLines, withLabels } from './visible.ts'

const REF = /^((?:[+~] )?)(@\d+\.\d+)( .*)?$/s
/** The longest label can be shortened; what follows it says in which state the node is. */
const LABEL = /"(?:[^"\\]|\\.)*"/g

const fitted = (line: string, width: number): string => {
  const excess = displayWidth(line) - width
  if (excess <= 0) return line
  const [label = ''] = [...(line.match(LABEL) ?? [])].sort((a, b) => displayWidth(b) - displayWidth(a))
  const room = displayWidth(label) - 2 - excess
  if (room < 1) return shortened(line, width)
  return line.replace(label, () => `"${shortened(label.slice(1, -1), room)}"`)
}

const screenLine = (page: Page, text: string): string => {
  const line = visible(text)
  const short = page.width === undefined ? line : fitted(line, page.width)
  const [, change = '', ref, rest = ''] = REF.exec(short) ?? []
  return ref === undefined ? withLabels(short) : `${change}${page.paint('dim', ref)}${withLabels(rest)}`
}

export const compactScreen = (page: Page, text: string): string =>
  text
    .split('\n')
    .map((line, at) => (at === 0 ? page.paint('bold', screenLine(page, line)) : screenLine(page, line)))
    .join('\n')

/** XML keeps its lines and is never cut. */
export const hierarchy = (text: string): string => visibleLines(text).trimEnd()

/** The screen after an action, or the reason why it could not be seen. */
export const observedScreen = (page: Page, { text, screen }: { text: string; screen?: number }): string =>
  screen === undefined ? page.paint('yellow', `${SIGNS.warning} ${visible(text)}`) : compactScreen(page, text)
