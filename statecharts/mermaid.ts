/** A chart as mermaid: nested states, and one line for each edge that a picture shows. */
import { type Chart, type ChartEdge, type ChartState, drawnEdges, isRootShown, statesOf } from './chart.ts'
import { lines } from './markup.ts'
import { edgeText, namedText } from './notation.ts'

/** Names are global in mermaid, so a state carries its whole path. */
const idOf = (machine: string, path: string) =>
  (path === '' ? machine : path).replaceAll('.', '__').replaceAll('-', '_')

const indent = (text: readonly string[]) => text.map(line => `  ${line}`)

/** Mermaid breaks on a description of a state that has states inside; a note stands in for it there. */
const remark = (machine: string, { path, states }: ChartState, text: string) =>
  states.length === 0 ? `${idOf(machine, path)} : ${text}` : `note right of ${idOf(machine, path)} : ${text}`

const doingOf = (machine: string, state: ChartState) => [
  ...state.entry.map(action => remark(machine, state, `entry / ${namedText(action)}`)),
  ...state.ports.map(({ port }) => remark(machine, state, `do / ${port}`)),
  ...state.exit.map(action => remark(machine, state, `exit / ${namedText(action)}`)),
]

const stateLines = (machine: string, { path, name, initial, states }: ChartState): readonly string[] => {
  const head = `state "${name}" as ${idOf(machine, path)}`
  if (states.length === 0) return [head]
  return [`${head} {`, ...indent(insideOf(machine, { initial, states })), '}']
}

const insideOf = (
  machine: string,
  { initial, states }: { initial?: string | undefined; states: readonly ChartState[] },
) => [
  ...(initial === undefined ? [] : [`[*] --> ${idOf(machine, initial)}`]),
  ...states.flatMap(state => stateLines(machine, state)),
]

/** An edge that stays inside such a state is drawn as an arrow back to it, for the same reason. */
const edgeLine = (machine: string, state: ChartState, edge: ChartEdge) => {
  if (edge.target === undefined && state.states.length === 0) return remark(machine, state, edgeText(edge))
  return `${idOf(machine, edge.source)} --> ${idOf(machine, edge.target ?? edge.source)} : ${edgeText(edge)}`
}

export const mermaidOf = (chart: Chart) => {
  const { machine, root } = chart
  const states = statesOf(root)
  const atomic = states.filter(state => state.states.length === 0)
  const inFlight = atomic.filter(state => state.inFlight).map(({ path }) => idOf(machine, path))
  const inside = isRootShown(chart) ? stateLines(machine, root) : insideOf(machine, root)
  return `${lines(
    'stateDiagram-v2',
    indent([
      ...inside,
      ...[root, ...states].flatMap(state => [
        ...doingOf(machine, state),
        ...drawnEdges(state.edges).map(edge => edgeLine(machine, state, edge)),
      ]),
      ...states.filter(({ type }) => type === 'final').map(({ path }) => `${idOf(machine, path)} --> [*]`),
      'classDef inFlight stroke-width:3px',
      ...(inFlight.length === 0 ? [] : [`class ${inFlight.join(', ')} inFlight`]),
    ]),
  )}\n`
}
