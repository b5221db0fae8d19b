/** The steps of one execution that perform what sources of input describe. */

import { centreOf, type Point } from '../../../contracts/device/ui-tree.ts'
import { ACTIONS_MAX, EXECUTION_TIMEOUT_MS } from '../../../contracts/limits/limits.ts'
import { elementMatcher } from '../commands/elements.ts'
import { invalid, unsupported } from '../protocol/arguments.ts'
import type { LiveSession, SessionStep } from '../session/live-session.ts'
import { boundsOfElement } from './element-place.ts'
import { fingersStep } from './finger-steps.ts'
import { keySteps, type TimedSteps } from './key-steps.ts'
import type { InputSource } from './read-actions.ts'
import { refuseFarOutside, refuseOutside } from './screen-bounds.ts'
import { type Spot, type Timeline, type Touch, timelineOf } from './timeline.ts'
import { type Places, touchSteps } from './touch-steps.ts'

/** Shorter pauses between two steps pass anyway. */
const PAUSE_MS_MIN = 100
/** The time that steps take beside what they rest and move. */
const AROUND_MS = 20_000

const rounded = ({ x, y }: Point): Point => ({ x: Math.round(x), y: Math.round(y) })

/** Elements are looked up once each, all at the same moment of the screen or nearly. */
const placesIn = (session: LiveSession): Places => {
  const centres = new Map<string, Promise<Point>>()
  const centreFor = (elementId: string): Promise<Point> => {
    const known = centres.get(elementId) ?? boundsOfElement(session, elementId).then(centreOf)
    centres.set(elementId, known)
    return known
  }
  const pixelsOf = async ({ elementId, x, y }: Spot): Promise<Point> => {
    if (elementId === undefined) {
      const point = rounded({ x, y })
      await refuseOutside(session, [point])
      return point
    }
    const centre = await centreFor(elementId)
    const point = rounded({ x: centre.x + x, y: centre.y + y })
    await refuseFarOutside(session, point)
    return point
  }
  return {
    pixelsOf,
    async placeOf(spot) {
      const { elementId, x, y } = spot
      if (elementId !== undefined && x === 0 && y === 0) return { matcher: elementMatcher(session, elementId) }
      return { coordinate: await pixelsOf(spot) }
    },
  }
}

const overlaps = (a: { startMs: number; endMs: number }, b: { startMs: number; endMs: number }) =>
  a.startMs < b.endMs && b.startMs < a.endMs

/** Touches that are on the screen together. */
const together = (touches: readonly Touch[]): readonly (readonly Touch[])[] => {
  const groups: Touch[][] = []
  for (const touch of touches) {
    const last = groups.at(-1)
    if (last?.some(other => other.sourceId !== touch.sourceId && overlaps(other, touch))) last.push(touch)
    else groups.push([touch])
  }
  return groups
}

/** One finger after the other as far as there is one, and two at once between them. */
const fingerSteps = async (touches: readonly Touch[], places: Places): Promise<TimedSteps[]> => {
  const steps: TimedSteps[] = []
  let alone: Touch[] = []
  const flush = async () => {
    steps.push(...(await touchSteps(alone, places)))
    alone = []
  }
  for (const group of together(touches)) {
    const [one, other, ...more] = group
    if (more.length > 0) throw unsupported(`${group.length} fingers at once are not supported: the device takes two.`)
    if (!one) continue
    if (!other) {
      alone.push(one)
      continue
    }
    await flush()
    const { startMs, endMs } = one
    steps.push({ startMs, endMs, steps: [await fingersStep(group, places.pixelsOf)] })
  }
  await flush()
  return steps
}

const inOrder = (all: readonly TimedSteps[]): readonly TimedSteps[] => {
  const sorted = [...all].sort((a, b) => a.startMs - b.startMs)
  const clash = sorted.some((one, at) => sorted.slice(at + 1).some(other => overlaps(one, other)))
  if (clash)
    throw unsupported('Keys that are held while a finger is on the screen are not supported. Send one after the other.')
  return sorted
}

const pause = (durationMs: number): SessionStep[] =>
  durationMs < PAUSE_MS_MIN ? [] : [{ type: 'sleep', params: { durationMs } }]

const withPauses = (ordered: readonly TimedSteps[], { durationMs }: Timeline): SessionStep[] => {
  let at = 0
  const steps = ordered.flatMap(({ startMs, endMs, steps: timedSteps }) => {
    const before = pause(startMs - at)
    at = endMs
    return [...before, ...timedSteps]
  })
  return [...steps, ...pause(durationMs - at)]
}

export interface GesturePlan {
  readonly steps: readonly SessionStep[]
  readonly timeoutMs: number
}

/** Throws WebDriverError before anything is sent. Elements of swipes are looked up on the screen as it is now. */
export const planGestures = async (session: LiveSession, sources: readonly InputSource[]): Promise<GesturePlan> => {
  const timeline = timelineOf(sources)
  const timeoutMs = timeline.durationMs + AROUND_MS
  if (timeoutMs > EXECUTION_TIMEOUT_MS.max)
    throw invalid(
      `The actions take ${timeline.durationMs} ms; one request may take ${EXECUTION_TIMEOUT_MS.max - AROUND_MS}.`,
    )
  const places = placesIn(session)
  const ordered = inOrder([...(await fingerSteps(timeline.touches, places)), ...keySteps(timeline.keys)])
  const steps = withPauses(ordered, timeline)
  if (steps.length > ACTIONS_MAX)
    throw invalid(`The actions are ${steps.length} steps; one request may have ${ACTIONS_MAX}.`)
  return { steps, timeoutMs }
}
