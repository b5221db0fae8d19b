/** How an edge reads wherever it is shown: `event [guard] / actions`. */
import type { ChartEdge, Named } from './chart.ts'

/** A sentence among the params (an error message) belongs to the json, not into a label. */
const isShort = (value: unknown) => value !== null && !String(value).includes(' ')

export const namedText = ({ type, params }: Named) => {
  const values = Object.values(params ?? {}).filter(isShort)
  return values.length === 0 ? type : `${type}(${values.join(', ')})`
}

export const guardText = ({ guard, otherwise }: ChartEdge) =>
  guard ? `[${namedText(guard)}]` : otherwise ? '[else]' : ''

export const actionsText = ({ actions }: ChartEdge) => actions.map(namedText).join(', ')

export const edgeText = (edge: ChartEdge) => {
  const actions = actionsText(edge)
  return [edge.event, guardText(edge), actions && `/ ${actions}`].filter(part => part !== '').join(' ')
}
