/** Orders nodes as they are drawn: a whole subtree goes with its root, and roots of one parent have an order. */
import type { UiNode } from './ui-tree.ts'

/** Android counts from 1; 0 is what it says of a view that has not been laid out. */
const orderOf = ({ drawingOrder = 0 }: Pick<UiNode, 'drawingOrder'>): number => drawingOrder

/**
 * Siblings from the first drawn to the last. Those without an order keep their places in the document, and so does the
 * one that is written first of two with the same order.
 */
export const inPaintOrder = <T>(siblings: readonly T[], nodeOf: (sibling: T) => UiNode): readonly T[] => {
  const order = (sibling: T) => orderOf(nodeOf(sibling))
  const known = siblings.filter(sibling => order(sibling) > 0)
  if (known.every((sibling, index) => index === 0 || order(known[index - 1] ?? sibling) <= order(sibling))) {
    return siblings
  }
  const sorted = known.sort((a, b) => order(a) - order(b)).values()
  return siblings.map(sibling => (order(sibling) > 0 ? (sorted.next().value ?? sibling) : sibling))
}
