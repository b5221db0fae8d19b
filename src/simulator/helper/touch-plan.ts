/** The touch plans of the snapshot helper: read as strictly as it does, and performed on the screen. */
import * as v from 'valibot'
import type { Point } from '../../operator/engine/ui-tree.ts'

const Sample = v.object({ offsetMs: v.number(), x: v.number(), y: v.number() })
const Plan = v.object({
  protocol: v.literal('android-touch-plan-v1'),
  kind: v.picklist(['swipe', 'transform']),
  durationMs: v.pipe(v.number(), v.minValue(0), v.maxValue(120_000)),
  pointers: v.pipe(
    v.array(v.object({ pointerId: v.number(), samples: v.pipe(v.array(Sample), v.minLength(2)) })),
    v.minLength(1),
    v.maxLength(2),
  ),
})
export type TouchPlan = v.InferOutput<typeof Plan>

const isOrdered = ({ durationMs, pointers }: TouchPlan) =>
  pointers.every(
    ({ samples }) =>
      samples[0]?.offsetMs === 0 &&
      samples.at(-1)?.offsetMs === durationMs &&
      samples.every(({ offsetMs }, at) => at === 0 || durationMs === 0 || offsetMs > (samples[at - 1]?.offsetMs ?? -1)),
  )

/** Undefined for what is not a plan. */
export const readTouchPlan = (base64: string): TouchPlan | undefined => {
  try {
    const result = v.safeParse(Plan, JSON.parse(Buffer.from(base64, 'base64').toString('utf8')))
    if (!result.success) return undefined
    const plan = result.output
    return plan.pointers.length === (plan.kind === 'swipe' ? 1 : 2) && isOrdered(plan) ? plan : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

export interface Finger {
  tap(point: Point): void
  longPress(point: Point): void
  swipe(start: Point, end: Point, durationMs: number): void
}

/** A finger that rests this long presses long; what it moves less than that rests. */
const LONG_PRESS_MS = 500
const REST_PIXELS = 16

/** How many events it took. Two fingers have no effect on a simulated screen. */
export const performTouch = ({ kind, durationMs, pointers }: TouchPlan, finger: Finger): number => {
  const [{ samples }] = pointers as [TouchPlan['pointers'][number]]
  const [start, end] = [samples[0], samples.at(-1)]
  if (kind === 'swipe' && start && end) {
    const rests = Math.hypot(end.x - start.x, end.y - start.y) <= REST_PIXELS
    if (!rests) finger.swipe(start, end, durationMs)
    else if (durationMs >= LONG_PRESS_MS) finger.longPress(start)
    else finger.tap(start)
  }
  return pointers.length + pointers.reduce((sum, pointer) => sum + pointer.samples.length, 0)
}
