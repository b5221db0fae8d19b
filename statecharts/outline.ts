/**
 * A chart in the terms of state-machine-cat, every part under a class by which it is found again in the picture. The library can draw labels
 * on arrows itself, but as one text without parts: neither hover nor light could tell the edges of an arrow apart.
 */
import type { IState, IStateMachine, ITransition } from 'state-machine-cat'
import { type Chart, type ChartEdge, type ChartState, drawnEdges, edgesOf, isRootShown } from './chart.ts'
import { edgeLines, grouped, type Line, lineText, stateLines } from './labels.ts'

/** The part of the chart that a group of the picture shows; an arrow stands for all edges between the same two states. */
export type Part =
  | { kind: 'state'; state: ChartState; lines: readonly Line[] }
  | { kind: 'beginning' }
  | { kind: 'arrow'; edges: readonly ChartEdge[]; lines: readonly Line[] }

export interface Outline {
  machine: IStateMachine
  parts: readonly Part[]
}

/** The class of a curve that ends in a label: it has no head. */
export const HALF = 'half'

export const INDENT = '\u00a0\u00a0'

const rowOf = (line: Line) => `${line.indented ? INDENT : ''}${lineText(line)}`

const activity = (body: string) => ({ type: 'activity' as const, body })

const parentOf = (path: string) => path.split('.').slice(0, -1).join('.')

const isWithin = (path: string, outer: string) => outer === '' || path === outer || path.startsWith(`${outer}.`)

/** The innermost state around both ends of an arrow. */
const around = (a: string, b: string): string => {
  const outer = parentOf(a)
  return isWithin(parentOf(b), outer) ? outer : around(outer, b)
}

const nodeOf = (path: string) => `/${path}`

export interface Manner {
  direction: 'top-down' | 'left-right'
  /** Characters after which a line of text is broken. */
  wrap: number
  /** Graphviz stays near the order it is given: backwards from the nth last, or 0 as declared. */
  order: number
}

const ordered = <T>(items: readonly T[], order: number): T[] => {
  const backwards = items.toReversed()
  const start = (order - 1) % Math.max(1, items.length)
  return order === 0 ? [...items] : [...backwards.slice(start), ...backwards.slice(0, start)]
}

export const outlineOf = (chart: Chart, { wrap, order }: Manner): Outline => {
  const parts: Part[] = []
  const transitions: ITransition[] = []
  const keyOf = (part: Part) => `key_${parts.push(part) - 1}`
  const connect = (from: string, to: string, className: string) =>
    transitions.push({ id: transitions.length + 1, from, to, class: className })
  const groups = grouped(drawnEdges(edgesOf(chart)), ({ source, target }) => `${source} ${target}`)

  /** Graphviz lets curves cross the label of a curve but never a box, so a label is a box on the way. */
  const labelsIn = (path: string): IState[] =>
    [...groups.values()].flatMap(edges => {
      const [{ source, target } = { source: '', target: undefined }] = edges
      if (target === undefined || around(source, target) !== path) return []
      const lines = edgeLines(edges, wrap)
      const name = `${nodeOf(source)} ${nodeOf(target)}`
      const className = keyOf({ kind: 'arrow', edges, lines })
      connect(nodeOf(source), name, `${HALF} ${className}`)
      connect(name, nodeOf(target), className)
      const [label = '', ...rows] = lines.map(rowOf)
      return [{ name, type: 'regular' as const, label, class: className, actions: rows.map(activity) }]
    })

  const insideOf = ({ path, initial, states }: ChartState): IState[] => {
    const inside = ordered([...states.map(stateOf), ...labelsIn(path)], order)
    if (initial === undefined) return inside
    const name = `${nodeOf(path)} begins`
    const className = keyOf({ kind: 'beginning' })
    connect(name, nodeOf(initial), className)
    return [{ name, type: 'initial', class: className }, ...inside]
  }

  const stateOf = (state: ChartState): IState => {
    const lines = stateLines(state, wrap)
    const inside = insideOf(state)
    return {
      name: nodeOf(state.path),
      type: 'regular',
      label: state.name,
      class: keyOf({ kind: 'state', state, lines }),
      actions: lines.map(rowOf).map(activity),
      ...(inside.length === 0 ? {} : { statemachine: { states: inside } }),
    }
  }

  const states = isRootShown(chart) ? [stateOf(chart.root)] : insideOf(chart.root)
  return { machine: { states, transitions }, parts }
}
