/** Gestures that the host performs, whichever operator does the rest: double_tap, drag, pinch. */
import * as v from 'valibot'
import { DRAG_HOLD_MS, DRAG_MS, PINCH_MS, PINCH_SCALE } from '../gesture-limits.ts'
import { closedObject } from '../objects.ts'
import { decimal, integer } from '../scalars.ts'
import { action } from './shape.ts'
import {
  EITHER,
  isOnePlace,
  isOneTouch,
  isPointOfNode,
  ONE_PLACE,
  ONE_TOUCH,
  Place,
  POINT_OF_NODE,
  placeEntries,
  TOUCH_RULES,
  touchEntries,
} from './touch.ts'

export const DoubleTap = action(
  'double_tap',
  v.pipe(
    closedObject(touchEntries),
    v.partialCheck([['matcher'], ['coordinate'], ['point']], isOneTouch, ONE_TOUCH),
    v.forward(v.partialCheck([['coordinate'], ['point']], isPointOfNode, POINT_OF_NODE), ['point']),
    v.metadata({ oneOf: TOUCH_RULES }),
  ),
)

export const Drag = action(
  'drag',
  closedObject({
    from: Place,
    to: Place,
    holdMs: v.exactOptional(integer(DRAG_HOLD_MS), DRAG_HOLD_MS.default),
    durationMs: v.exactOptional(integer(DRAG_MS), DRAG_MS.default),
  }),
)

export const Pinch = action(
  'pinch',
  v.pipe(
    closedObject({
      ...placeEntries,
      scale: v.pipe(
        decimal(PINCH_SCALE),
        v.check(scale => scale !== 1, 'must be above 1 to open or below 1 to close: 1 moves no finger'),
        v.metadata({ not: { const: 1 } }),
      ),
      durationMs: v.exactOptional(integer(PINCH_MS), PINCH_MS.default),
    }),
    v.partialCheck([['matcher'], ['coordinate']], isOnePlace, ONE_PLACE),
    v.metadata(EITHER),
  ),
)
