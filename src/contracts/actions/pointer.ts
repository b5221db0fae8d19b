/** Actions of a finger: click, swipe. */
import * as v from 'valibot'
import { COORDINATE_MIN, SWIPE_MS } from '../limits.ts'
import { Matcher } from '../matcher.ts'
import { integer } from '../numbers.ts'
import { closedObject } from '../objects.ts'
import { retryEntries } from '../retry.ts'
import { action } from './shape.ts'

const pixels = v.pipe(v.number(), v.safeInteger(), v.minValue(COORDINATE_MIN))

export const Coordinate = closedObject({ x: pixels, y: pixels })
export type Coordinate = v.InferOutput<typeof Coordinate>

export const ClickType = v.picklist(['default', 'long_click', 'focus'])
export type ClickType = v.InferOutput<typeof ClickType>

export const Click = action(
  'click',
  v.pipe(
    closedObject({
      matcher: v.exactOptional(Matcher),
      coordinate: v.exactOptional(Coordinate),
      clickType: v.exactOptional(ClickType, 'default'),
      ...retryEntries,
    }),
    v.partialCheck(
      [['matcher'], ['coordinate']],
      params => (params.matcher === undefined) !== (params.coordinate === undefined),
      'exactly one of matcher and coordinate is needed',
    ),
    v.forward(
      v.partialCheck(
        [['coordinate'], ['clickType']],
        params => params.coordinate === undefined || params.clickType !== 'focus',
        'focus needs a matcher: a coordinate has nothing to focus',
      ),
      ['clickType'],
    ),
    v.metadata({
      oneOf: [{ required: ['matcher'] }, { required: ['coordinate'] }],
      not: { required: ['coordinate', 'clickType'], properties: { clickType: { const: 'focus' } } },
    }),
  ),
)
export type Click = v.InferOutput<typeof Click>

export const Swipe = action(
  'swipe',
  closedObject({
    start: Coordinate,
    end: Coordinate,
    durationMs: v.exactOptional(integer(SWIPE_MS), SWIPE_MS.default),
  }),
)
export type Swipe = v.InferOutput<typeof Swipe>
