/** The picture of state-machine-cat with classes of our own, and with what the contract says about each part on hover. */
import { render } from 'state-machine-cat'
import type { Chart, ChartEdge, ChartState } from './chart.ts'
import { cssClass } from './css-class.ts'
import { edgeHover, stateHover } from './explain.ts'
import { grouped, type Line, lineText } from './labels.ts'
import { element, escapeXml, lines } from './markup.ts'
import { HALF, INDENT, type Manner, type Outline, outlineOf, type Part } from './outline.ts'
import { SVG_STYLE } from './svg-style.ts'
import { LEAST_TEXT_PX, TEXT_PX } from './text-size.ts'
import { type Way, wayOf } from './ways.ts'

/** A chart is at most so wide that it can be read whole in a page of this width. */
export const SHOWN_WIDTH_PX = 1200
const WIDEST_PX = (SHOWN_WIDTH_PX * TEXT_PX) / LEAST_TEXT_PX

const DIRECTIONS = ['top-down', 'left-right'] as const
const WRAPS = [14, 16, 18, 20, 24, 30, 36, 42]
const ORDERS = [0, 1, 2, 3, 4]
const MANNERS: readonly Manner[] = DIRECTIONS.flatMap(direction =>
  WRAPS.flatMap(wrap => ORDERS.map(order => ({ direction, wrap, order }))),
)

interface Drawing extends Outline {
  svg: string
  width: number
  height: number
}

/** All letters of the font have the same width, so texts fit into their boxes wherever they are shown. */
const attributes = (values: Readonly<Record<string, string | number>>) =>
  Object.entries(values).map(([name, value]) => ({ name, value: String(value) }))
const FONT = { fontname: 'Courier', fontsize: TEXT_PX }
const ATTRIBUTES = {
  dotGraphAttrs: attributes({ ...FONT, nodesep: 0.1, ranksep: 0.15 }),
  dotNodeAttrs: attributes(FONT),
  // An edge that has no label is still given a blank one.
  dotEdgeAttrs: attributes({ fontsize: 1 }),
}

const draw = async (chart: Chart, manner: Manner): Promise<Drawing> => {
  const outline = outlineOf(chart, manner)
  // Unlike 'svg' never a graphviz that happens to be installed: the same bytes everywhere.
  const output = { inputType: 'json', outputType: 'oldsvg', direction: manner.direction } as const
  const svg = await render(outline.machine, { ...output, ...ATTRIBUTES })
  const [, width, height] = /viewBox="\S+ \S+ (\S+) (\S+)"/.exec(svg) ?? []
  return { ...outline, svg, width: Number(width), height: Number(height) }
}

/** The smallest drawing among those that are not too wide. */
const smallest = async (chart: Chart): Promise<Drawing> => {
  const drawings = MANNERS.map(manner => draw(chart, manner))
  const excess = ({ width }: Drawing) => Math.max(0, width - WIDEST_PX)
  const [best] = (await Promise.all(drawings)).sort(
    (a, b) => excess(a) - excess(b) || a.width * a.height - b.width * b.height,
  )
  if (!best) throw new Error(`${chart.machine}: nothing was drawn`)
  return best
}

/** Found by source and event, and where that is not enough by target as well. */
const edgeClasses = (machine: string, edges: readonly ChartEdge[]): readonly string[] => {
  const classes = edges.flatMap(({ source, event, target }) => [
    cssClass(machine, source, event),
    ...(target === undefined ? [] : [cssClass(machine, source, event, target)]),
  ])
  return [...new Set(classes)]
}

const title = (text: string) => element('title', {}, escapeXml(text))
const group = (classes: readonly string[], hover: string, content: readonly string[], more = {}) =>
  element('g', { class: classes.filter(name => name !== '').join(' '), ...more }, lines(title(hover), content))

type Place = readonly [x: string, y: string]

/** Graphviz takes letters of Courier for so wide; a reader whose font is another has the text made to fit. */
const LETTER_PX = 0.6 * TEXT_PX
const textAt = ([x, y]: Place, text: string, content: string, more = {}) => {
  const textLength = Math.round([...text].length * LETTER_PX * 10) / 10
  return element('text', { ...more, x, y, textLength, lengthAdjust: 'spacingAndGlyphs' }, content)
}

const textOf = (line: Line, [x, y]: Place) => {
  const spans = line.words.map(({ role, text }) =>
    role === 'event' ? escapeXml(text) : element('tspan', { class: role }, escapeXml(text)),
  )
  const left = line.indented ? String(Math.round((Number(x) + INDENT.length * LETTER_PX) * 100) / 100) : x
  return textAt([left, y], lineText(line), spans.join(' '))
}

/** The rows of the same edges stand together under the classes of these. */
const rowsOf = (machine: string, rows: readonly Line[], places: readonly Place[]) =>
  [...grouped(rows.entries(), ([, { edges }]) => edges)].map(([edges, placed]) => {
    const texts = placed.map(([at, row]) => textOf(row, places[at] ?? ['0', '0']))
    return edges.length === 0 ? lines(texts) : group(['edge', ...edgeClasses(machine, edges)], edgeHover(edges), texts)
  })

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, ...groups]) => groups)

const curve = (className: string, d: string) => element('path', { class: className, d })
const polygon = (className: string, points: string) => element('polygon', { class: className, points })

