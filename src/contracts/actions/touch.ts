/** The ways in which actions say where a finger goes: a node, a point of it, or a point of the screen. */
import * as v from 'valibot'
import { Matcher } from '../executions/matcher.ts'
import { closedObject } from '../json/objects.ts'
import { decimal } from '../json/scalars.ts'
import { POINT_PERCENT } from '../limits/gesture-limits.ts'
import { COORDINATE_MIN } from '../limits/limits.ts'

const pixels = v.pipe(v.number(), v.safeInteger(), v.minValue(COORDINATE_MIN))

export const Coordinate = closedObject({ x: pixels, y: pixels })
export type Coordinate = v.InferOutput<typeof Coordinate>

const percent = decimal(POINT_PERCENT)
const PercentPoint = closedObject({ x: percent, y: percent, unit: v.literal('percent') })

/** A point of a node from its upper left corner, or of the screen. */
export const RelativePoint = v.variant('unit', [
  PercentPoint,
  closedObject({ ...Coordinate.entries, unit: v.literal('pixel') }),
])
export type RelativePoint = v.InferOutput<typeof RelativePoint>

/** A point of the screen, in pixels unless it says otherwise. */
export const ScreenPoint = v.variant('unit', [
  PercentPoint,
  closedObject({ ...Coordinate.entries, unit: v.exactOptional(v.literal('pixel')) }),
])
export type ScreenPoint = v.InferOutput<typeof ScreenPoint>

/** The params of a touch that say where. */
export const touchEntries = {
  matcher: v.exactOptional(Matcher),
  coordinate: v.exactOptional(Coordinate),
  /** A point of the node; without one, of the screen. */
  point: v.exactOptional(RelativePoint),
}

interface TouchParams {
  matcher?: Matcher
  coordinate?: Coordinate
  point?: RelativePoint
}

export const isOneTouch = ({ matcher, coordinate, point }: TouchParams): boolean =>
  matcher === undefined && coordinate === undefined
    ? point?.unit === 'percent'
    : (matcher === undefined) !== (coordinate === undefined)
export const ONE_TOUCH = 'exactly one of matcher and coordinate is needed, or a point in percent'

export const isPointOfNode = ({ coordinate, point }: TouchParams): boolean =>
  coordinate === undefined || point === undefined
export const POINT_OF_NODE = 'must be left out beside a coordinate, which is a point itself'

/** Both rules for JSON Schema. */
export const TOUCH_RULES = [
  { required: ['matcher'] },
  { required: ['coordinate'], not: { required: ['point'] } },
  {
    required: ['point'],
    properties: { point: { type: 'object' as const, properties: { unit: { const: 'percent' } } } },
    not: { anyOf: [{ required: ['matcher'] }, { required: ['coordinate'] }] },
  },
]

export const placeEntries = { matcher: v.exactOptional(Matcher), coordinate: v.exactOptional(Coordinate) }

export const isOnePlace = ({ matcher, coordinate }: { matcher?: Matcher; coordinate?: Coordinate }) =>
  (matcher === undefined) !== (coordinate === undefined)
export const ONE_PLACE = 'exactly one of matcher and coordinate is needed'
export const EITHER = { oneOf: [{ required: ['matcher'] }, { required: ['coordinate'] }] }

/** A node, or a point of the screen. */
export const Place = v.pipe(
  closedObject(placeEntries),
  v.partialCheck([['matcher'], ['coordinate']], isOnePlace, ONE_PLACE),
  v.metadata(EITHER),
)
export type Place = v.InferOutput<typeof Place>
