/** A node in the words of the contract: a matcher that finds it and no other, or else a point on it. */
import { MATCHER_CHARS_MAX } from '../../contracts/limits.ts'
import type { Matcher } from '../../contracts/matcher.ts'
import { type FoundNode, findAll, labelOf, outwards } from '../engine/match.ts'
import { roleOf } from '../engine/role.ts'
import { aim } from '../engine/tap-point.ts'
import type { Point, UiNode, UiTree } from '../engine/ui-tree.ts'

/** Both where both are there: what is clicked may be told by either. */
export interface Plain {
  matcher?: Matcher
  point?: Point
}

const usable = (text: string): boolean => text !== '' && text.length <= MATCHER_CHARS_MAX && !/[\0\p{Cs}]/u.test(text)

const keysOf = (node: UiNode): Matcher => ({
  ...(usable(node.resourceId) ? { resourceId: node.resourceId } : {}),
  ...(usable(labelOf(node)) ? { textEquals: labelOf(node) } : {}),
  ...(usable(node.contentDesc) && node.text !== '' ? { contentDescEquals: node.contentDesc } : {}),
})

/** The names of roles may differ between operators: they are used where nothing else tells the node. */
const matchersFor = (node: UiNode): Matcher[] => {
  const keys = keysOf(node)
  const role = roleOf(node)
  const all = role === undefined ? [keys] : [keys, { ...keys, role }]
  return all.filter(matcher => Object.keys(matcher).length > 0)
}

const findsOnly = ({ roots }: UiTree, matcher: Matcher, node: UiNode): boolean => {
  let count = 0
  for (const found of findAll(roots, matcher)) {
    count += 1
    if (found.node !== node || count > 1) return false
  }
  return count === 1
}

const receiverOf = (found: FoundNode): UiNode => {
  for (const { node } of outwards(found)) if (node.clickable || node.longClickable) return node
  return found.node
}

export const plainOf = (tree: UiTree, found: FoundNode): Plain => {
  const { node } = found
  const matcher = matchersFor(node).find(each => findsOnly(tree, each, node))
  if (matcher) return { matcher }
  const receiver = receiverOf(found)
  const { point } = receiver.enabled ? aim(found, receiver) : {}
  return point ? { point } : {}
}
