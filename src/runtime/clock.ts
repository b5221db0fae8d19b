/** The only place that knows the time: everything else is handed a clock. */

export interface Timer {
  cancel(): void
}

export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Milliseconds that never go back, for measuring. */
  elapsed(): number
  /**
   * Calls once when `now()` has reached `at`; a time in the past means the next task. How long that is gets measured when
   * it is asked: a wall clock that is set meanwhile changes nothing. `idle` timers do not keep the process.
   */
  at(at: number, call: () => void, options?: { idle?: boolean }): Timer
  /** Calls in a turn of the event loop of its own, after everything that is due already. */
  soon(call: () => void): void
}

/** A moment of this process on both clocks: for records, and for saying later how long ago it was. */
export interface ClockReading {
  at: number
  elapsed: number
}

export const readClock = (clock: Clock): ClockReading => ({ at: clock.now(), elapsed: clock.elapsed() })

/** Whole milliseconds that this process has been through since then; never negative. */
export const sinceMs = (clock: Clock, { elapsed }: Pick<ClockReading, 'elapsed'>): number =>
  Math.max(0, Math.round(clock.elapsed() - elapsed))

/**
 * The larger age of the two clocks: `elapsed` stands still while a laptop sleeps, and `now` may be set. Used where
 * something must not pass for newer than it is.
 */
export const ageMs = (clock: Clock, { at, elapsed }: ClockReading): number =>
  Math.max(clock.elapsed() - elapsed, Math.abs(clock.now() - at))

const MS_PER_S = 1_000
const NS_PER_MS = 1e6

/** Milliseconds that never go back. Not `performance.now()`: to load that costs each call of `svc` most of a millisecond. */
const monotonic = (): number => {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * MS_PER_S + nanoseconds / NS_PER_MS
}

/** Node turns a longer timeout into 1 ms, so long waits are taken in steps. */
const LONGEST = 2 ** 31 - 1

/** A timer that is later than this was late for a reason: the process was stopped, the machine slept, the loop was blocked. */
const GAP_MS = 250
/** How much time to read a process gets back after a gap. */
const GRACE_MS = 1_000

/**
 * Node runs timers before it reads sockets. After a gap, a deadline would be judged before the answer that came in time:
 * so the loop first gets as much time as it has missed, up to a second. Every wait has a step that long before its end,
 * so that a gap is noticed by a deadline that falls due right after it as well.
 */
const wait = (ms: number, call: () => void, idle: boolean): Timer => {
  let timer: NodeJS.Timeout
  let due = monotonic() + ms
  const step = () => {
    const begun = monotonic()
    const left = Math.max(0, due - begun)
    const stepMs = left > GRACE_MS ? Math.min(left - GRACE_MS, LONGEST) : left
    timer = setTimeout(() => {
      const now = monotonic()
      const late = now - begun - stepMs
      if (late > GAP_MS) due = Math.max(due, now + Math.min(late, GRACE_MS))
      if (now >= due) call()
      else step()
    }, Math.ceil(stepMs))
    if (idle) timer.unref()
  }
  step()
  return { cancel: () => clearTimeout(timer) }
}

export const systemClock = (): Clock => ({
  now: () => Date.now(),
  elapsed: monotonic,
  at: (at, call, { idle = false } = {}) => wait(Math.max(0, at - Date.now()), call, idle),
  soon: call => void setImmediate(call),
})

/** Resolves when `ms` have passed, or at once when the signal aborts. */
export const pause = (clock: Clock, ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    if (signal?.aborted) return resolve()
    const finish = () => {
      timer.cancel()
      signal?.removeEventListener('abort', finish)
      resolve()
    }
    const timer = clock.at(clock.now() + ms, finish)
    signal?.addEventListener('abort', finish, { once: true })
  })

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

/** When the events of one actor were stamped, on the clock that nobody sets: records keep the other one. */
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
