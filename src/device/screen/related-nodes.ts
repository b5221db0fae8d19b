/** Finds, of some nodes, those that stand in a relation of a matcher to one of others. */

import { type Bounds, centreOf, type FoundNode, type UiNode, walk } from '../../contracts/device/ui-tree.ts'
import type { Relation } from '../../contracts/executions/matcher.ts'
import { PIECE, type Sliced } from '../../runtime/yielding.ts'

/** A node, and how far it is from what it is below of, above of or beside of. */
export interface RankedNode {
  found: FoundNode
  /** In pixels. */
  distance: number
}

type Side = Exclude<Relation, 'childOf' | 'containsChild'>

const IS_BESIDE: Record<Side, (node: Bounds, other: Bounds) => boolean> = {
  below: (node, other) => node.top >= other.bottom,
  above: (node, other) => node.bottom <= other.top,
  leftOf: (node, other) => node.right <= other.left,
  rightOf: (node, other) => node.left >= other.right,
}

const gap = (from: number, to: number, otherFrom: number, otherTo: number): number =>
  Math.max(0, from - otherTo, otherFrom - to)

/**
 * From the edge of the other node along the relation, and from its centre across: neighbouring rows touch each other, and
 * what stands in the row of the other node is nearer than what is as far along in the next row.
 */
const distanceOf = (side: Side, node: Bounds, other: Bounds): number => {
  const centre = centreOf(other)
  return side === 'below' || side === 'above'
    ? Math.hypot(gap(node.top, node.bottom, other.top, other.bottom), gap(node.left, node.right, centre.x, centre.x))
    : Math.hypot(gap(node.left, node.right, other.left, other.right), gap(node.top, node.bottom, centre.y, centre.y))
}

const besideOne = function* (
  side: Side,
  nodes: readonly RankedNode[],
  others: readonly FoundNode[],
): Sliced<RankedNode[]> {
  const isBeside = IS_BESIDE[side]
  const ranked: RankedNode[] = []
  let seen = 0
  for (const { found, distance } of nodes) {
    let nearest = Number.POSITIVE_INFINITY
    for (const other of others) {
      seen += 1
      if (seen % PIECE === 0) yield
      const [bounds, otherBounds] = [found.node.bounds, other.node.bounds]
      if (isBeside(bounds, otherBounds)) nearest = Math.min(nearest, distanceOf(side, bounds, otherBounds))
    }
    if (nearest < Number.POSITIVE_INFINITY) ranked.push({ found, distance: distance + nearest })
  }
  return ranked
}

/** All nodes inside of these, at any depth. */
const insideOf = function* (others: readonly FoundNode[]): Sliced<ReadonlySet<UiNode>> {
  const inside = new Set<UiNode>()
  let seen = 0
  for (const { node } of others) {
    if (inside.has(node)) continue
    for (const found of walk(node.children)) {
      seen += 1
      if (seen % PIECE === 0) yield
      inside.add(found.node)
    }
  }
  return inside
}

/** All nodes around these. */
const aroundThese = function* (others: readonly FoundNode[]): Sliced<ReadonlySet<UiNode>> {
  const around = new Set<UiNode>()
  let seen = 0
  for (const { parent } of others) {
    for (let at = parent; at && !around.has(at.node); at = at.parent) {
      seen += 1
      if (seen % PIECE === 0) yield
      around.add(at.node)
    }
  }
  return around
}

/** `others` are in the order of the tree. */
export const relatedTo = function* (
  relation: Relation,
  nodes: readonly RankedNode[],
  others: readonly FoundNode[],
): Sliced<RankedNode[]> {
  if (relation === 'childOf') {
    const inside = yield* insideOf(others)
    return nodes.filter(({ found }) => inside.has(found.node))
  }
  if (relation === 'containsChild') {
    const around = yield* aroundThese(others)
    return nodes.filter(({ found }) => around.has(found.node))
  }
  return yield* besideOne(relation, nodes, others)
}
