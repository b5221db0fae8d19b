/** A machine as plain data: the tree of its states and their edges, in the order they are declared. */
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate'
import { IN_FLIGHT } from '../machines/definition.ts'
import type { EdgeMeta } from '../machines/rows.ts'

export interface Named {
  type: string
  params?: Readonly<Record<string, unknown>>
}

export interface ChartEdge extends EdgeMeta {
  source: string
  event: string
  guard?: Named
  /** Taken when no guard before it held. */
  otherwise?: true
  actions: readonly Named[]
  /** Absent for an edge that stays where it is. */
  target?: string
}

export interface ChartState {
  /** Dotted, as in a transition record; empty for the root. */
  path: string
  name: string
  type: AnyStateNode['type']
  description: string
  tags: readonly string[]
  /** Tagged itself or inside a state that is. */
  inFlight: boolean
  ports: readonly { id: string; port: string }[]
  entry: readonly Named[]
  exit: readonly Named[]
  initial?: string
  edges: readonly ChartEdge[]
  states: readonly ChartState[]
}

export interface Chart {
  machine: string
  root: ChartState
}

const pathOf = (node: AnyStateNode) => node.path.join('.')

const named = (part: unknown): Named => {
  if (typeof part === 'string') return { type: part }
  if (typeof part === 'object' && part !== null && 'type' in part) {
    const params = 'params' in part && typeof part.params === 'object' && part.params !== null ? part.params : undefined
    return { type: String(part.type), ...(params && { params: { ...params } }) }
  }
  return { type: 'unnamed' }
}

const edgeOf = (
  { source, eventType, guard, actions, target, meta }: AnyTransitionDefinition,
  index: number,
): ChartEdge => {
  const [first, second] = (target ?? []).map(pathOf)
  if (second !== undefined) throw new Error(`${pathOf(source)}: ${eventType} has two targets; no chart shows that`)
  return {
    source: pathOf(source),
    event: eventType === '' ? 'always' : eventType,
    ...(guard !== undefined && { guard: named(guard) }),
    ...(guard === undefined && index > 0 && { otherwise: true as const }),
    actions: actions.map(named),
    ...(first !== undefined && { target: first }),
    ...(meta as EdgeMeta | undefined),
  }
}

const stateOf = (node: AnyStateNode, inherited: boolean): ChartState => {
  const inFlight = inherited || node.tags.includes(IN_FLIGHT)
  const [initial] = node.type === 'compound' ? (node.initial.target ?? []) : []
  return {
    path: pathOf(node),
    name: node.key,
    type: node.type,
    description: node.description ?? '',
    tags: node.tags,
    inFlight,
    ports: node.invoke.map(({ id, src }) => ({ id, port: typeof src === 'string' ? src : id })),
    entry: node.entry.map(named),
    exit: node.exit.map(named),
    ...(initial && { initial: pathOf(initial) }),
    edges: [...node.transitions.values(), node.always ?? []].flatMap(choices => choices.map(edgeOf)),
    states: Object.values(node.states).map(child => stateOf(child, inFlight)),
  }
}

export const chartOf = (machine: string, logic: AnyStateMachine): Chart => ({
  machine,
  root: stateOf(logic.root, false),
})

/** The states in document order, without the root. */
export const statesOf = ({ states }: ChartState): readonly ChartState[] =>
  states.flatMap(state => [state, ...statesOf(state)])

/** Every edge in document order, the root's own first. */
export const edgesOf = (chart: Chart): readonly ChartEdge[] =>
  [chart.root, ...statesOf(chart.root)].flatMap(state => state.edges)

/** The edges of a picture, without strays: a stray changes nothing, and there is one for nearly every event. */
export const drawnEdges = (edges: readonly ChartEdge[]) => edges.filter(edge => edge.stray !== true)

/** A root with edges of its own is drawn as a state around all others. */
export const isRootShown = ({ root }: Chart) => drawnEdges(root.edges).length > 0

/** The states of a picture, in document order. */
export const shownStates = (chart: Chart): readonly ChartState[] => [
  ...(isRootShown(chart) ? [chart.root] : []),
  ...statesOf(chart.root),
]
