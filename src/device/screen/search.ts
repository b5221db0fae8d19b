/** Finds the nodes of a tree that a matcher of the contract means. */

import { type FoundNode, type UiNode, type UiTree, walk } from '../../contracts/device/ui-tree.ts'
import type { Matcher } from '../../contracts/executions/matcher.ts'
import { PIECE, type Sliced, withoutPauses } from '../../runtime/yielding.ts'
import { findElement } from './elements/element-identity.ts'
import { matching, relationsOf, withAncestors } from './match.ts'
import { searchingFlow } from './patterns/flow-search.ts'
import { type RankedNode, relatedTo } from './related-nodes.ts'

/** Every node must be seen before it is known which one comes first. */
const needsAll = (matcher: Matcher): boolean =>
  matcher.flow !== undefined ||
  matcher.element !== undefined ||
  matcher.pageElement !== undefined ||
  matcher.index !== undefined ||
  relationsOf(matcher).length > 0

interface SearchOptions {
  /** At most so many nodes. */
  most?: number
  /** Only nodes inside of this one; those that they are related to may be anywhere. */
  within?: FoundNode | undefined
}

/** By the matcher's keys about the node itself, in the order of the tree. */
const searchingAlone = function* (nodes: Iterable<FoundNode>, matcher: Matcher, most: number): Sliced<FoundNode[]> {
  const matches = matching(matcher)
  // A pattern may take a while for a single label.
  const piece = matcher.textMatches === undefined ? PIECE : 1
  const found: FoundNode[] = []
  let seen = 0
  for (const each of nodes) {
    seen += 1
    if (seen % piece === 0) yield
    if (matches(each.node) && found.push(each) >= most) break
  }
  return found
}

const searchingPageElement = function* (roots: readonly UiNode[], handle: string): Sliced<FoundNode[]> {
  let seen = 0
  for (const found of walk(roots)) {
    seen += 1
    if (seen % PIECE === 0) yield
    if (found.node.pageElement === handle) return [found]
  }
  return []
}

const byPlace = ({ node: { bounds: a } }: FoundNode, { node: { bounds: b } }: FoundNode): number =>
  a.top - b.top || a.left - b.left

const isInside = ({ parent }: FoundNode, { node }: FoundNode): boolean => {
  for (const around of parent ? withAncestors(parent) : []) if (around.node === node) return true
  return false
}

/** The first nodes that match: in the order of the tree, or the nearest first where a relation says beside what. */
export const searching = function* (
  roots: readonly UiNode[],
  matcher: Matcher,
  { most = Number.POSITIVE_INFINITY, within }: SearchOptions = {},
): Sliced<FoundNode[]> {
  const { index, flow, element, pageElement } = matcher
  if (pageElement) return yield* searchingPageElement(roots, pageElement.element)
  if (element) {
    const result = findElement({ roots }, element)
    const isMeant = result.ok && (within === undefined || isInside(result.found, within))
    return isMeant ? [result.found].slice(0, most) : []
  }
  if (flow) {
    const all = yield* searchingFlow(roots, flow)
    return (within ? all.filter(found => isInside(found, within)) : all).slice(0, most)
  }
  const nodes = within ? walk(within.node.children, within) : walk(roots)
  const found = yield* searchingAlone(nodes, matcher, needsAll(matcher) ? Number.POSITIVE_INFINITY : most)
  let related: RankedNode[] = found.map(each => ({ found: each, distance: 0 }))
  for (const { relation, to } of relationsOf(matcher)) {
    related = yield* relatedTo(relation, related, yield* searching(roots, to))
  }
  const nearestFirst = related.sort((a, b) => a.distance - b.distance).map(({ found }) => found)
  if (index === undefined) return nearestFirst.slice(0, most)
  const chosen = nearestFirst.sort(byPlace).at(index)
  return chosen ? [chosen] : []
}

export const findAll = function* (roots: readonly UiNode[], matcher: Matcher): Generator<FoundNode> {
  if (needsAll(matcher)) return yield* withoutPauses(searching(roots, matcher))
  const matches = matching(matcher)
  for (const found of walk(roots)) if (matches(found.node)) yield found
}

export const findFirst = (tree: UiTree | undefined, matcher: Matcher): FoundNode | undefined => {
  for (const found of findAll(tree?.roots ?? [], matcher)) return found
  return undefined
}
