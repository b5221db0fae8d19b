/** The `mobile:` methods of fingers that cross an area: swipe, scroll, fling and pinch. */
import * as v from 'valibot'
import type { Bounds } from '../../../contracts/device/ui-tree.ts'
import { PINCH_MS, PINCH_SCALE } from '../../../contracts/limits/gesture-limits.ts'
import { SWIPE_MS } from '../../../contracts/limits/limits.ts'
import { mobileMethod } from '../commands/command.ts'
import { elementMatcher } from '../commands/elements.ts'
import { boundsOfElement, refusePageElement } from '../gestures/element-place.ts'
import { refuseOutside } from '../gestures/screen-bounds.ts'
import { invalid, notNegative, number, oneOf, optional } from '../protocol/arguments.ts'
import type { LiveSession, SessionStep } from '../session/live-session.ts'
import { areaEntries, areaFor, DIRECTIONS, type Direction, givenArea, msFor, wayAcross } from './gesture-area.ts'

const direction = v.pipe(
  v.string('must be a text'),
  v.transform(word => word.toLowerCase()),
  oneOf(DIRECTIONS),
)

/** In pixels a second on a screen of 160 dots an inch, as Appium has them. */
const SPEEDS = { swipe: 5_000, fling: 7_500, pinch: 2_500 } as const

interface Swipe {
  area: Bounds
  /** In pixels by the caller; the area of an element is on the screen. */
  isGiven: boolean
  way: Direction
  share: number
  speed: number | undefined
  usual: number
}

const swipeStep = async (
  session: LiveSession,
  { area, isGiven, way, share, speed, usual }: Swipe,
): Promise<SessionStep> => {
  const { start, end } = wayAcross(area, way, share)
  if (isGiven) await refuseOutside(session, [start, end])
  const distance = Math.hypot(end.x - start.x, end.y - start.y)
  const durationMs = await msFor(session, { distance, speed, usual, ...SWIPE_MS })
  return { type: 'swipe', params: { start, end, durationMs } }
}

const shareOf = (percent: number, of: string): number => {
  if (percent > 0 && percent <= 1) return percent
  throw invalid(`The argument percent of ${of} must be above 0 and at most 1, but is ${percent}.`)
}

export const swipeGesture = mobileMethod({
  name: 'swipeGesture',
  summary:
    'Moves a finger over a share (percent, 0 to 1) of an element or an area. direction is the way of the finger.',
  args: { ...areaEntries, direction, percent: number, speed: optional(number) },
  async run(session, { direction: way, percent, speed, ...args }) {
    const of = 'mobile: swipeGesture'
    const share = shareOf(percent, of)
    const area = await areaFor(session, args, of)
    await session.act([
      await swipeStep(session, { area, isGiven: args.elementId === undefined, way, share, speed, usual: SPEEDS.swipe }),
    ])
    return null
  },
})

/** The finger goes against the direction in which the content is seen to go on. */
const FINGER_WAY = { up: 'down', down: 'up', left: 'right', right: 'left' } as const

/** Compares the screen before and after: what moved nothing has come to its end. */
const movesScreen = async (session: LiveSession, step: SessionStep): Promise<boolean> => {
  const before = await session.look()
  await session.act([step, { type: 'wait_for_idle' }])
  return (await session.look()).xml !== before.xml
}

/** One action scrolls no further than its container is high. */
const SCROLLS_MAX = 10

const scrollSteps = (container: object, way: Direction, percent: number): SessionStep[] => {
  const whole = Math.ceil(percent)
  return Array.from({ length: whole }, (_, at) => {
    const distanceRatio = at < whole - 1 ? 1 : percent - (whole - 1)
    return { type: 'scroll', params: { container, direction: way, distanceRatio } }
  })
}

