/** Fingers that no simpler action describes: the places of each, and when it is there. */

import type { Point } from '../../../contracts/device/ui-tree.ts'
import { FINGER_PLACES, FINGERS_MS } from '../../../contracts/limits/gesture-limits.ts'
import { invalid, unsupported } from '../protocol/arguments.ts'
import type { SessionStep } from '../session/live-session.ts'
import type { Spot, Touch } from './timeline.ts'

interface TimedPlace extends Point {
  readonly ms: number
}

/** A move that takes no time is a jump: it is at its place a moment later. */
const JUMP_MS = 1

/** Where a finger rests, its place stands twice. */
const placesOf = async ({ startMs, endMs, start, legs }: Touch, pixelsOf: (spot: Spot) => Promise<Point>) => {
  const places: TimedPlace[] = [{ ...(await pixelsOf(start)), ms: 0 }]
  const add = (point: Point, ms: number) => {
    const last = places.at(-1)?.ms ?? 0
    places.push({ x: point.x, y: point.y, ms: Math.max(ms, last + JUMP_MS) })
  }
  for (const { fromMs, untilMs, to } of legs) {
    const last = places.at(-1)
    if (last && fromMs - startMs > last.ms) add(last, fromMs - startMs)
    add(await pixelsOf(to), untilMs - startMs)
  }
  const last = places.at(-1)
  if (last && (endMs - startMs > last.ms || places.length === 1)) add(last, endMs - startMs)
  return places
}

/** All go up with the last one: a jump may have put off one of them by a moment. */
const endingTogether = (fingers: readonly TimedPlace[][]): readonly (readonly TimedPlace[])[] => {
  const endMs = Math.max(...fingers.map(places => places.at(-1)?.ms ?? 0))
  return fingers.map(places => {
    const last = places.at(-1)
    return last && last.ms < endMs ? [...places, { ...last, ms: endMs }] : places
  })
}

export const fingersStep = async (
  touches: readonly Touch[],
  pixelsOf: (spot: Spot) => Promise<Point>,
): Promise<SessionStep> => {
  const [first] = touches
  if (touches.some(({ startMs, endMs }) => startMs !== first?.startMs || endMs !== first.endMs))
    throw unsupported(
      'Two fingers that come down or go up at different times are not supported. Let both do it in the same tick.',
    )
  const fingers = endingTogether(await Promise.all(touches.map(touch => placesOf(touch, pixelsOf))))
  if (fingers.some(places => places.length > FINGER_PLACES.max))
    throw invalid(`A finger has at most ${FINGER_PLACES.max} places on its way.`)
  if (fingers.some(places => (places.at(-1)?.ms ?? 0) > FINGERS_MS.max))
    throw invalid(`A finger that turns or rests on its way is on the screen for at most ${FINGERS_MS.max} ms.`)
  return { type: 'move_fingers', params: { fingers } }
}
