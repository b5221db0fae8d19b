/** The movement of a finger that scrolls a container: where it goes down, where it lifts, how long it takes. */
import type { ParamsOf } from '../../contracts/actions/card.ts'
import type { Bounds, Point } from '../../contracts/device/ui-tree.ts'

export type Direction = ParamsOf['scroll']['direction']

/** On each side of the container a part is kept clear, since the system takes swipes that begin at the edge of a screen. */
const EDGE_RATIO = 0.05
/** A shorter movement counts as a touch and scrolls nothing. */
export const SHORTEST_PX = 48
/** A faster finger throws the list: rows would pass unseen between two looks. */
const PX_PER_MS = 1.5
export const DURATION_MS = { min: 200, max: 1_500 } as const

interface Gesture {
  start: Point
  end: Point
  durationMs: number
}

/** `down` shows what is further down, so the finger moves up. */
const FINGER: Record<Direction, { axis: 'x' | 'y'; sign: 1 | -1 }> = {
  down: { axis: 'y', sign: -1 },
  up: { axis: 'y', sign: 1 },
  right: { axis: 'x', sign: -1 },
  left: { axis: 'x', sign: 1 },
}

/** The ratio is of the container's extent along the way. */
export const scrollGesture = (bounds: Bounds, direction: Direction, ratio: number): Gesture => {
  const { axis, sign } = FINGER[direction]
  const extent = axis === 'y' ? bounds.bottom - bounds.top : bounds.right - bounds.left
  const longest = extent * (1 - 2 * EDGE_RATIO)
  const distance = Math.min(Math.max(extent * ratio, SHORTEST_PX), longest)
  const centre = { x: (bounds.left + bounds.right) / 2, y: (bounds.top + bounds.bottom) / 2 }
  const shifted = (by: number): Point => {
    const point = { ...centre, [axis]: centre[axis] + by }
    return { x: Math.round(point.x), y: Math.round(point.y) }
  }
  return {
    start: shifted((-sign * distance) / 2),
    end: shifted((sign * distance) / 2),
    durationMs: Math.round(Math.min(Math.max(distance / PX_PER_MS, DURATION_MS.min), DURATION_MS.max)),
  }
}