export const scrollGesture = mobileMethod({
  name: 'scrollGesture',
  summary: 'Scrolls an element or an area by a share (percent) of it. Answers whether it moved: false at the end.',
  args: { ...areaEntries, direction, percent: notNegative, speed: optional(number) },
  async run(session, { direction: way, percent, speed, ...args }) {
    const of = 'mobile: scrollGesture'
    if (percent === 0 || percent > SCROLLS_MAX)
      throw invalid(`The argument percent of ${of} must be above 0 and at most ${SCROLLS_MAX}, but is ${percent}.`)
    if (args.elementId !== undefined) refusePageElement(session, args.elementId)
    if (args.elementId !== undefined && speed === undefined) {
      const steps = await session.act(scrollSteps(elementMatcher(session, args.elementId), way, percent))
      return steps.at(-1)?.data.scroll_outcome === 'moved'
    }
    const area = await areaFor(session, args, of)
    const share = shareOf(percent, `${of} with an area or a speed`)
    const step = await swipeStep(session, {
      area,
      isGiven: args.elementId === undefined,
      way: FINGER_WAY[way],
      share,
      speed,
      usual: SPEEDS.swipe,
    })
    return await movesScreen(session, step)
  },
})

export const flingGesture = mobileMethod({
  name: 'flingGesture',
  summary: 'Flings the content of an element or an area. Answers whether it moved: false at the end.',
  args: { ...areaEntries, direction, speed: optional(number) },
  async run(session, { direction: way, speed, ...args }) {
    const area = await areaFor(session, args, 'mobile: flingGesture')
    const step = await swipeStep(session, {
      area,
      isGiven: args.elementId === undefined,
      way: FINGER_WAY[way],
      share: 1,
      speed,
      usual: SPEEDS.fling,
    })
    return await movesScreen(session, step)
  },
})

/** How far from the centre two fingers are when they are together, as the pinch action has it. */
const NEAR_PIXELS = 60
/** A pinch of scale 1 moves no finger. */
const OPENS_AT_LEAST = 1.05

interface Pinch {
  area: Bounds
  percent: number
  speed: number | undefined
}

/** The fingers travel a share of half the width. */
const pinchParams = async (session: LiveSession, isOpening: boolean, { area, percent, speed }: Pinch) => {
  const half = (area.right - area.left) / 2
  const scale = Math.min(PINCH_SCALE.max, Math.max(OPENS_AT_LEAST, (half * percent) / NEAR_PIXELS))
  const distance = Math.max(0, half * percent - NEAR_PIXELS)
  const durationMs = await msFor(session, { distance, speed, usual: SPEEDS.pinch, ...PINCH_MS })
  return { scale: isOpening ? scale : 1 / scale, durationMs }
}

const pinch = (name: 'pinchOpenGesture' | 'pinchCloseGesture', summary: string) =>
  mobileMethod({
    name,
    summary,
    args: { ...areaEntries, percent: number, speed: optional(number) },
    async run(session, { percent, speed, ...args }) {
      const of = `mobile: ${name}`
      shareOf(percent, of)
      const { elementId } = args
      const area = elementId === undefined ? givenArea(args, of) : await boundsOfElement(session, elementId)
      const centre = {
        x: Math.round((area.left + area.right) / 2),
        y: Math.round((area.top + area.bottom) / 2),
      }
      if (elementId === undefined) await refuseOutside(session, [centre])
      const place = elementId === undefined ? { coordinate: centre } : { matcher: elementMatcher(session, elementId) }
      const how = await pinchParams(session, name === 'pinchOpenGesture', { area, percent, speed })
      await session.act([{ type: 'pinch', params: { ...place, ...how } }])
      return null
    },
  })

export const pinchOpenGesture = pinch(
  'pinchOpenGesture',
  'Parts two fingers on an element or an area, by a share (percent) of half its width.',
)
export const pinchCloseGesture = pinch(
  'pinchCloseGesture',
  'Closes two fingers on an element or an area, by a share (percent) of half its width.',
)

export const AREA_METHODS = [swipeGesture, scrollGesture, flingGesture, pinchOpenGesture, pinchCloseGesture]
