/** swipe: between two points, across the screen, or from a place to the edge that the finger goes to. */

import type { ParamsOf } from '../../contracts/actions/card.ts'
import type { Point } from '../../contracts/device/ui-tree.ts'
import { TAP_PX_MAX } from '../../contracts/limits/limits.ts'
import { findTouch } from '../screen/click-node.ts'
import type { Step, StepContext } from '../screen/context.ts'
import type { ScreenSize } from '../screen/driver.ts'
import { pointOfScreen, screenSize, toPixels } from '../screen/screen-point.ts'
import { StepFailure } from '../screen/step-failure.ts'

type Params = ParamsOf['swipe']
type SwipeDirection = NonNullable<Params['direction']>

/** Where a finger that crosses the screen begins and ends, in percent. */
const ACROSS: Record<SwipeDirection, { start: Point; end: Point }> = {
  up: { start: { x: 50, y: 50 }, end: { x: 50, y: 10 } },
  down: { start: { x: 50, y: 20 }, end: { x: 50, y: 90 } },
  left: { start: { x: 90, y: 50 }, end: { x: 10, y: 50 } },
  right: { start: { x: 10, y: 50 }, end: { x: 90, y: 50 } },
}

/** A finger goes straight on, as far as one that crosses the screen. */
export const endFrom = (start: Point, direction: SwipeDirection, size: ScreenSize): Point => {
  const end = pointOfScreen(size, ACROSS[direction].end)
  return direction === 'up' || direction === 'down' ? { x: start.x, y: end.y } : { x: end.x, y: start.y }
}

const startOf = async ({ from, point }: Params, context: StepContext): Promise<Point | undefined> => {
  if (!from?.matcher) return from?.coordinate
  return (await findTouch({ matcher: from.matcher, clickType: 'swipe', at: point }, context)).point
}

const wayOf = async (params: Params, context: StepContext): Promise<{ start: Point; end: Point }> => {
  const { direction } = params
  if (direction === undefined) {
    const points = params.start && params.end ? [params.start, params.end] : []
    const [start, end] = await toPixels(points, context)
    if (start && end) return { start, end }
    throw new StepFailure('GESTURE_FAILED', 'neither two points nor a direction say where the finger goes')
  }
  const size = await screenSize(context)
  const from = await startOf(params, context)
  const start = from ?? pointOfScreen(size, ACROSS[direction].start)
  const end = endFrom(start, direction, size)
  if (Math.hypot(end.x - start.x, end.y - start.y) > TAP_PX_MAX) return { start, end }
  throw new StepFailure(
    'GESTURE_FAILED',
    `${start.x},${start.y} is where a swipe ${direction} ends: a finger that goes no further is a tap`,
  )
}

export const swipe: Step<'swipe'> = async (params, context) => {
  const { start, end } = await wayOf(params, context)
  const { durationMs } = params
  if (await context.driver.swipe(start, end, durationMs)) return { duration_ms: String(durationMs) }
  throw new StepFailure('GESTURE_FAILED', 'the system refused the swipe')
}
