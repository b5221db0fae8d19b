/**
 * How long an answer is waited for, as one sum. A caller that is asked to wait for `answerWithinMs` hears something by then:
 *
 *     waiting for the device                 waitMs, where the caller gave one
 *   + the work itself                        timeoutMs, or what the request takes at most
 *   + ENVELOPE_GRACE_MS                      the device's own answer may come late (executions)
 *   + AROUND_MS                              another host finds and opens the device; the way there and back
 *   = what a host waits for another host     requestTimeout()
 *   + CLIENT_WAY_BACK_MS                     the asked host can still say that the host it asked was silent
 *   = what a command waits for its fleet     clientTimeout()
 *
 * WAY_BACK_MS before the caller's own bound nothing is sent to a device any more. A caller over the network may name no more
 * than the work itself: it is given OPENING_MS on top, since nothing could be sent otherwise.
 */

import type { RequestContext } from '../contracts/doors/request-context.ts'
import { isObject } from '../contracts/json/json.ts'
import { ENVELOPE_GRACE_MS, EXECUTION_TIMEOUT_MS, SKILL_TIMEOUT_MS } from '../contracts/limits/limits.ts'
import { LOG_WAIT_MS_MAX } from '../contracts/limits/log-limits.ts'
import { RECORDING_START_MS, RECORDING_STOP_MS } from '../contracts/limits/recording-limits.ts'
import type { RouteId } from '../contracts/operations/routes.ts'

/** Leaves time for an answer to travel back on this machine. */
export const WAY_BACK_MS = 200
const OPENING_MS = 5_000
const AROUND_MS = 30_000
const CLIENT_WAY_BACK_MS = 10_000
const LONGEST_MS = 2 * 60 * 60_000
/** Lists over all hosts give the others ten seconds. */
export const LIST_MS = 10_000
const LOOK_MS = 10_000
/** To open the link to a device, and to ask it. */
const DEVICE_MS = 30_000
/** The same, with the longest wait for lines. */
const LOG_MS = DEVICE_MS + LOG_WAIT_MS_MAX
export const PICTURE_MS = 60_000
const PIECE_MS = 20_000

const positive = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined

/** Reads the timeout under either name; an execution that has none is refused where it is judged. */
export const executionTimeout = (execution: unknown): number => {
  const { timeoutMs, timeout_ms: alias } = isObject(execution) ? execution : {}
  return positive(timeoutMs) ?? positive(alias) ?? EXECUTION_TIMEOUT_MS.max
}

/** How long an execution may take with all that is around it, for a caller that waits no longer; undefined without a bound. */
export const answerBound = (
  timeoutMs: number,
  { answerWithinMs, isStranger }: Pick<RequestContext, 'answerWithinMs' | 'isStranger'>,
): number | undefined => {
  if (answerWithinMs === undefined) return undefined
  const bound = answerWithinMs - WAY_BACK_MS
  return isStranger ? Math.max(bound, timeoutMs + OPENING_MS) : bound
}

const FIXED: Partial<Record<RouteId, number>> = {
  'executions.list': LIST_MS,
  'executions.cancel': LOOK_MS,
  'executions.picture': PICTURE_MS,
  'executions.trace': PICTURE_MS,
  'executions.traceFile': PICTURE_MS,
  'skillRuns.trace': PICTURE_MS,
  'skillRuns.traceFile': PICTURE_MS,
  'devices.get': DEVICE_MS,
  'notifications.list': DEVICE_MS,
  'logs.read': LOG_MS,
  'devices.list': LIST_MS,
  'apps.frames': DEVICE_MS,
  'apps.memory': DEVICE_MS,
  'forwards.list': DEVICE_MS,
  'forwards.add': DEVICE_MS,
  'forwards.remove': DEVICE_MS,
  'reverses.list': DEVICE_MS,
  'reverses.add': DEVICE_MS,
  'reverses.remove': DEVICE_MS,
  'recording.start': RECORDING_START_MS + AROUND_MS,
  'recording.status': DEVICE_MS,
  'recording.stop': RECORDING_STOP_MS + AROUND_MS,
  'leases.list': LIST_MS,
  'leases.extend': DEVICE_MS,
  'leases.end': DEVICE_MS,
  'fleet.status': LOOK_MS,
  'fleet.drain': LOOK_MS,
  'parcels.put': PIECE_MS,
  'parcels.get': PICTURE_MS,
}

/** How long a host waits for the answer of another host. */
export const requestTimeout = (id: RouteId, input: object): number => {
  const fixed = FIXED[id]
  if (fixed !== undefined) return fixed
  if (id === 'executions.resume') return LONGEST_MS
  if (id === 'executions.get') return (positive((input as { waitMs?: unknown }).waitMs) ?? 0) + LOOK_MS
  const { timeoutMs, execution, waitMs } = input as { timeoutMs?: unknown; execution?: unknown; waitMs?: unknown }
  if (id === 'leases.create') return (positive(waitMs) ?? 0) + DEVICE_MS + AROUND_MS
  const work =
    id === 'skills.run' ? (positive(timeoutMs) ?? SKILL_TIMEOUT_MS) : executionTimeout(execution) + ENVELOPE_GRACE_MS
  return Math.min((positive(waitMs) ?? 0) + work + AROUND_MS, LONGEST_MS)
}

/** How long a command waits for the host of the fleet that it asks. */
export const clientTimeout = (id: RouteId, input: object): number => requestTimeout(id, input) + CLIENT_WAY_BACK_MS
