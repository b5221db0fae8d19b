/** A chart in the terms of state-machine-cat, every part under a class by which its shape is found again in the drawing. */
import type { IState, IStateMachine, ITransition } from 'state-machine-cat'
import { type Chart, type ChartEdge, type ChartState, drawnEdges, edgesOf, isRootShown } from './chart.ts'
import { edgeLines, type Line, lineText, stateLines } from './labels.ts'
import { NAME_PX, TEXT_PX } from './text-size.ts'
import { textWidth } from './text-width.ts'

/** All edges between the same two states, drawn as one. */
export interface Arrow {
  from: string
  to: string
  edges: readonly ChartEdge[]
  lines: readonly Line[]
}

/** The part of the chart that a shape of the drawing shows. */
export type Part =
  | { kind: 'state'; state: ChartState; lines: readonly Line[] }
  /** The lines of a state that has states inside: a box of its own among those. */
  | { kind: 'remark'; state: ChartState; lines: readonly Line[] }
  /** Graphviz lets curves cross the label of a curve but never a box, so a label is a box on the way. */
  | { kind: 'label'; arrow: Arrow; lines: readonly Line[] }
  | { kind: 'to-label' | 'from-label'; arrow: Arrow }
  | { kind: 'dot' | 'from-dot' }

export interface Outline {
  machine: IStateMachine
  parts: readonly Part[]
}

export const INDENT_PX = 10
/** Kept free beside a text, besides the padding of graphviz. */
const MARGIN_PX = 2

/** The font size given to graphviz; with the spacing of its tables a row then takes 14 pixels. */
export const LAYOUT_FONT = 6.5
const LETTER_I = 0.222

/** Our text in letters of graphviz's own font: it reserves the width and is never shown. */
const placeholder = (width: number) => 'i'.repeat(Math.ceil(width / (LAYOUT_FONT * LETTER_I)))

const rowOf = (line: Line) =>
  placeholder(textWidth(lineText(line), TEXT_PX) + (line.indented ? INDENT_PX : 0) + MARGIN_PX)

const activities = (rows: readonly string[]) =>
  rows.length === 0 ? {} : { actions: rows.map(body => ({ type: 'activity' as const, body })) }

const nodeOf = (path: string) => `/${path}`

/** A state is within itself. */
export const isWithin = (path: string, outer: string) => outer === '' || path === outer || path.startsWith(`${outer}.`)

const parentOf = (path: string) => path.split('.').slice(0, -1).join('.')

/** The innermost state around both ends of an arrow. */
const around = (a: string, b: string): string => {
  const outer = parentOf(a)
  return isWithin(parentOf(b), outer) ? outer : around(outer, b)
}

const arrowsOf = (chart: Chart, wrap: number): readonly Arrow[] => {
  const groups = new Map<string, { from: string; to: string; edges: ChartEdge[] }>()
  for (const edge of drawnEdges(edgesOf(chart))) {
    if (edge.target === undefined) continue
    const key = `${edge.source} ${edge.target}`
    const group = groups.get(key) ?? { from: edge.source, to: edge.target, edges: [] }
    group.edges.push(edge)
    groups.set(key, group)
  }
  return [...groups.values()].map(group => ({ ...group, lines: edgeLines(group.edges, wrap) }))
}

/** Graphviz stays near the order it is given, so a few are tried: 0 as declared, n backwards from the nth last. */
const ordered = <T>(items: readonly T[], order: number): readonly T[] => {
  if (order === 0) return items
  const backwards = items.toReversed()
  const start = (order - 1) % Math.max(1, items.length)
  return [...backwards.slice(start), ...backwards.slice(0, start)]
}

export interface Manner {
  direction: 'top-down' | 'left-right'
  /** Characters after which a line of text is broken. */
  wrap: number
  order: number
}

export const outlineOf = (chart: Chart, { wrap, order }: Manner): Outline => {
  const parts: Part[] = []
  const transitions: ITransition[] = []
  const arrows = arrowsOf(chart, wrap)
  const keyOf = (part: Part) => `key_${parts.push(part) - 1}`
  const connect = (from: string, to: string, part: Part) =>
    transitions.push({ id: transitions.length + 1, from, to, class: keyOf(part) })

  const textBox = (name: string, part: Part & { lines: readonly Line[] }): IState => {
    const [label = '', ...rest] = part.lines.map(rowOf)
    return { name, type: 'regular', label, class: keyOf(part), ...activities(rest) }
  }

  const labelOf = (arrow: Arrow): IState => {
    const name = `${nodeOf(arrow.from)} ${nodeOf(arrow.to)}`
    connect(nodeOf(arrow.from), name, { kind: 'to-label', arrow })
    connect(name, nodeOf(arrow.to), { kind: 'from-label', arrow })
    return textBox(name, { kind: 'label', arrow, lines: arrow.lines })
  }

  const dotOf = (path: string, initial: string): IState => {
    const name = `${nodeOf(path)} begins`
    connect(name, nodeOf(initial), { kind: 'from-dot' })
    return { name, type: 'initial', class: keyOf({ kind: 'dot' }) }
  }

  const insideOf = ({ path, initial, states }: ChartState): IState[] => [
    ...(initial === undefined ? [] : [dotOf(path, initial)]),
    ...ordered(
      [...states.map(stateOf), ...arrows.filter(({ from, to }) => around(from, to) === path).map(labelOf)],
      order,
    ),
  ]

  const stateOf = (state: ChartState): IState => {
    const lines = stateLines(state, wrap)
    const node = {
      name: nodeOf(state.path),
      type: 'regular' as const,
      label: placeholder(textWidth(state.name, NAME_PX, 'bold') + 2 * MARGIN_PX),
    }
    if (state.states.length === 0) {
      // The row after the name is left empty: a name is larger than the rows.
      const rows = lines.length === 0 ? [] : ['', ...lines.map(rowOf)]
      return { ...node, class: keyOf({ kind: 'state', state, lines }), ...activities(rows) }
    }
    const remark = lines.length === 0 ? [] : [textBox(`${node.name} says`, { kind: 'remark', state, lines })]
    const inside = insideOf(state)
    return {
      ...node,
      class: keyOf({ kind: 'state', state, lines: [] }),
      statemachine: { states: [...remark, ...inside] },
    }
  }

  const states = isRootShown(chart) ? [stateOf(chart.root)] : insideOf(chart.root)
  return { machine: { states, transitions }, parts }
}
