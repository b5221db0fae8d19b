/** Why an edge is there and what a state means, in words: the hover of the pictures and the tables of the gallery. */
import { ROWS } from '../machines/rows.ts'
import type { ChartEdge, ChartState } from './chart.ts'
import { edgeText } from './notation.ts'

export const whyOf = ({ rows = [], reason }: ChartEdge): readonly string[] => [
  ...rows.map(row => `${row}: ${ROWS[row]}`),
  ...(reason === undefined ? [] : [reason]),
]

export const edgeHover = (edges: readonly ChartEdge[]) =>
  edges.map(edge => [edgeText(edge), ...whyOf(edge)].join('\n')).join('\n\n')

export const stateHover = ({ path, description, inFlight }: ChartState) =>
  [path, description, inFlight ? 'in flight: never repeated after a crash' : ''].filter(part => part !== '').join('\n')
