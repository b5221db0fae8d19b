/** A clock that moves when a test says so. */
import type { Clock } from '../../src/runtime/clock.ts'

export interface ManualClock extends Clock {
  /** Moves on by that much, calling what falls due, in order. */
  advance(ms: number): void
  /** Timers that have neither fired nor been cancelled. */
  pending(): number
}

export const manualClock = (start = 1_000_000): ManualClock => {
  let now = start
  let order = 0
  const timers = new Map<number, { at: number; call: () => void }>()
  return {
    now: () => now,
    elapsed: () => now,
    at: (at, call) => {
      const id = order++
      timers.set(id, { at, call })
      return { cancel: () => void timers.delete(id) }
    },
    advance(ms) {
      const until = now + ms
      for (;;) {
        const due = [...timers].filter(([, { at }]) => at <= until).sort((a, b) => a[1].at - b[1].at || a[0] - b[0])[0]
        if (!due) break
        timers.delete(due[0])
        now = Math.max(now, due[1].at)
        due[1].call()
      }
      now = until
    },
    pending: () => timers.size,
  }
}
