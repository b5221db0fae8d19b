/** Touches as the helper takes them: where the finger is at which moment. */
import type { Point } from '../engine/ui-tree.ts'
import { LONG_PRESS_MS } from '../shell/driver.ts'

export interface TouchPlan {
  durationMs: number
  samples: readonly { offsetMs: number; x: number; y: number }[]
}

/** The helper does not interpolate: a finger that jumps scrolls nothing. One sample a frame. */
const SAMPLE_MS = 16
const TAP_MS = 60

const at = ({ x, y }: Point, offsetMs: number) => ({ offsetMs, x: Math.round(x), y: Math.round(y) })

const still = (point: Point, durationMs: number): TouchPlan => ({
  durationMs,
  samples: [at(point, 0), at(point, durationMs)],
})

export const tapPlan = (point: Point, how: 'default' | 'long_click'): TouchPlan =>
  still(point, how === 'default' ? TAP_MS : LONG_PRESS_MS)

export const swipePlan = (start: Point, end: Point, durationMs: number): TouchPlan => {
  const steps = Math.max(1, Math.round(durationMs / SAMPLE_MS))
  const samples = Array.from({ length: steps + 1 }, (_, step) => {
    const part = step / steps
    const point = { x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part }
    return at(point, Math.round(durationMs * part))
  })
  return { durationMs, samples }
}

export const touchPayload = ({ durationMs, samples }: TouchPlan): string =>
  Buffer.from(
    JSON.stringify({
      protocol: 'android-touch-plan-v1',
      kind: 'swipe',
      durationMs,
      pointers: [{ pointerId: 0, samples }],
    }),
  ).toString('base64')
