/** A clock that moves when a test says so. */
import type { Clock } from '../../src/runtime/clock.ts'

/** Of the runtime, however much or little is going on: actors that rest, and leases to renew. */
export const RUNTIME_TIMERS = 2

export interface ManualClock extends Clock {
  /** Moves on by that much, calling what falls due, in order. */
  advance(ms: number): void
  /** Sets the wall clock by that much, as NTP does; no time passes. */
  set(ms: number): void
  /** Timers that have neither fired nor been cancelled. */
  pending(): number
}

export const manualClock = (start = 1_000_000): ManualClock => {
  let now = start
  let order = 0
  let setBy = 0
  const timers = new Map<number, { at: number; call: () => void }>()
  return {
    now: () => now + setBy,
    elapsed: () => now,
    at: (at, call) => {
      const id = order++
      timers.set(id, { at: at - setBy, call })
      return { cancel: () => void timers.delete(id) }
    },
    soon: call => void setImmediate(call),
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
    set(ms) {
      setBy += ms
    },
    pending: () => timers.size,
  }
}