interface Subject {
  machine: string
  way: Way
}

/** What graphviz drew for a part: a box with a rule and texts, a dot, and curves with their heads. */
interface Shapes {
  box?: string
  rule?: string
  dot?: readonly string[]
  texts: readonly Place[]
  curves: readonly string[]
  heads: readonly string[]
}

const NO_SHAPES: Shapes = { texts: [], curves: [], heads: [] }

/** Half an arrow ends in its label, where the tip of its head would be. */
const withCurve = (shapes: Shapes, body: string, isHalf: boolean): Shapes => {
  const curves = all(body, /<path [^>]*d="([^"]+)"/g).flat()
  const heads = all(body, /<polygon [^>]*points="([^"]+)"/g).flat()
  const tips = isHalf ? heads.map(points => `L${points.split(' ')[1]}`) : []
  const more = isHalf ? [] : heads
  return { ...shapes, curves: [...shapes.curves, [...curves, ...tips].join(' ')], heads: [...shapes.heads, ...more] }
}

const withBox = (shapes: Shapes, body: string): Shapes => {
  const [box] = all(body, /<path [^>]*d="([^"]+)"/g).flat()
  const [rule] = all(body, /<polygon fill="black"[^>]*points="([^"]+)"/g).flat()
  const [dot] = all(body, /cx="([^"]+)" cy="([^"]+)"/g)
  const texts = all(body, /<text [^>]*? x="([^"]+)" y="([^"]+)"/g) as unknown as Place[]
  return { ...shapes, texts, ...(box && { box }), ...(rule && { rule }), ...(dot && { dot }) }
}

/** By the keys of the parts. */
const shapesIn = (svg: string): ReadonlyMap<number, Shapes> => {
  const found = new Map<number, Shapes>()
  for (const [kind, classes = '', key, body = ''] of all(
    svg,
    /<g id="(node|edge|clust)\d+" class="([^"]*) key_(\d+)">\n([\s\S]*?)<\/g>/g,
  )) {
    const shapes = found.get(Number(key)) ?? NO_SHAPES
    found.set(Number(key), kind === 'edge' ? withCurve(shapes, body, classes.endsWith(HALF)) : withBox(shapes, body))
  }
  return found
}

const stateOf = ({ machine, way }: Subject, state: ChartState, rows: readonly Line[], shapes: Shapes) => {
  const { path, type, inFlight, states, name } = state
  const {
    box = '',
    rule,
    texts: [first = ['0', '0'], ...places],
  } = shapes
  const kind = states.length > 0 ? 'compound' : type
  const onWay = way.states.includes(path) ? 'way' : ''
  const content = [
    curve('box', box),
    type === 'final' ? curve('inner', box) : '',
    textAt(first, name, escapeXml(name), { class: 'name' }),
    rule === undefined ? '' : polygon('rule', rule),
    ...rowsOf(machine, rows, places),
  ]
  const classes = ['state', kind, inFlight ? 'in-flight' : '', onWay, cssClass(machine, path)]
  return group(classes, stateHover(state), content, { 'data-state': path })
}

const arrowOf = ({ machine, way }: Subject, edges: readonly ChartEdge[], rows: readonly Line[], shapes: Shapes) => {
  const { box = '', curves, heads, texts } = shapes
  const isOnWay = edges.some(edge => way.edges.some(step => step.includes(edge)))
  const left = String(Math.min(...texts.map(([x]) => Number(x))))
  const places = texts.map(([, y]): Place => [left, y])
  const lined = [curve('hit', curves.join(' ')), curve('line', curves.join(' '))]
  const content = [...lined, ...heads.map(points => polygon('head', points)), curve('pill', box)]
  const classes = ['arrow', isOnWay ? 'way' : '', ...edgeClasses(machine, edges)]
  return group(classes, edgeHover(edges), [...content, ...rowsOf(machine, rows, places)])
}

const beginningOf = ({ dot: [cx, cy] = [], curves, heads }: Shapes) =>
  lines(
    element('circle', { class: 'dot', cx, cy, r: 5 }),
    curves.map(d => curve('line', d)),
    heads.map(points => polygon('head', points)),
  )

const partOf = (subject: Subject, part: Part, shapes: Shapes): string => {
  if (part.kind === 'state') return stateOf(subject, part.state, part.lines, shapes)
  return part.kind === 'arrow' ? arrowOf(subject, part.edges, part.lines, shapes) : beginningOf(shapes)
}

export const svgOf = async (chart: Chart): Promise<string> => {
  const { machine } = chart
  const subject = { machine, way: wayOf(chart) }
  const { svg, width, height, parts } = await smallest(chart)
  const shapes = shapesIn(svg)
  if (shapes.size !== parts.length) throw new Error(`${machine}: the drawing lacks parts`)
  const [transform] = all(svg, /(translate\([^)]*\))/g).flat()
  const content = [...shapes].map(([key, one]) => partOf(subject, parts[key] ?? { kind: 'beginning' }, one))
  const name = { class: `statechart statechart-${machine}`, role: 'img', 'aria-label': `Statechart ${machine}` }
  return `${element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', ...name, width, height, viewBox: `0 0 ${width} ${height}` },
    lines(
      element('style', {}, SVG_STYLE),
      element('rect', { class: 'paper', width, height }),
      element('g', { transform }, lines(content)),
    ),
  )}\n`
}
