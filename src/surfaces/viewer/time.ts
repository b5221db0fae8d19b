/** The only place of the page that knows the time. */
import { useEffect, useState } from 'preact/hooks'

export const now = (): number => Date.now()

export const elapsed = (): number => performance.now()

/** Calls once, unless the returned function is called first. */
export const later = (ms: number, call: () => void): (() => void) => {
  const timer = setTimeout(call, ms)
  return () => clearTimeout(timer)
}

export const pause = (ms: number): Promise<void> => new Promise(resolve => void later(ms, resolve))

/** Lets everything else on the page have its turn. */
export const nextTask = (): Promise<void> => pause(0)

/** Calls repeatedly until the returned function is called. */
export const every = (ms: number, call: () => void): (() => void) => {
  const timer = setInterval(call, ms)
  return () => clearInterval(timer)
}

/** Runs `call` once after `ms`, however often the returned function is called meanwhile. */
export const batched = (ms: number, call: () => void): (() => void) => {
  let isDue = false
  return () => {
    if (isDue) return
    isDue = true
    later(ms, () => {
      isDue = false
      call()
    })
  }
}

/** The time, once a second. */
export const useNow = (): number => {
  const [time, setTime] = useState(now())
  useEffect(() => every(1_000, () => setTime(now())), [])
  return time
}
