/** Gestures that the host performs, whichever operator does the rest: double_tap, drag, pinch. */
import * as v from 'valibot'
import { closedObject } from '../json/objects.ts'
import { decimal, integer } from '../json/scalars.ts'
import {
  DRAG_HOLD_MS,
  DRAG_MS,
  FINGER_PLACES,
  FINGERS,
  FINGERS_MS,
  PINCH_MS,
  PINCH_SCALE,
} from '../limits/gesture-limits.ts'
import { action } from './shape.ts'
import {
  Coordinate,
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

/** A place on the way of a finger, so long after it came down. */
const FingerPlace = closedObject({ ...Coordinate.entries, ms: integer({ min: 0, max: FINGERS_MS.max }) })
const Finger = v.pipe(
  v.array(FingerPlace),
  v.minLength(FINGER_PLACES.min),
  v.maxLength(FINGER_PLACES.max),
  v.check(places => places[0]?.ms === 0, 'must begin at 0 ms'),
  v.check(places => places.every(({ ms }, at) => ms > (places[at - 1]?.ms ?? -1)), 'must have places whose times rise'),
)

export const GESTURE_ACTIONS = [
  action(
    'double_tap',
    v.pipe(
      closedObject(touchEntries),
      v.partialCheck([['matcher'], ['coordinate'], ['point']], isOneTouch, ONE_TOUCH),
      v.forward(v.partialCheck([['coordinate'], ['point']], isPointOfNode, POINT_OF_NODE), ['point']),
      v.metadata({ oneOf: TOUCH_RULES }),
    ),
  ),
  action(
    'drag',
    closedObject({
      from: Place,
      to: Place,
      holdMs: v.exactOptional(integer(DRAG_HOLD_MS), DRAG_HOLD_MS.default),
      durationMs: v.exactOptional(integer(DRAG_MS), DRAG_MS.default),
    }),
  ),
  action(
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
  ),
  /** Fingers that come down together, go straight from each place to the next, and go up together. */
  action(
    'move_fingers',
    closedObject({
      fingers: v.pipe(
        v.array(Finger),
        v.minLength(FINGERS.min),
        v.maxLength(FINGERS.max),
        v.check(
          fingers => new Set(fingers.map(places => places.at(-1)?.ms)).size <= 1,
          'must have fingers that go up at the same time',
        ),
      ),
    }),
  ),
] as const
