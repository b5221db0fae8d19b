/** Recognises what one finger does: taps, holds, swipes and drags. */

import type { Point } from '../../../contracts/device/ui-tree.ts'
import { CLICK_REPEATS, DRAG_HOLD_MS, DRAG_MS, HOLD_MS } from '../../../contracts/limits/gesture-limits.ts'
import { SWIPE_MS } from '../../../contracts/limits/limits.ts'
import { invalid } from '../protocol/arguments.ts'
import type { SessionStep } from '../session/live-session.ts'
import { fingersStep } from './finger-steps.ts'
import type { TimedSteps } from './key-steps.ts'
import { isSameSpot, isStill, type Leg, type Spot, type Touch } from './timeline.ts'

/** Where fingers go: a place for an action, or the pixels of the screen as it is now. */
export interface Places {
  /** The matcher of an element whose centre it is, else pixels. */
  placeOf(spot: Spot): Promise<Readonly<Record<string, unknown>>>
  pixelsOf(spot: Spot): Promise<Point>
}

/** Android's usual times: of a long press, and between two taps that are a double tap. */
const LONG_PRESS_MS = 500
const DOUBLE_TAP_MS = 300

const heldMs = ({ startMs, endMs }: Touch): number => endMs - startMs

const isTap = (touch: Touch): boolean => isStill(touch) && heldMs(touch) < LONG_PRESS_MS

const timed = (first: Touch, last: Touch, step: SessionStep): TimedSteps => ({
  startMs: first.startMs,
  endMs: last.endMs,
  steps: [step],
})

/** The taps from there on that follow each other as fast as those of a double tap. */
const tapsInRow = (touches: readonly Touch[], from: number): readonly Touch[] => {
  const row: Touch[] = []
  for (const touch of touches.slice(from)) {
    const before = row.at(-1)
    const follows = !before || (isSameSpot(before.start, touch.start) && touch.startMs - before.endMs <= DOUBLE_TAP_MS)
    if (!isTap(touch) || !follows) break
    row.push(touch)
  }
  return row
}

const tapStep = async (row: readonly Touch[], start: Spot, places: Places): Promise<SessionStep> => {
  const place = await places.placeOf(start)
  if (row.length === 1) return { type: 'click', params: place }
  if (row.length === 2) return { type: 'double_tap', params: place }
  if (row.length > CLICK_REPEATS.max) throw invalid(`One request taps at most ${CLICK_REPEATS.max} times in a row.`)
  const [first, second] = row
  const repeatDelayMs = second && first ? second.startMs - first.endMs : 0
  return { type: 'click', params: { ...place, repeat: row.length, repeatDelayMs } }
}

const holdStep = async (touch: Touch, places: Places): Promise<SessionStep> => {
  const holdMs = heldMs(touch)
  if (holdMs > HOLD_MS.max) throw invalid(`A finger holds for at most ${HOLD_MS.max} ms, but one does for ${holdMs}.`)
  return { type: 'click', params: { ...(await places.placeOf(touch.start)), clickType: 'long_click', holdMs } }
}

/** Pixels by which a rounded point may be beside the line. */
const LINE_PX = 2
/** Speeds that are this close to each other are one. */
const SPEED_RATIO_MAX = 1.1

interface Line {
  readonly end: Spot
  readonly durationMs: number
  /** Before it moves. */
  readonly restMs: number
}

const distance = (a: Point, b: Point) => Math.hypot(b.x - a.x, b.y - a.y)

/** Undefined where the legs are not one line that goes on at one speed. */
const isOneLine = (points: readonly Point[], legs: readonly Leg[]): boolean => {
  const [start, end] = [points[0], points.at(-1)]
  if (!start || !end) return false
  const length = distance(start, end)
  const total = (legs.at(-1)?.untilMs ?? 0) - (legs[0]?.fromMs ?? 0)
  let way = 0
  return points.slice(1).every((point, at) => {
    const before = points[at] ?? start
    way += distance(before, point)
    const across = Math.abs((end.x - start.x) * (start.y - point.y) - (start.x - point.x) * (end.y - start.y)) / length
    const { fromMs = 0, untilMs = 0 } = legs[at] ?? {}
    const [share, time] = [distance(before, point) / length, (untilMs - fromMs) / Math.max(1, total)]
    const isSteady =
      Math.max(share, time) <= Math.min(share, time) * SPEED_RATIO_MAX || Math.abs(share - time) * length <= LINE_PX
    return across <= LINE_PX && isSteady && way <= length + LINE_PX
  })
}

/** Undefined for a finger that turns, changes its speed, or rests on its way or at its end. */
const lineOf = async ({ startMs, endMs, start, legs }: Touch, places: Places): Promise<Line | undefined> => {
  const moving = legs.filter(({ to }, at) => !isSameSpot(to, legs[at - 1]?.to ?? start))
  const [first, last] = [moving[0], moving.at(-1)]
  if (!first || !last || isSameSpot(last.to, start)) return undefined
  const rests = moving.slice(1).some(({ fromMs }, at) => fromMs > (moving[at]?.untilMs ?? fromMs))
  if (rests || endMs > last.untilMs) return undefined
  if (moving.length > 1) {
    const points = await Promise.all([start, ...moving.map(({ to }) => to)].map(places.pixelsOf))
    if (!isOneLine(points, moving)) return undefined
  }
  return {
    end: last.to,
    durationMs: Math.max(1, last.untilMs - first.fromMs),
    restMs: first.fromMs - startMs,
  }
}

const moveStep = async (touch: Touch, places: Places): Promise<SessionStep> => {
  const line = await lineOf(touch, places)
  if (!line) return await fingersStep([touch], places.pixelsOf)
  const { end, durationMs, restMs } = line
  if (durationMs > Math.min(SWIPE_MS.max, DRAG_MS.max) || restMs > DRAG_HOLD_MS.max)
    throw invalid(`A finger rests and moves for at most ${SWIPE_MS.max} ms each.`)
  if (restMs >= LONG_PRESS_MS) {
    const [from, to] = [await places.placeOf(touch.start), await places.placeOf(end)]
    return { type: 'drag', params: { from, to, holdMs: restMs, durationMs } }
  }
  const [start, pixels] = [await places.pixelsOf(touch.start), await places.pixelsOf(end)]
  return { type: 'swipe', params: { start, end: pixels, durationMs } }
}

/** The touches of one finger after the other, each with the step that performs it. */
export const touchSteps = async (touches: readonly Touch[], places: Places): Promise<TimedSteps[]> => {
  const steps: TimedSteps[] = []
  for (let at = 0; at < touches.length; ) {
    const touch = touches[at]
    if (!touch) break
    const row = tapsInRow(touches, at)
    const last = row.at(-1)
    if (last) {
      steps.push(timed(touch, last, await tapStep(row, touch.start, places)))
      at += row.length
      continue
    }
    const step = isStill(touch) ? await holdStep(touch, places) : await moveStep(touch, places)
    steps.push(timed(touch, touch, step))
    at += 1
  }
  return steps
}
