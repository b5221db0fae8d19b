/** Finds elements by an XPath expression: plain ones at once, all others in a thread and within limits. */

import { type FoundNode, type UiTree, walk } from '../../../../contracts/device/ui-tree.ts'
import { ROOT_TAG, type SourceScreen, sourceAttributes, tagOf } from '../source-node.ts'
import type { XPathEvaluator } from './xpath-evaluator.ts'

export interface XPathLimits {
  timeoutMs: number
  /** Of the screen as page source, in characters. */
  chars: number
}

export const XPATH_LIMITS: XPathLimits = { timeoutMs: 2_000, chars: 5 * 1_024 * 1_024 }
export const XPATH_CHARS_MAX = 64 * 1_024

/** The attributes of a node that hold no text of the application, in characters. */
const NODE_CHARS = 400

const sizeOf = (nodes: readonly FoundNode[]): number => {
  let chars = 0
  for (const { node } of nodes) {
    const { text, resourceId, className, packageName, contentDesc, hint, hintText } = node
    const texts = [text, resourceId, className, className, packageName, contentDesc, hint ?? hintText ?? '']
    chars += texts.reduce((sum, { length }) => sum + length, NODE_CHARS)
  }
  return chars
}

const PLAIN = /^\/\/(\*|[A-Za-z_][\w.-]*)(?:\[@([A-Za-z-]+)=(?:"([^"]*)"|'([^']*)')\])?$/

/** `//tag`, `//*[@name="value"]` and both at once need no engine. */
const plainly = (expression: string, nodes: readonly FoundNode[]): FoundNode[] | undefined => {
  const plain = PLAIN.exec(expression)
  if (!plain) return undefined
  const [, tag = '*', name, double, single] = plain
  const value = double ?? single ?? ''
  if (tag === ROOT_TAG || name === 'index') return undefined
  return nodes.filter(({ node }) => {
    if (tag !== '*' && tagOf(node.className) !== tag) return false
    return name === undefined || sourceAttributes(node, 0).some(([key, held]) => key === name && held === value)
  })
}

interface XPathQuery {
  value: string
  tree: UiTree
  within?: FoundNode | undefined
  signal?: AbortSignal | undefined
  limits?: Partial<XPathLimits> | undefined
  evaluator: XPathEvaluator
}

/** The outermost edges of all nodes: the size of the screen as far as the tree tells it. */
const screenOf = ({ roots }: UiTree): SourceScreen => ({
  width: Math.max(0, ...roots.map(({ bounds }) => bounds.right)),
  height: Math.max(0, ...roots.map(({ bounds }) => bounds.bottom)),
})

type Located = { ok: true; nodes: readonly FoundNode[] } | { ok: false; message: string }

export const locateByXPath = async ({
  value,
  tree,
  within,
  signal,
  limits,
  evaluator,
}: XPathQuery): Promise<Located> => {
  const { timeoutMs, chars } = { ...XPATH_LIMITS, ...limits }
  if (value.length > XPATH_CHARS_MAX) {
    return { ok: false, message: `The XPath expression is longer than ${XPATH_CHARS_MAX} characters.` }
  }
  const nodes = [...walk(tree.roots)]
  const size = sizeOf(nodes)
  if (size > chars) {
    const limit = `an XPath expression is evaluated over at most ${chars} characters`
    return {
      ok: false,
      message: `The screen has about ${size} characters as page source, and ${limit}; use another strategy.`,
    }
  }
  const plain = plainly(value, nodes)
  if (plain) return { ok: true, nodes: plain }
  const from = within && nodes.findIndex(({ node }) => node === within.node)
  const task = { expression: value, tree, screen: screenOf(tree), timeoutMs, ...(from === undefined ? {} : { from }) }
  const answer = await evaluator.evaluate(task, signal)
  return answer.ok ? { ok: true, nodes: answer.positions.flatMap(at => nodes[at] ?? []) } : answer
}
