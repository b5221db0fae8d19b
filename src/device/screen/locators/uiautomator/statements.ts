/** The elements that UiAutomator expressions mean on one screen. What has to be scrolled for is not looked for here. */

import { type FoundNode, type UiNode, type UiTree, walk } from '../../../../contracts/device/ui-tree.ts'
import type { Sliced } from '../../../../runtime/yielding.ts'
import type { ScrollCall, UiScrollable, UiStatement } from './read-ui-automator.ts'
import { findingUiSelector, type UiSelector } from './ui-selector.ts'

type Statements = { ok: true; nodes: readonly FoundNode[] } | { ok: false; message: string }

/** Appium's words for an expression that ends in a call which gives no element. */
export const NO_ELEMENT = 'The last method called on a UiScrollable must give an element, such as scrollIntoView(...).'

const isIn = function* (found: FoundNode, having: UiSelector, tree: UiTree): Sliced<boolean> {
  const { node, parent } = found
  const alone: UiTree = { ...tree, roots: parent?.node.children ?? tree.roots }
  const all = yield* findingUiSelector(having, alone)
  const inside = new Set<UiNode>()
  for (const each of walk([node])) inside.add(each.node)
  return all.some(each => inside.has(each.node))
}

/** The element that a call gives, as far as it is on the screen. */
export const findingCall = function* (
  call: ScrollCall,
  { container }: UiScrollable,
  tree: UiTree,
): Sliced<readonly FoundNode[]> {
  if (call.kind === 'move') return []
  if (call.kind === 'into_view') return yield* findingUiSelector(call.target, tree)
  const [around] = yield* findingUiSelector(container, tree)
  if (!around) return []
  if (call.kind === 'child') return yield* findingUiSelector(call.target, tree, around)
  for (const child of yield* findingUiSelector(call.child, tree, around)) {
    if (yield* isIn(child, call.having, tree)) return [child]
  }
  return []
}

const findingStatement = function* (statement: UiStatement, tree: UiTree, within?: FoundNode): Sliced<Statements> {
  if (statement.kind === 'selector') {
    return { ok: true, nodes: yield* findingUiSelector(statement.selector, tree, within) }
  }
  const last = statement.scrollable.calls.at(-1)
  if (!last || last.kind === 'move') return { ok: false, message: NO_ELEMENT }
  return { ok: true, nodes: yield* findingCall(last, statement.scrollable, tree) }
}

/** The elements of all expressions, each once. */
export const findingStatements = function* (
  statements: readonly UiStatement[],
  tree: UiTree,
  within?: FoundNode,
): Sliced<Statements> {
  const nodes = new Map<UiNode, FoundNode>()
  for (const statement of statements) {
    const found = yield* findingStatement(statement, tree, within)
    if (!found.ok) return found
    for (const each of found.nodes) if (!nodes.has(each.node)) nodes.set(each.node, each)
  }
  return { ok: true, nodes: [...nodes.values()] }
}
