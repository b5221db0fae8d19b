/** The only place that knows the time: everything else is handed a clock. */
export interface Timer {
  cancel(): void
}

export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Milliseconds that never go back, for measuring. */
  elapsed(): number
  /** Calls once when `now()` has reached `at`; a time in the past means the next task. `idle` timers do not keep the process. */
  at(at: number, call: () => void, options?: { idle?: boolean }): Timer
}

/** Node turns a longer timeout into 1 ms, so long waits are taken in steps. */
const LONGEST = 2 ** 31 - 1

export const systemClock = (): Clock => ({
  now: () => Date.now(),
  elapsed: () => performance.now(),
  at: (at, call, options = {}) => {
    let timer: NodeJS.Timeout
    const arm = () => {
      const left = Math.max(0, at - Date.now())
      timer = setTimeout(left > LONGEST ? arm : call, Math.min(left, LONGEST))
      if (options.idle) timer.unref()
    }
    arm()
    return { cancel: () => clearTimeout(timer) }
  },
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
