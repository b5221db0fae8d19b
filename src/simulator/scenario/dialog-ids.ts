/** The resource ids that Android gives the parts of an alert, for a dialog whose author names none: so apps that show alerts have them. */
import type { ScenarioNode } from './node.ts'

const ID = 'android:id/'
/** In a column the positive button is on top, in a row at its end. */
const BUTTON_IDS = ['button1', 'button2', 'button3']
const BUTTON = /\.Button$/
const TEXT = /\.TextView$/

const everyNode = (nodes: readonly ScenarioNode[]): ScenarioNode[] =>
  nodes.flatMap(node => [node, ...everyNode(node.nodes)])

const buttonsIn = (nodes: readonly ScenarioNode[], isRow = false): ScenarioNode[] => {
  const found = nodes.flatMap(node =>
    BUTTON.test(node.className) ? [node] : buttonsIn(node.nodes, node.layout === 'row'),
  )
  return isRow ? found.reverse() : found
}

/** A text alone is what the dialog says; of several, the first one is its title. */
const idsOf = (nodes: readonly ScenarioNode[]): ReadonlyMap<ScenarioNode, string> => {
  const texts = everyNode(nodes).filter(({ className, text }) => TEXT.test(className) && text !== '')
  const [first, second] = texts
  const labels = texts.length > 1 ? { alertTitle: first, message: second } : { message: first }
  const named = [...Object.entries(labels), ...buttonsIn(nodes).map((node, at) => [BUTTON_IDS[at], node] as const)]
  return new Map(named.flatMap(([name, node]) => (node && name !== undefined ? [[node, ID + name] as const] : [])))
}

/** A dialog without a button is no alert, and one with an id is as its author has written it. */
export const withDialogIds = (nodes: readonly ScenarioNode[]): ScenarioNode[] => {
  const isNamed = everyNode(nodes).some(({ resourceId }) => resourceId !== '')
  if (isNamed || buttonsIn(nodes).length === 0) return [...nodes]
  const ids = idsOf(nodes)
  const named = (node: ScenarioNode): ScenarioNode => ({
    ...node,
    resourceId: ids.get(node) ?? '',
    nodes: node.nodes.map(named),
  })
  return nodes.map(named)
}
