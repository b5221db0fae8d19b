/** Waits for something that another task or another process does. */
import { pause, systemClock } from '../../src/runtime/clock.ts'

const clock = systemClock()

export const wait = (ms: number): Promise<void> => pause(clock, ms)

const REST_MS = { shortest: 5, longest: 250 }
/** A look may be a process of its own, or a question to a busy server: looking takes a third of the time at most. */
const REST = 2

/** A look that does not come back is one that saw nothing. */
export const until = async (isSo: () => boolean | Promise<boolean>, what: string, ms = 30_000): Promise<void> => {
  const latest = clock.elapsed() + ms
  const end = new AbortController()
  const late = pause(clock, ms, end.signal).then(() => false)
  try {
    for (;;) {
      const begun = clock.elapsed()
      if (await Promise.race([isSo(), late])) return
      const now = clock.elapsed()
      if (now >= latest) throw new Error(`waited ${ms} ms for ${what}`)
      await wait(Math.min(Math.max(REST_MS.shortest, REST * (now - begun)), REST_MS.longest))
    }
  } finally {
    end.abort()
  }
}
