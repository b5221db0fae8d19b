/** Tables, lists of names and values, and paragraphs, as wide as the page. */

import { type Page, type SignName, type Style, sign } from './page.ts'
import { breakable, displayWidth, isolated, padded, shortened, visible } from './visible.ts'

export interface Column<Row> {
  title: string
  /** An empty text where there is nothing to say; a column that says nothing in any row is left out. */
  cell(row: Row): string
  style?(row: Row): Style | undefined
  /** The column with the highest number goes first when the page is too narrow; one without a number stays. */
  leaveOut?: number
  /** The column may be shortened to this width before another column is left out. */
  atLeast?: number
  align?: 'right'
}

const GAP = '  '
/** A cell is not shortened further than this. */
const NARROWEST = 4

interface StyledText {
  text: string
  style: Style | undefined
}

interface Measured<Row> extends Column<Row> {
  cells: readonly string[]
  width: number
}

const totalOf = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, 0) + GAP.length * Math.max(0, widths.length - 1)

const leastOf = ({ width, atLeast = width }: Measured<never>): number => Math.min(width, atLeast)

const fitting = <Row>(columns: readonly Measured<Row>[], room: number): Measured<Row>[] => {
  let kept = [...columns]
  while (totalOf(kept.map(leastOf)) > room) {
    const ranks = kept.flatMap(({ leaveOut }) => leaveOut ?? [])
    if (ranks.length === 0) break
    const last = Math.max(...ranks)
    kept = kept.filter(({ leaveOut }) => leaveOut !== last)
  }
  const widths = kept.map(({ width }) => width)
  const shorten = (least: readonly number[]) => {
    while (totalOf(widths) > room) {
      const spare = widths.map((width, at) => (width > (least[at] ?? 0) ? width : 0))
      const widest = Math.max(...spare)
      if (widest === 0) return
      widths[spare.indexOf(widest)] = widest - 1
    }
  }
  // A name that is to be typed again is whole as long as anything else can be shorter.
  shorten(kept.map(leastOf))
  shorten(kept.map(() => NARROWEST))
  return kept.map((column, at) => ({ ...column, width: widths[at] ?? column.width }))
}

const aligned = (text: string, width: number, align: 'right' | undefined): string => {
  const short = shortened(text, width)
  return align === 'right'
    ? ' '.repeat(Math.max(0, width - displayWidth(short))) + short
    : padded(isolated(short), width)
}

/** One line for each row, below a line of titles. */
export const table = <Row>(page: Page, columns: readonly Column<Row>[], rows: readonly Row[]): string => {
  const measured = columns
    .map(column => {
      const cells = rows.map(row => visible(column.cell(row)))
      return { ...column, cells, width: Math.max(displayWidth(column.title), ...cells.map(displayWidth)) }
    })
    .filter(({ cells }) => cells.some(cell => cell !== ''))
  const shownColumns = fitting(measured, page.width ?? Number.POSITIVE_INFINITY)
  const lineOf = (cellOf: (column: Measured<Row>) => StyledText): string => {
    const cells = shownColumns.map(column => ({ ...cellOf(column), column }))
    const used = cells.slice(0, cells.findLastIndex(({ text }) => text !== '') + 1)
    return used
      .map(({ text, style, column: { width, align } }, at) => {
        const cell = aligned(text, width, align)
        const whole = at === used.length - 1 ? cell.trimEnd() : cell
        return style === undefined ? whole : page.paint(style, whole)
      })
      .join(GAP)
  }
  const head = lineOf(({ title }) => ({ text: title.toUpperCase(), style: 'dim' }))
  const body = rows.map((row, at) => lineOf(({ cells, style }) => ({ text: cells[at] ?? '', style: style?.(row) })))
  return [head, ...body].join('\n')
}

/** A number and its unit stay together. */
const BREAK = / (?<!\d (?=(?:ms|s|min|h|d)\b))/

/**
 * Broken between words at the width of the page; a word that is longer stays whole, unless it is of a script that is
 * written without blanks. Lines after the first begin at `indent`.
 */
export const paragraph = (page: Page, text: string, indent = 0): string => {
  if (page.width === undefined) return text
  const room = page.width - indent
  const lines: string[] = []
  for (const word of text.split(BREAK)) {
    let gap = ' '
    for (const part of breakable(word)) {
      const line = lines.at(-1)
      if (line !== undefined && displayWidth(line + gap + part) <= room) lines[lines.length - 1] = line + gap + part
      else lines.push(part)
      gap = ''
    }
  }
  return lines.join(`\n${' '.repeat(indent)}`)
}

/** A sentence behind its sign. */
export const headline = (page: Page, name: SignName, text: string): string =>
  `${sign(page, name)} ${paragraph(page, text, 2)}`

export type Fact = readonly [name: string, value: string | undefined]

/** Names and values below one another; one without a value is left out. */
export const facts = (page: Page, pairs: readonly Fact[], indent = 0): string => {
  const rows = pairs.filter((pair): pair is readonly [string, string] => pair[1] !== undefined && pair[1] !== '')
  const width = Math.max(0, ...rows.map(([name]) => displayWidth(name)))
  const margin = ' '.repeat(indent)
  return rows
    .map(([name, value]) => {
      const text = paragraph(page, isolated(visible(value)), indent + width + GAP.length)
      return `${margin}${page.paint('dim', padded(name, width))}${GAP}${text}`
    })
    .join('\n')
}

/** Lines that stand under something, each visible and whole. */
export const bullets = (page: Page, lines: readonly string[], indent = 2): string =>
  lines.map(line => ' '.repeat(indent) + paragraph(page, isolated(visible(line)), indent + 2)).join('\n')

/** `1 device`, `3 devices` */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

/** Parts that are there, with an empty line between them. */
export const blocks = (...parts: readonly (string | undefined)[]): string =>
  parts.filter(part => part !== undefined && part !== '').join('\n\n')

/** Parts that are there, one below the other. */
export const lines = (...parts: readonly (string | undefined)[]): string =>
  parts.filter(part => part !== undefined && part !== '').join('\n')
