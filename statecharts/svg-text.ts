/** The texts of a picture: rows in boxes and on arrows, those of one edge together under its classes. */
import type { ChartEdge } from './chart.ts'
import { cssClass } from './css-class.ts'
import type { Shape } from './drawing.ts'
import { edgeHover } from './explain.ts'
import type { Box, Point } from './geometry.ts'
import type { Line } from './labels.ts'
import { element, escapeXml, lines } from './markup.ts'
import { INDENT_PX } from './outline.ts'

export const round = (value: number) => Math.round(value * 100) / 100

export const title = (text: string) => element('title', {}, escapeXml(text))

/** Found by source and event, and where that is not enough by target as well. */
export const edgeClasses = (machine: string, edges: readonly ChartEdge[]): readonly string[] => {
  const classes = edges.flatMap(({ source, event, target }) => [
    cssClass(machine, source, event),
    ...(target === undefined ? [] : [cssClass(machine, source, event, target)]),
  ])
  return [...new Set(classes)]
}

/** A text ends at least this far from the border of its box. */
const BORDER_PX = 3

/** Pages narrow a text that is wider than its `data-room` in the font they have. */
const room = (width: number) => ({ 'data-room': round(width) })

/** For a text in the middle of its box. */
export const middleOf = ({ left, right }: Box) => ({
  x: round((left + right) / 2),
  ...room(right - left - 2 * BORDER_PX),
})

const placeFrom = (left: number, box: Box) => ({ x: round(left), ...room(box.right - BORDER_PX - left) })

const textOf = ({ words, indented }: Line, { x, y }: Point, box: Box, isAlone: boolean) => {
  const spans = words.map(({ role, text }) =>
    role === 'event' ? escapeXml(text) : element('tspan', { class: role }, escapeXml(text)),
  )
  const place = isAlone ? { class: 'alone', ...middleOf(box) } : placeFrom(indented ? x + INDENT_PX : x, box)
  return element('text', { ...place, y: round(y) }, spans.join(' '))
}

const runsOf = (rows: readonly Line[]) => {
  const runs: { edges: readonly ChartEdge[]; rows: Line[] }[] = []
  for (const row of rows) {
    const last = runs.at(-1)
    if (last?.edges === row.edges) last.rows.push(row)
    else runs.push({ edges: row.edges, rows: [row] })
  }
  return runs
}

type Place = Pick<Shape, 'texts' | 'box'>

/** `texts`: where the rows begin in the box, which is the same distance from the left for all, but for one that is alone. */
export const rowsOf = (machine: string, rows: readonly Line[], { texts: places, box }: Place, isAlone = false) => {
  const x = Math.min(...places.map(place => place.x))
  const placeOf = (row: Line) => ({ x, y: places[rows.indexOf(row)]?.y ?? 0 })
  const groups = runsOf(rows).map(run => {
    const texts = run.rows.map(row => textOf(row, placeOf(row), box, isAlone))
    if (run.edges.length === 0) return lines(texts)
    const classes = ['edge', ...edgeClasses(machine, run.edges)]
    return element('g', { class: classes.join(' ') }, lines(title(edgeHover(run.edges)), texts))
  })
  return lines(groups)
}
