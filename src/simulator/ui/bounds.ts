/** Rectangles of the screen. */
import type { Bounds, Point } from '../../operator/engine/ui-tree.ts'

/** Undefined when they have no pixel in common. */
export const intersection = (a: Bounds, b: Bounds): Bounds | undefined => {
  const both = {
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  }
  return both.left < both.right && both.top < both.bottom ? both : undefined
}

export const contains = ({ left, top, right, bottom }: Bounds, { x, y }: Point): boolean =>
  x >= left && x < right && y >= top && y < bottom
