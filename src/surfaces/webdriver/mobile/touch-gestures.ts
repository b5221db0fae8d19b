/** The `mobile:` methods of one finger at one place, and of dragging. */

import type { Point } from '../../../contracts/device/ui-tree.ts'
import { DRAG_MS, HOLD_MS } from '../../../contracts/limits/gesture-limits.ts'
import { mobileMethod } from '../commands/command.ts'
import { elementMatcher } from '../commands/elements.ts'
import { centreOfElement, elementReference, refusePageElement, touch, touchMatcher } from '../gestures/element-place.ts'
import { refuseOutside } from '../gestures/screen-bounds.ts'
import { type Entries, invalid, notNegative, number, optional } from '../protocol/arguments.ts'
import type { LiveSession } from '../session/live-session.ts'
import { msFor } from './gesture-area.ts'

const placeEntries = {
  elementId: optional(elementReference),
  x: optional(notNegative),
  y: optional(notNegative),
} satisfies Entries

interface PlaceArguments {
  elementId?: string | undefined
  x?: number | undefined
  y?: number | undefined
}

/** An element, a point of an element from its upper left corner, or a point of the screen. */
const placeOf = async (session: LiveSession, { elementId, x, y }: PlaceArguments, of: string) => {
  if ((x === undefined) !== (y === undefined)) throw invalid(`${of} needs both x and y, or neither.`)
  const at = x === undefined || y === undefined ? undefined : { x: Math.round(x), y: Math.round(y) }
  if (elementId === undefined) {
    if (at) {
      await refuseOutside(session, [at])
      return { coordinate: at }
    }
    throw invalid(`${of} needs elementId, or x and y.`)
  }
  const matcher = await touchMatcher(session, elementId)
  return at ? { matcher, point: { ...at, unit: 'pixel' } } : { matcher }
}

export const clickGesture = mobileMethod({
  name: 'clickGesture',
  summary: 'Taps an element, a point of it, or a point of the screen.',
  args: placeEntries,
  async run(session, args) {
    const params = await placeOf(session, args, 'mobile: clickGesture')
    await touch(session, args.elementId, [{ type: 'click', params }])
    return null
  },
})

const LONG_CLICK_MS = 500

export const longClickGesture = mobileMethod({
  name: 'longClickGesture',
  summary: `Holds a finger for duration ms (${LONG_CLICK_MS}) on an element, a point of it, or a point of the screen.`,
  args: { ...placeEntries, duration: optional(notNegative) },
  async run(session, { duration = LONG_CLICK_MS, ...args }) {
    const holdMs = Math.round(duration)
    if (holdMs < HOLD_MS.min || holdMs > HOLD_MS.max)
      throw invalid(`The argument duration of mobile: longClickGesture must be ${HOLD_MS.min} to ${HOLD_MS.max} ms.`)
    const place = await placeOf(session, args, 'mobile: longClickGesture')
    await touch(session, args.elementId, [{ type: 'click', params: { ...place, clickType: 'long_click', holdMs } }])
    return null
  },
})

export const doubleClickGesture = mobileMethod({
  name: 'doubleClickGesture',
  summary: 'Taps twice on an element, a point of it, or a point of the screen.',
  args: placeEntries,
  async run(session, args) {
    const params = await placeOf(session, args, 'mobile: doubleClickGesture')
    await touch(session, args.elementId, [{ type: 'double_tap', params }])
    return null
  },
})

/** In pixels a second on a screen of 160 dots an inch, as Appium has it. */
const DRAG_SPEED = 2_500

const startOf = (startX: number | undefined, startY: number | undefined): Point | undefined => {
  if ((startX === undefined) !== (startY === undefined))
    throw invalid('mobile: dragGesture needs both startX and startY, or neither.')
  return startX === undefined || startY === undefined ? undefined : { x: Math.round(startX), y: Math.round(startY) }
}

export const dragGesture = mobileMethod({
  name: 'dragGesture',
  summary: 'Presses an element or a point long, and drags it to a point of the screen. speed is in pixels a second.',
  args: {
    elementId: optional(elementReference),
    startX: optional(notNegative),
    startY: optional(notNegative),
    endX: notNegative,
    endY: notNegative,
    speed: optional(number),
  },
  async run(session, { elementId, startX, startY, endX, endY, speed }) {
    const startPoint = startOf(startX, startY)
    if (elementId === undefined && !startPoint)
      throw invalid('mobile: dragGesture needs elementId, or startX and startY.')
    if (elementId !== undefined) refusePageElement(session, elementId)
    const end = { x: Math.round(endX), y: Math.round(endY) }
    await refuseOutside(session, startPoint ? [startPoint, end] : [end])
    const start = startPoint ?? (await centreOfElement(session, elementId ?? ''))
    const distance = Math.hypot(end.x - start.x, end.y - start.y)
    const durationMs = await msFor(session, { distance, speed, usual: DRAG_SPEED, ...DRAG_MS })
    const from =
      elementId === undefined || startPoint ? { coordinate: start } : { matcher: elementMatcher(session, elementId) }
    await session.act([{ type: 'drag', params: { from, to: { coordinate: end }, durationMs } }])
    return null
  },
})

export const TOUCH_METHODS = [clickGesture, longClickGesture, doubleClickGesture, dragGesture]
