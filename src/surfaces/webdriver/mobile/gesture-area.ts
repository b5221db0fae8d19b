/** The area of a gesture: of an element or given in pixels, and how fast a finger crosses it. */
import type { Bounds, Point } from '../../../contracts/device/ui-tree.ts'
import { boundsOfElement, elementReference } from '../gestures/element-place.ts'
import { type Entries, invalid, number, optional } from '../protocol/arguments.ts'
import { deviceOf, type LiveSession } from '../session/live-session.ts'

export const areaEntries = {
  elementId: optional(elementReference),
  left: optional(number),
  top: optional(number),
  width: optional(number),
  height: optional(number),
} satisfies Entries

interface AreaArguments {
  elementId?: string | undefined
  left?: number | undefined
  top?: number | undefined
  width?: number | undefined
  height?: number | undefined
}

const AREA_RULE = 'needs elementId, or left, top, width and height'

export const givenArea = ({ left, top, width, height }: AreaArguments, of: string): Bounds => {
  if (left === undefined || top === undefined || width === undefined || height === undefined)
    throw invalid(`${of} ${AREA_RULE}.`)
  if (width <= 0 || height <= 0) throw invalid(`The arguments width and height of ${of} must be above 0.`)
  return { left, top, right: left + width, bottom: top + height }
}

/** A finger that begins at the very edge of a list takes hold of what lies around it. */
const MARGIN_SHARE = 0.1

const within = ({ left, top, right, bottom }: Bounds): Bounds => {
  const across = (right - left) * MARGIN_SHARE
  const down = (bottom - top) * MARGIN_SHARE
  return { left: left + across, top: top + down, right: right - across, bottom: bottom - down }
}

/** An area that is given is crossed as it is, one of an element without its margin. */
export const areaFor = async (session: LiveSession, args: AreaArguments, of: string): Promise<Bounds> =>
  args.elementId === undefined ? givenArea(args, of) : within(await boundsOfElement(session, args.elementId))

export const DIRECTIONS = ['up', 'down', 'left', 'right'] as const
export type Direction = (typeof DIRECTIONS)[number]

const rounded = ({ x, y }: Point): Point => ({ x: Math.round(x), y: Math.round(y) })

/** The way of the finger: from the edge that lies behind it, over a share of the area. */
export const wayAcross = (area: Bounds, direction: Direction, share: number): { start: Point; end: Point } => {
  const [width, height] = [area.right - area.left, area.bottom - area.top]
  const middle = { x: (area.left + area.right) / 2, y: (area.top + area.bottom) / 2 }
  const ways = {
    up: [
      { ...middle, y: area.bottom },
      { ...middle, y: area.bottom - height * share },
    ],
    down: [
      { ...middle, y: area.top },
      { ...middle, y: area.top + height * share },
    ],
    left: [
      { ...middle, x: area.right },
      { ...middle, x: area.right - width * share },
    ],
    right: [
      { ...middle, x: area.left },
      { ...middle, x: area.left + width * share },
    ],
  } as const
  const [start, end] = ways[direction]
  return { start: rounded(start), end: rounded(end) }
}

const DEFAULT_DENSITY = 160
const MS = 1_000

/** Speeds are in pixels a second; the defaults of Appium grow with the density of the screen. */
export const msFor = async (
  session: LiveSession,
  {
    distance,
    speed,
    usual,
    min,
    max,
  }: { distance: number; speed: number | undefined; usual: number; min: number; max: number },
): Promise<number> => {
  if (speed !== undefined && speed <= 0) throw invalid('The argument speed must be above 0.')
  const density =
    speed === undefined ? ((await deviceOf(session)).display?.density ?? DEFAULT_DENSITY) : DEFAULT_DENSITY
  const perSecond = speed ?? (usual * density) / DEFAULT_DENSITY
  return Math.min(max, Math.max(min, Math.round((distance / perSecond) * MS)))
}
