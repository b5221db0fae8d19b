/** Touches as the helper takes them: where the finger is at which moment. */

import type { Point } from '../../../contracts/device/ui-tree.ts'
import type { DragTimes, FingerPlace } from '../../screen/phone-controls.ts'
import { LONG_PRESS_MS } from '../shell/driver.ts'

export interface TouchPlan {
  durationMs: number
  samples: readonly { offsetMs: number; x: number; y: number }[]
  /** Another finger, at the same moments. */
  second?: TouchPlan
}

/** The helper does not interpolate: a finger that jumps scrolls nothing. One sample a frame. */
const SAMPLE_MS = 16
const TAP_MS = 60

const at = ({ x, y }: Point, offsetMs: number) => ({ offsetMs, x: Math.round(x), y: Math.round(y) })

const still = (point: Point, durationMs: number): TouchPlan => ({
  durationMs,
  samples: [at(point, 0), at(point, durationMs)],
})

export const tapPlan = (point: Point, how: 'default' | 'long_click', holdMs = LONG_PRESS_MS): TouchPlan =>
  still(point, how === 'default' ? TAP_MS : holdMs)

export const swipePlan = (start: Point, end: Point, durationMs: number): TouchPlan => {
  const steps = Math.max(1, Math.round(durationMs / SAMPLE_MS))
  const samples = Array.from({ length: steps + 1 }, (_, step) => {
    const part = step / steps
    const point = { x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part }
    return at(point, Math.round(durationMs * part))
  })
  return { durationMs, samples }
}

/** A still finger that moves after a while, and rests at the end: what is dropped falls where it is. */
export const dragPlan = (start: Point, end: Point, { holdMs, durationMs }: DragTimes): TouchPlan => {
  const { samples } = swipePlan(start, end, durationMs)
  const moved = samples.map(({ offsetMs, ...point }) => ({ ...point, offsetMs: offsetMs + holdMs }))
  const rested = holdMs + durationMs + SAMPLE_MS * 4
  return {
    durationMs: rested,
    samples: [...(holdMs === 0 ? [] : [at(start, 0)]), ...moved, at(end, rested)],
  }
}

/** The distance of each finger from the centre: where they are close together, and where they are far apart. */
const NEAR_PIXELS = 60
const FAR_PIXELS = 400

/** Two fingers on a level line through the centre; the distance between them changes by the scale as far as there is room. */
export const pinchPlan = (centre: Point, scale: number, durationMs: number): TouchPlan => {
  const room = Math.max(NEAR_PIXELS, Math.min(FAR_PIXELS, centre.x))
  const ratio = scale > 1 ? scale : 1 / scale
  const far = Math.min(room, NEAR_PIXELS * ratio)
  const near = far / ratio
  const [from, to] = scale > 1 ? [near, far] : [far, near]
  const finger = (side: 1 | -1) =>
    swipePlan({ x: centre.x + side * from, y: centre.y }, { x: centre.x + side * to, y: centre.y }, durationMs)
  return { ...finger(-1), second: finger(1) }
}

/** Where a finger is that goes straight from each place to the next. */
const placeAt = (places: readonly FingerPlace[], moment: number): Point => {
  const next = Math.max(
    1,
    places.findIndex(({ ms }) => ms >= moment),
  )
  const [from, to] = [places[next - 1], places[next]]
  if (!from || !to) return places.at(-1) ?? { x: 0, y: 0 }
  const part = (moment - from.ms) / (to.ms - from.ms)
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }
}

/** One or two fingers, sampled at the same moments: each frame, and where one of them turns. */
export const fingersPlan = (fingers: readonly (readonly FingerPlace[])[]): TouchPlan => {
  const durationMs = fingers[0]?.at(-1)?.ms ?? 0
  const frames = Array.from({ length: Math.ceil(durationMs / SAMPLE_MS) }, (_, frame) => frame * SAMPLE_MS)
  const turns = fingers.flatMap(places => places.map(({ ms }) => ms))
  const moments = [...new Set([...frames, ...turns])].sort((a, b) => a - b)
  const [first, second] = fingers.map(places => ({
    durationMs,
    samples: moments.map(moment => at(placeAt(places, moment), moment)),
  }))
  return { durationMs, samples: first?.samples ?? [], ...(second ? { second } : {}) }
}

const encoded = (kind: 'swipe' | 'transform', plans: readonly TouchPlan[]): string =>
  Buffer.from(
    JSON.stringify({
      protocol: 'android-touch-plan-v1',
      kind,
      durationMs: plans[0]?.durationMs ?? 0,
      pointers: plans.map(({ samples }, pointerId) => ({ pointerId, samples })),
    }),
  ).toString('base64')

export const touchPayload = (plan: TouchPlan): string =>
  encoded(plan.second ? 'transform' : 'swipe', plan.second ? [plan, plan.second] : [plan])
