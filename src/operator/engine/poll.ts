/** Looking again and again until something is there: a growing interval, and one last look at the deadline. */
import { type Clock, pause } from '../../runtime/clock.ts'

export const POLL_MS = { first: 25, longest: 200, growth: 1.5 } as const

export interface PollOptions {
  clock: Clock
  signal: AbortSignal
  /** In epoch ms. */
  until: number
}

/** Undefined when the look at (or first after) `until` found nothing either. */
export const poll = async <T>(
  look: () => Promise<T | undefined>,
  { clock, signal, until }: PollOptions,
): Promise<T | undefined> => {
  const end = clock.elapsed() + (until - clock.now())
  for (let interval: number = POLL_MS.first; ; interval = Math.min(interval * POLL_MS.growth, POLL_MS.longest)) {
    const isLast = clock.elapsed() >= end
    const found = await look()
    if (found !== undefined || isLast) return found
    await pause(clock, Math.max(0, Math.min(interval, end - clock.elapsed())), signal)
    signal.throwIfAborted()
  }
}
