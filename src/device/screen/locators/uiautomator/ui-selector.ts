/** A UiSelector as data, and the nodes of a screen that it means: by the rules of Android's UiAutomator. */

import { type FoundNode, type UiNode, type UiTree, walk } from '../../../../contracts/device/ui-tree.ts'
import { PIECE, type Sliced } from '../../../../runtime/yielding.ts'
import { type TextTest, uiSelectorPattern } from '../../patterns/flow-pattern.ts'

export type TextKey = 'text' | 'contentDesc' | 'resourceId' | 'className' | 'packageName'
export type FlagKey =
  | 'checkable'
  | 'checked'
  | 'clickable'
  | 'enabled'
  | 'focusable'
  | 'focused'
  | 'longClickable'
  | 'scrollable'
  | 'selected'

export type UiTest =
  | { kind: 'equals'; of: TextKey; values: readonly string[] }
  /** In any case. */
  | { kind: 'contains' | 'starts'; of: TextKey; value: string }
  | { kind: 'matches'; of: TextKey; fits: TextTest }
  | { kind: 'flag'; of: FlagKey; value: boolean }

export interface UiSelector {
  tests: readonly UiTest[]
  /** The position among the siblings. */
  index?: number
  /** Which of the nodes that pass, from 0. */
  instance?: number
  /** The node that is meant, inside of the one that passes or of its parent. */
  next?: { from: 'child' | 'parent'; selector: UiSelector }
}

/** By a regular expression of Java over the whole text; in words, why the pattern is none. */
export const patternTest = (of: TextKey, pattern: string): UiTest | string => {
  const fits = uiSelectorPattern(pattern)
  return typeof fits === 'string' ? fits : { kind: 'matches', of, fits }
}

const passes = function* (test: UiTest, node: UiNode): Sliced<boolean> {
  if (test.kind === 'flag') return node[test.of] === test.value
  const text = node[test.of]
  if (test.kind === 'equals') return test.values.includes(text)
  if (test.kind === 'matches') return yield* test.fits(text)
  const [lower, wanted] = [text.toLowerCase(), test.value.toLowerCase()]
  return test.kind === 'contains' ? lower.includes(wanted) : lower.startsWith(wanted)
}

const fits = function* ({ tests, index }: UiSelector, { node, parent }: FoundNode, tree: UiTree): Sliced<boolean> {
  for (const test of tests) if (!(yield* passes(test, node))) return false
  return index === undefined || (parent?.node.children ?? tree.roots)[index] === node
}

/** All that is inside of these, each once, in the order of the tree. */
const below = function* (tops: readonly (FoundNode | UiTree)[]): Generator<FoundNode> {
  const seen = new Set<UiNode>()
  for (const top of tops) {
    if ('node' in top && seen.has(top.node)) continue
    for (const found of 'node' in top ? walk(top.node.children, top) : walk(top.roots)) {
      if (seen.has(found.node)) continue
      seen.add(found.node)
      yield found
    }
  }
}

/** `within` leaves the node itself out. */
export const findingUiSelector = function* (
  selector: UiSelector,
  tree: UiTree,
  within?: FoundNode,
): Sliced<readonly FoundNode[]> {
  let wanted: UiSelector | undefined = selector
  let tops: readonly (FoundNode | UiTree)[] = [within ?? tree]
  for (;;) {
    const found: FoundNode[] = []
    let seen = 0
    for (const each of below(tops)) {
      seen += 1
      if (seen % PIECE === 0) yield
      if (yield* fits(wanted, each, tree)) found.push(each)
    }
    const chosen = wanted.instance === undefined ? found : found.slice(wanted.instance, wanted.instance + 1)
    const { next }: UiSelector = wanted
    if (!next) return chosen
    wanted = next.selector
    tops = next.from === 'child' ? chosen : chosen.map(({ parent }) => parent ?? tree)
  }
}
