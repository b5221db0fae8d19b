/** A drawing as svg: states and edges under classes of their own, with what the contract says about them on hover. */
import type { Chart, ChartState } from './chart.ts'
import { cssClass } from './css-class.ts'
import type { Drawing, Shape } from './drawing.ts'
import { edgeHover, stateHover } from './explain.ts'
import { type Box, grow } from './geometry.ts'
import { element, escapeXml, lines } from './markup.ts'
import type { Arrow } from './outline.ts'
import { SVG_STYLE } from './svg-style.ts'
import { edgeClasses, middleOf, round, rowsOf, title } from './svg-text.ts'
import { type Way, wayOf } from './ways.ts'

const rect = (className: string, { left, top, right, bottom }: Box, rx: number) =>
  element('rect', {
    class: className,
    x: round(left),
    y: round(top),
    width: round(right - left),
    height: round(bottom - top),
    rx,
  })

const curve = (className: string, d: string) => element('path', { class: className, d })

const head = ({ head: corners }: Shape) =>
  element('polygon', { class: 'head', points: corners.map(({ x, y }) => `${x},${y}`).join(' ') })

/** What the parts of one picture have in common. */
interface Subject {
  machine: string
  way: Way
}

const stateClasses = ({ machine, way }: Subject, { path, type, inFlight, states }: ChartState) =>
  [
    ...['state', states.length > 0 ? 'compound' : type, inFlight ? 'in-flight' : ''],
    ...[way.states.includes(path) ? 'way' : '', cssClass(machine, path)],
  ]
    .filter(name => name !== '')
    .join(' ')

/** A name is larger than the row it was given: it goes a little lower, the rule just above the first row of text. */
const NAME_DROP = 3
const RULE_RAISE = 13

const state = (subject: Subject, { part, box, texts }: Shape) => {
  if (part.kind !== 'state') return ''
  const { machine } = subject
  const [name, ...places] = texts
  const [first] = places
  const y = round((name?.y ?? 0) + NAME_DROP)
  const ruleY = round((first?.y ?? 0) - RULE_RAISE)
  return element(
    'g',
    { class: stateClasses(subject, part.state), 'data-state': part.state.path },
    lines(
      title(stateHover(part.state)),
      rect('box', box, 8),
      part.state.type === 'final' ? rect('inner', grow(box, -3), 6) : '',
      element('text', { class: 'name', y, ...middleOf(box) }, escapeXml(part.state.name)),
      first ? element('path', { class: 'rule', d: `M${box.left},${ruleY}H${box.right}` }) : '',
      first ? rowsOf(machine, part.lines, { texts: places, box }) : '',
    ),
  )
}

/** The first half of an arrow ends in its label, without a head. */
const toLabel = ({ path, head: [, tip] }: Shape) => (tip ? `${path} L${tip.x},${tip.y}` : path)

const arrow = ({ machine, way }: Subject, { edges, lines: rows }: Arrow, label: Shape, first: Shape, second: Shape) => {
  const d = `${toLabel(first)} ${second.path}`
  const onWay = edges.some(edge => way.edges.some(step => step.includes(edge))) ? ['way'] : []
  return element(
    'g',
    { class: ['arrow', ...onWay, ...edgeClasses(machine, edges)].join(' ') },
    lines(
      title(edgeHover(edges)),
      curve('hit', d),
      curve('line', d),
      head(second),
      rect('pill', label.box, 6),
      rowsOf(machine, rows, label, rows.length === 1),
    ),
  )
}

const arrowsOf = (subject: Subject, shapes: readonly Shape[]) =>
  shapes.flatMap(label => {
    if (label.part.kind !== 'label') return []
    const { arrow: meant } = label.part
    const half = (kind: 'to-label' | 'from-label') =>
      shapes.find(({ part }) => part.kind === kind && part.arrow === meant)
    const first = half('to-label')
    const second = half('from-label')
    return first && second ? [arrow(subject, meant, label, first, second)] : []
  })

const beginnings = (shapes: readonly Shape[]) =>
  shapes.map(shape => {
    const { part, box, path } = shape
    if (part.kind === 'dot') return element('circle', { class: 'dot', cx: round(box.left), cy: round(box.top), r: 5 })
    return part.kind === 'from-dot' ? lines(curve('line', path), head(shape)) : ''
  })

const remarks = (machine: string, shapes: readonly Shape[]) =>
  shapes.map(shape => (shape.part.kind === 'remark' ? rowsOf(machine, shape.part.lines, shape) : ''))

const isCompound = ({ part }: Shape) => part.kind === 'state' && part.state.states.length > 0

export const svgOf = (chart: Chart, { width, height, shift, shapes }: Drawing) => {
  const { machine } = chart
  const subject = { machine, way: wayOf(chart) }
  return `${element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      class: `statechart statechart-${machine}`,
      role: 'img',
      'aria-label': `Statechart ${machine}`,
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
    },
    lines(
      element('style', {}, SVG_STYLE),
      rect('paper', { left: 0, top: 0, right: width, bottom: height }, 0),
      element(
        'g',
        { transform: `translate(${shift.x} ${shift.y})` },
        lines(
          shapes.filter(isCompound).map(shape => state(subject, shape)),
          beginnings(shapes),
          arrowsOf(subject, shapes),
          shapes.filter(shape => !isCompound(shape)).map(shape => state(subject, shape)),
          remarks(machine, shapes),
        ),
      ),
    ),
  )}\n`
}
