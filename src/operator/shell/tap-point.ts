/** Where to touch a node so that the node gets it, and not something inside it that takes touches itself. */
import { isOnScreen, walk } from '../engine/match.ts'
import type { Bounds, Point, UiNode } from '../engine/ui-tree.ts'

/** Tried after the centre, as parts of width and height. */
const PLACES = [0.5, 0.25, 0.75, 0.1, 0.9] as const

const holds = ({ left, top, right, bottom }: Bounds, { x, y }: Point) =>
  x >= left && x < right && y >= top && y < bottom

const place = ({ left, top, right, bottom }: Bounds, across: number, down: number): Point => ({
  x: Math.floor(left + (right - left) * across),
  y: Math.floor(top + (bottom - top) * down),
})

/** The centre when every place is taken. */
export const tapPoint = (node: UiNode): Point => {
  const { bounds } = node
  const takers = [...walk(node.children)].map(found => found.node).filter(inner => inner.clickable && isOnScreen(inner))
  const isFree = (point: Point) => !takers.some(inner => holds(inner.bounds, point))
  const points = PLACES.flatMap(down => PLACES.map(across => place(bounds, across, down)))
  return points.find(isFree) ?? place(bounds, 0.5, 0.5)
}
