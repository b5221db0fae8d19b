/** The touch plans of the snapshot helper: read as strictly as it does, and performed on the screen. */
import * as v from 'valibot'
import { parsedJson } from '../../contracts/json/json.ts'
import type { Finger } from '../phone-parts.ts'

const Sample = v.object({ offsetMs: v.number(), x: v.number(), y: v.number() })
const Plan = v.object({
  kind: v.string(),
  durationMs: v.number(),
  pointers: v.array(v.object({ pointerId: v.number(), samples: v.array(Sample) })),
})
type TouchPlan = v.InferOutput<typeof Plan>

interface PlanProblem {
  /** A Java class. */
  errorType: string
  problem: string
}

const PROTOCOL = 'android-touch-plan-v1'
const DURATION_MS_MAX = 120_000
/** How many fingers a kind takes. */
const FINGERS: Readonly<Record<string, number>> = { swipe: 1, transform: 2 }

type Samples = TouchPlan['pointers'][number]['samples']

const samplesProblem = (samples: Samples, durationMs: number): string | undefined => {
  if (samples.length < 2) return 'Planned pointer path requires at least two samples'
  for (const [at, { offsetMs }] of samples.entries()) {
    const before = samples[at - 1]?.offsetMs ?? -1
    if (!Number.isInteger(offsetMs)) return 'Planned sample offsetMs must be a finite integer'
    // A touch without length has all its samples at once.
    if (offsetMs < before || (offsetMs === before && durationMs !== 0)) {
      return 'Planned sample offsets must be strictly increasing'
    }
  }
  if (samples[0]?.offsetMs === 0 && samples.at(-1)?.offsetMs === durationMs) return undefined
  return 'Pointer path must start at 0 and end at durationMs'
}

const matchProblem = (samples: Samples, others: Samples): string | undefined => {
  if (samples.length !== others.length) return 'Planned pointer paths must have matching samples'
  return samples.every(({ offsetMs }, at) => offsetMs === others[at]?.offsetMs)
    ? undefined
    : 'Planned pointer sample offsets must match'
}

/** In the words of the helper. */
const planProblem = ({ kind, durationMs, pointers }: TouchPlan): string | undefined => {
  const fingers = Object.hasOwn(FINGERS, kind) ? FINGERS[kind] : undefined
  if (fingers === undefined) return `Unsupported kind: ${kind}`
  if (durationMs < 0 || durationMs > DURATION_MS_MAX) return 'durationMs must be between 0 and 120000'
  if (pointers.length !== fingers) return `${kind} gesture requires exactly ${fingers} pointer paths`
  for (const [at, { pointerId, samples }] of pointers.entries()) {
    if (pointerId !== at) return 'Planned pointer ids must be ordered from 0'
    const problem = samplesProblem(samples, durationMs)
    if (problem !== undefined) return problem
  }
  const [one, other] = pointers
  return one && other ? matchProblem(one.samples, other.samples) : undefined
}

const illegal = (problem: string): PlanProblem => ({ errorType: 'java.lang.IllegalArgumentException', problem })
const notJson = (problem: string): PlanProblem => ({ errorType: 'org.json.JSONException', problem })

export const readTouchPlan = (base64: string): TouchPlan | PlanProblem => {
  if (base64 === '') return illegal('Missing payloadBase64')
  const json = parsedJson(Buffer.from(base64, 'base64').toString('utf8'))
  const whole = v.safeParse(v.looseObject({ protocol: v.exactOptional(v.string(), '') }), json)
  if (!whole.success) return notJson('the payload cannot be converted to JSONObject')
  const { protocol } = whole.output
  if (protocol !== PROTOCOL) return illegal(`Unsupported protocol: ${protocol}`)
  const result = v.safeParse(Plan, json)
  if (!result.success) return notJson(`No value for ${v.getDotPath(result.issues[0]) ?? 'kind'}`)
  const problem = planProblem(result.output)
  return problem === undefined ? result.output : illegal(problem)
}

/** A finger that rests this long presses long; what it moves less than that rests. */
const LONG_PRESS_MS = 500
const REST_PIXELS = 16
/** The last finger goes up; of two, the second comes down and goes up by itself. */
const EVENTS_BESIDE_SAMPLES = { swipe: 1, transform: 3 } as const

/** How many events it took. Two fingers have no effect on a simulated screen. */
export const performTouch = ({ kind, durationMs, pointers }: TouchPlan, finger: Finger): number => {
  const { samples = [] } = pointers[0] ?? {}
  const [start, end] = [samples[0], samples.at(-1)]
  if (kind === 'swipe' && start && end) {
    const rests = Math.hypot(end.x - start.x, end.y - start.y) <= REST_PIXELS
    if (!rests) finger.swipe(start, end, durationMs)
    else if (durationMs >= LONG_PRESS_MS) finger.longPress(start)
    else finger.tap(start)
  }
  return samples.length + EVENTS_BESIDE_SAMPLES[kind === 'swipe' ? 'swipe' : 'transform']
}

/** In the words of the system. */
export const ALREADY_REGISTERED =
  'UiAutomationService android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy@5a1de already registered!'

export const createUiAutomation = () => {
  let holder: { owner: string } | undefined
  return {
    /** Undefined while somebody else has it. */
    connect(owner: string): { release(): void } | undefined {
      if (holder) return undefined
      const mine = { owner }
      holder = mine
      return {
        release() {
          if (holder === mine) holder = undefined
        },
      }
    },
    owner: (): string | undefined => holder?.owner,
  }
}

export type UiAutomation = ReturnType<typeof createUiAutomation>
