/** Finds the node that a finger hits: of those that take the gesture, the one that is drawn last. */

import { contains } from '../../operator/engine/bounds.ts'
import { inPaintOrder } from '../../operator/engine/paint-order.ts'
import type { Point, UiNode } from '../../operator/engine/ui-tree.ts'
import type { ScenarioNode } from '../scenario/node.ts'
import type { Placed, Scroll } from './layout.ts'

/** From the first drawn to the last. */
export const drawn = (siblings: readonly Placed[]): readonly Placed[] => inPaintOrder(siblings, ({ node }) => node)

/** Android hands a touch down: it asks the children from the last drawn to the first, then the node itself. */
export const takerAt = (
  roots: readonly Placed[],
  point: Point,
  takes: (placed: Placed) => boolean,
): Placed | undefined => {
  for (const placed of drawn(roots).toReversed()) {
    if (!contains(placed.node.bounds, point)) continue
    const taker = takerAt(placed.children, point, takes) ?? (takes(placed) ? placed : undefined)
    if (taker) return taker
  }
  return undefined
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

/** The lists, each with how far it is scrolled. */
export const scrolledLists = (roots: readonly Placed[]): { node: UiNode; scroll: Scroll }[] =>
  roots.flatMap(({ node, scroll, children }) => [...(scroll ? [{ node, scroll }] : []), ...scrolledLists(children)])

/** Fields with nothing in them: what they show is their hint. */
export const emptyFields = (roots: readonly Placed[]): UiNode[] =>
  roots.flatMap(({ source, look, node, children }) => [
    ...(source.editable && look.text === '' ? [node] : []),
    ...emptyFields(children),
  ])
