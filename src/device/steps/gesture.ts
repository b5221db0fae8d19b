/** double_tap, drag, pinch and move_fingers. */
import type { Place, RelativePoint } from '../../contracts/actions/touch.ts'
import { findTouch, type TouchTarget, unsureData } from '../screen/click-node.ts'
import type { Step, StepContext } from '../screen/context.ts'
import { controlsOf } from '../screen/phone-controls.ts'
import { toPixels } from '../screen/screen-point.ts'
import { StepFailure } from '../screen/step-failure.ts'
import type { Performers } from './performer.ts'

type Touch = Pick<TouchTarget, 'point' | 'isUnsure'>

/** A point that is touched on the screen as it is now. */
const touchAt = async (
  { matcher, coordinate, point }: Place & { point?: RelativePoint },
  context: StepContext,
): Promise<Touch> => {
  if (coordinate) return { point: coordinate }
  const [ofScreen] = matcher ? [] : await toPixels(point ? [point] : [], context)
  if (ofScreen) return { point: ofScreen }
  if (!matcher) throw new StepFailure('GESTURE_FAILED', 'neither a matcher nor a point says where')
  return await findTouch({ matcher, clickType: 'default', at: point }, context)
}

const doubleTap: Step<'double_tap'> = async (params, context) => {
  const controls = controlsOf(context)
  const touch = await touchAt(params, context)
  await controls.doubleTap(touch.point)
  return unsureData(touch)
}

const drag: Step<'drag'> = async ({ from, to, holdMs, durationMs }, context) => {
  const controls = controlsOf(context)
  const start = await touchAt(from, context)
  const end = await touchAt(to, context)
  await controls.drag(start.point, end.point, { holdMs, durationMs })
  return unsureData(start)
}

const pinch: Step<'pinch'> = async ({ scale, durationMs, ...place }, context) => {
  const controls = controlsOf(context)
  const touch = await touchAt(place, context)
  await controls.pinch(touch.point, scale, durationMs)
  return { scale: String(scale), ...unsureData(touch) }
}

const moveFingers: Step<'move_fingers'> = async ({ fingers }, context) => {
  await controlsOf(context).moveFingers(fingers)
  return { duration_ms: String(fingers[0]?.at(-1)?.ms ?? 0) }
}

export const GESTURE_STEPS = {
  double_tap: { screen: doubleTap },
  drag: { screen: drag },
  pinch: { screen: pinch },
  move_fingers: { screen: moveFingers },
} as const satisfies Partial<Performers>
