/** double_tap, drag and pinch. */
import type { Place } from '../../../contracts/actions/gesture.ts'
import { findTouch } from '../click-node.ts'
import type { Step, StepContext } from '../context.ts'
import { controlsOf } from '../phone-controls.ts'
import { StepFailure } from '../step-failure.ts'
import type { Point } from '../ui-tree.ts'

/** A point that is touched on the screen as it is now. */
const pointOf = async ({ matcher, coordinate }: Place, context: StepContext): Promise<Point> => {
  if (coordinate) return coordinate
  if (!matcher) throw new StepFailure('GESTURE_FAILED', 'neither a matcher nor a point says where')
  return (await findTouch({ matcher, clickType: 'default' }, context)).point
}

export const doubleTap: Step<'double_tap'> = async (params, context) => {
  const controls = controlsOf(context)
  await controls.doubleTap(await pointOf(params, context))
  return {}
}

export const drag: Step<'drag'> = async ({ from, to, holdMs, durationMs }, context) => {
  const controls = controlsOf(context)
  const start = await pointOf(from, context)
  await controls.drag(start, await pointOf(to, context), { holdMs, durationMs })
  return {}
}

export const pinch: Step<'pinch'> = async ({ scale, durationMs, ...place }, context) => {
  const controls = controlsOf(context)
  await controls.pinch(await pointOf(place, context), scale, durationMs)
  return { scale: String(scale) }
}
