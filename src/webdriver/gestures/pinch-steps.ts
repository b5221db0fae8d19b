/** Recognises what two fingers do together: a pinch, by the ratio of their distances. */
import { PINCH_MS, PINCH_SCALE } from '../../contracts/gesture-limits.ts'
import type { Point } from '../../operator/engine/ui-tree.ts'
import { invalid, unsupported } from '../protocol/arguments.ts'
import type { TimedSteps } from './key-steps.ts'
import type { Touch } from './timeline.ts'
import type { Places } from './touch-steps.ts'

const RULE =
  'What works with two fingers: both come down, move once and go up at the same moments, and part from one centre or close on it (mobile: pinchOpenGesture and pinchCloseGesture do that).'

/** Fingers that begin closer to each other are taken for as far apart as this. */
const NEAR_PX = 20
/** By which the centre may be elsewhere at the end. */
const CENTRE_PX = 10

const distance = (a: Point, b: Point) => Math.hypot(b.x - a.x, b.y - a.y)
const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })

interface Way {
  readonly from: Point
  readonly to: Point
  readonly durationMs: number
}

/** A finger that stays is one way without a length. */
const wayOf = async ({ start, legs }: Touch, places: Places): Promise<Way> => {
  const [leg, ...more] = legs
  const from = await places.pixelsOf(start)
  if (!leg) return { from, to: from, durationMs: 0 }
  if (more.length > 0) throw unsupported(`Two fingers that do more than to move once are not supported. ${RULE}`)
  return { from, to: await places.pixelsOf(leg.to), durationMs: leg.untilMs - leg.fromMs }
}

export const pinchSteps = async (one: Touch, other: Touch, places: Places): Promise<TimedSteps> => {
  const [first, second] = [await wayOf(one, places), await wayOf(other, places)]
  const centres = [middle(first.from, second.from), middle(first.to, second.to)] as const
  if (distance(...centres) > CENTRE_PX) throw unsupported(`Two fingers whose centre moves are not supported. ${RULE}`)
  const before = Math.max(NEAR_PX, distance(first.from, second.from))
  const after = Math.max(NEAR_PX, distance(first.to, second.to))
  const scale = after / before
  if (scale === 1) throw unsupported(`Two fingers whose distance stays the same are not supported. ${RULE}`)
  if (scale > PINCH_SCALE.max || scale < PINCH_SCALE.min)
    throw unsupported(
      `Two fingers whose distance changes by ${scale.toFixed(1)} are not supported: ${PINCH_SCALE.min} to ${PINCH_SCALE.max}. ${RULE}`,
    )
  const durationMs = Math.max(PINCH_MS.min, first.durationMs, second.durationMs)
  if (durationMs > PINCH_MS.max) throw invalid(`A pinch takes at most ${PINCH_MS.max} ms.`)
  const coordinate = { x: Math.round(centres[0].x), y: Math.round(centres[0].y) }
  return {
    startMs: Math.min(one.startMs, other.startMs),
    endMs: Math.max(one.endMs, other.endMs),
    steps: [{ type: 'pinch', params: { coordinate, scale, durationMs } }],
  }
}
