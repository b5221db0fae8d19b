/** Rectangles of the screen. */
import type { Bounds, Point } from './ui-tree.ts'

export const hasArea = ({ left, top, right, bottom }: Bounds): boolean => right > left && bottom > top

/** Undefined when they have no pixel in common. */
export const intersection = (a: Bounds, b: Bounds): Bounds | undefined => {
  const both = {
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  }
  return hasArea(both) ? both : undefined
}

export const contains = ({ left, top, right, bottom }: Bounds, { x, y }: Point): boolean =>
  x >= left && x < right && y >= top && y < bottom

export const centreOf = ({ left, top, right, bottom }: Bounds): Point => ({
  x: Math.floor((left + right) / 2),
  y: Math.floor((top + bottom) / 2),
})
