/** Tells whether a target is far enough in sight for a scroll to end. */

import { type Bounds, centreOf, type FoundNode, hasArea, intersection } from '../../contracts/device/ui-tree.ts'
import type { StepContext } from './context.ts'
import { withAncestors } from './match.ts'
import { screenSize } from './screen-point.ts'
import type { Direction } from './scroll-gesture.ts'

export interface SightRules {
  direction: Direction
  minVisiblePercent?: number | undefined
  centerTarget?: boolean | undefined
}

/** So many scrolls are made to bring a target that is in sight towards the middle. */
const CENTRING_SCROLLS = 4
/** A target of which less is in sight is not brought to the middle. */
const CENTRED_PERCENT_MIN = 10
/** The band around the middle that is near enough, as a share of the screen. */
const MIDDLE_MARGIN = 1 / 5

const areaOf = ({ left, top, right, bottom }: Bounds): number => (right - left) * (bottom - top)

/** In percent, of what lies within all that scrolls around it and within its window. */
export const visiblePercent = (target: FoundNode): number => {
  const { bounds } = target.node
  if (!hasArea(bounds)) return 0
  let seen: Bounds | undefined = bounds
  for (const { node, parent } of target.parent ? withAncestors(target.parent) : []) {
    const clips = node.scrollable || parent === undefined
    if (seen && clips && hasArea(node.bounds)) seen = intersection(seen, node.bounds)
  }
  return seen ? (100 * areaOf(seen)) / areaOf(bounds) : 0
}

/** It came from the edge in the direction: past the middle, or shortly before. */
const isNearMiddle = (bounds: Bounds, direction: Direction, size: { width: number; height: number }): boolean => {
  const { x, y } = centreOf(bounds)
  const [middle, margin] =
    direction === 'up' || direction === 'down'
      ? [size.height / 2, size.height * MIDDLE_MARGIN]
      : [size.width / 2, size.width * MIDDLE_MARGIN]
  if (direction === 'down') return y < middle + margin
  if (direction === 'up') return y > middle - margin
  return direction === 'right' ? x < middle + margin : x > middle - margin
}

/** Asked for each screen on which the target is. At an end, where nothing moves any more, the middle is not waited for. */
export const sightOf = (rules: SightRules, context: StepContext) => {
  const { direction, minVisiblePercent = 0, centerTarget = false } = rules
  let centred = 0
  return async (target: FoundNode, isEnd: boolean): Promise<boolean> => {
    const percent = visiblePercent(target)
    if (centerTarget && !isEnd && percent > CENTRED_PERCENT_MIN && centred <= CENTRING_SCROLLS) {
      if (isNearMiddle(target.node.bounds, direction, await screenSize(context))) return true
      centred += 1
      return false
    }
    return percent >= minVisiblePercent
  }
}
