/** When the events of one actor were stamped, on the clock that nobody sets: records keep the other one. */
import type { Clock } from './clock.ts'

export interface EventTimes {
  /** The time for a record. */
  stamp(): number
  /**
   * How long ago the event with that stamp was. None for a stamp of an earlier process, or one that is forgotten: a wait
   * may be too long, and never too short.
   */
  spentMs(at: number): number
}

/** More events than an execution has segments; beyond it the oldest is forgotten. */
const KEPT_MAX = 1_024

export const createEventTimes = (clock: Pick<Clock, 'now' | 'elapsed'>): EventTimes => {
  const elapsedAt = new Map<number, number>()
  return {
    stamp() {
      const at = clock.now()
      // The later of two events with one stamp counts.
      elapsedAt.delete(at)
      elapsedAt.set(at, clock.elapsed())
      if (elapsedAt.size > KEPT_MAX) elapsedAt.delete(elapsedAt.keys().next().value ?? 0)
      return at
    },
    spentMs(at) {
      const elapsed = elapsedAt.get(at)
      return elapsed === undefined ? 0 : clock.elapsed() - elapsed
    },
  }
}
