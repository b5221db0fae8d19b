/** Gestures that the host performs, whichever operator does the rest: double_tap, drag, pinch. */
import * as v from 'valibot'
import { DRAG_HOLD_MS, DRAG_MS, PINCH_MS, PINCH_SCALE } from '../gesture-limits.ts'
import { Matcher } from '../matcher.ts'
import { closedObject } from '../objects.ts'
import { decimal, integer } from '../scalars.ts'
import { Coordinate } from './input.ts'
import { action } from './shape.ts'

const placeEntries = { matcher: v.exactOptional(Matcher), coordinate: v.exactOptional(Coordinate) }

const isOnePlace = ({ matcher, coordinate }: { matcher?: Matcher; coordinate?: Coordinate }) =>
  (matcher === undefined) !== (coordinate === undefined)
const ONE_PLACE = 'exactly one of matcher and coordinate is needed'
const EITHER = { oneOf: [{ required: ['matcher'] }, { required: ['coordinate'] }] }

/** A node, or a point of the screen. */
export const Place = v.pipe(
  closedObject(placeEntries),
  v.partialCheck([['matcher'], ['coordinate']], isOnePlace, ONE_PLACE),
  v.metadata(EITHER),
)
export type Place = v.InferOutput<typeof Place>

export const DoubleTap = action(
  'double_tap',
  v.pipe(
    closedObject(placeEntries),
    v.partialCheck([['matcher'], ['coordinate']], isOnePlace, ONE_PLACE),
    v.metadata(EITHER),
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
