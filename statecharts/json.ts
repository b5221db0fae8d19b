/** A chart as json for reviewers: in the order of declaration, and an edge on a line of its own wherever it fits. */
import type { Chart, ChartEdge, ChartState } from './chart.ts'

const WIDTH = 180

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

const inline = (value: Json): string => {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${inline(member)}`)
  return `{ ${members.join(', ')} }`
}

const print = (value: Json, indent: string): string => {
  const line = inline(value)
  if (value === null || typeof value !== 'object' || indent.length + line.length <= WIDTH) return line
  const deeper = `${indent}  `
  const members = Array.isArray(value)
    ? value.map(member => print(member, deeper))
    : Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${print(member, deeper)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${members.map(member => `${deeper}${member}`).join(',\n')}\n${indent}${close}`
}

/** Leaves out members that are absent or empty. */
const written = (members: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(members).filter(
      ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  )

const edge = ({ event, guard, otherwise, actions, target, rows, reason, stray }: ChartEdge) =>
  written({ event, guard, otherwise, actions, target, internal: target === undefined, rows, reason, stray })

const state = ({ path, name, inFlight, edges, states, ...rest }: ChartState): Readonly<Record<string, unknown>> =>
  written({ path, ...rest, edges: edges.map(edge), states: states.map(state) })

export const jsonOf = ({ machine, root }: Chart) => {
  const plain = { machine, ...state(root) }
  // Params are whatever a machine declares; this is the way to nothing but json.
  return `${print(JSON.parse(JSON.stringify(plain)) as Json, '')}\n`
}
