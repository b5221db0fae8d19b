/** Which node a finger means: the topmost one under it, or the nearest one around that which can take the gesture. */

import { contains } from '../../operator/engine/bounds.ts'
import type { Point, UiNode } from '../../operator/engine/ui-tree.ts'
import type { ScenarioNode } from '../scenario/node.ts'
import type { Placed } from './layout.ts'

/** From the outermost node under the point to the innermost. */
export const pathTo = (roots: readonly Placed[], point: Point): Placed[] => {
  const hit = roots.findLast(({ node }) => contains(node.bounds, point))
  return hit ? [hit, ...pathTo(hit.children, point)] : []
}

export const find = (roots: readonly Placed[], matches: (placed: Placed) => boolean): Placed | undefined => {
  for (const placed of roots) {
    const found = matches(placed) ? placed : find(placed.children, matches)
    if (found) return found
  }
  return undefined
}

export const placedOf = (roots: readonly Placed[], source: ScenarioNode): Placed | undefined =>
  find(roots, placed => placed.source === source)

const isSame = (a: UiNode, b: UiNode): boolean =>
  a.className === b.className &&
  a.resourceId === b.resourceId &&
  (['left', 'top', 'right', 'bottom'] as const).every(edge => a.bounds[edge] === b.bounds[edge])

/** A node of an earlier reading, where it still is. */
export const placedAs = (roots: readonly Placed[], node: UiNode): Placed | undefined =>
  find(roots, placed => placed.node === node) ?? find(roots, placed => isSame(placed.node, node))

export const innermost = (path: readonly Placed[], can: (placed: Placed) => boolean): Placed | undefined =>
  path.findLast(can)

/** Fields with nothing in them: what they show is their hint. */
export const emptyFields = (roots: readonly Placed[]): UiNode[] =>
  roots.flatMap(({ source, look, node, children }) => [
    ...(source.editable && look.text === '' ? [node] : []),
    ...emptyFields(children),
  ])
