/**
 * Refuses an execution of a device that another execution of this process holds: from memory, and in a crowd of callers
 * no faster than leaves the process to the one that runs.
 */
import { IN_FLIGHT } from '../../../../machines/definition.ts'
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import type { Clock } from '../../../runtime/clock.ts'
import type { Host } from '../../../runtime/host.ts'
import { conflictError } from '../refusals.ts'

/** Undefined when no execution of this process holds the device: then the event that asks for it decides. */
export const conflictInMemory = (
  { snapshot, holder: { pid } }: Pick<Host, 'snapshot' | 'holder'>,
  deviceId: string,
): ErrorObject | undefined => {
  const actor = snapshot(`device:${deviceId}`)
  if (!actor?.hasTag(IN_FLIGHT)) return undefined
  const { executionId, commandId, acceptedAt: since = 0 } = actor.context.current ?? {}
  return conflictError(deviceId, { pid, executionId, commandId, since }, actor.matches({ running: 'draining' }))
}

/** The first refusals of a device are answered at once, up to this many. */
const AT_ONCE = 10
/** Each further one waits this long after the one before it: a caller that repeats at once costs as much as an execution. */
const APART_MS = 5
/** No refusal waits longer, however many there are. */
const WAIT_MAX_MS = 250

/** Says how many ms the next refusal of a device waits for its answer. */
export const createRefusalPace = (clock: Pick<Clock, 'elapsed'>): ((deviceId: string) => number) => {
  const lastAt = new Map<string, number>()
  return deviceId => {
    const now = clock.elapsed()
    const earliest = now - AT_ONCE * APART_MS
    const at = Math.min(Math.max(lastAt.get(deviceId) ?? earliest, earliest) + APART_MS, now + WAIT_MAX_MS)
    lastAt.set(deviceId, at)
    return Math.max(0, at - now)
  }
}
