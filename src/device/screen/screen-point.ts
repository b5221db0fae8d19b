/** Points that are given as shares of a node or of the screen, as pixels of the screen. */
import type { RelativePoint, ScreenPoint } from '../../contracts/actions/touch.ts'
import type { Bounds, Point } from '../../contracts/device/ui-tree.ts'
import type { StepContext } from './context.ts'
import type { ScreenSize } from './driver.ts'
import { StepFailure } from './step-failure.ts'

export const screenSize = ({ driver }: StepContext): Promise<ScreenSize> => {
  if (driver.screenSize) return driver.screenSize()
  throw new StepFailure('EXECUTION_ACTION_UNSUPPORTED', 'only the host knows how large the screen is')
}

/** The last pixel stands for all of it. */
const share = (extent: number, percent: number): number =>
  Math.max(0, Math.min(extent - 1, Math.floor((extent * percent) / 100)))

/** A point in pixels may lie outside of the node. */
export const pointOfNode = ({ left, top, right, bottom }: Bounds, { x, y, unit }: RelativePoint): Point =>
  unit === 'percent'
    ? { x: left + share(right - left, x), y: top + share(bottom - top, y) }
    : { x: left + x, y: top + y }

export const pointOfScreen = ({ width, height }: ScreenSize, { x, y }: Point): Point => ({
  x: share(width, x),
  y: share(height, y),
})

export const toPixels = async (points: readonly ScreenPoint[], context: StepContext): Promise<Point[]> => {
  const size = points.some(({ unit }) => unit === 'percent') ? await screenSize(context) : undefined
  return points.map(({ x, y, unit }) => (unit === 'percent' && size ? pointOfScreen(size, { x, y }) : { x, y }))
}
