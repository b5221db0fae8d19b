/** Trying again: a part of a step by the Retry object of the contract, and a look until something is there. */
import type { Retry } from '../../contracts/actions/shape.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import type { StepContext } from './context.ts'
import { StepFailure } from './step-failure.ts'

/** Values for the keys that a given Retry leaves out; without a Retry nothing is tried twice. */
export const RETRY_DEFAULTS = {
  maxAttempts: 3,
  initialDelayMs: 200,
  maxDelayMs: 2_000,
  backoffMultiplier: 2,
  jitterRatio: 0,
} as const satisfies Required<Retry>

/** Before attempt `attempt + 1`; the jitter takes up to its ratio away or adds it, and the longest delay holds for all. */
export const delayAfter = (attempt: number, retry: Retry, random: () => number): number => {
  const rules = { ...RETRY_DEFAULTS, ...retry }
  const delay = Math.min(rules.initialDelayMs * rules.backoffMultiplier ** (attempt - 1), rules.maxDelayMs)
  const jitter = 1 + rules.jitterRatio * (2 * random() - 1)
  return Math.round(Math.min(delay * jitter, rules.maxDelayMs))
}

/** False for an action that cannot be performed at all. */
const isWorthRetrying = (error: unknown): boolean =>
  error instanceof StepFailure && error.code !== 'EXECUTION_ACTION_UNSUPPORTED'

export const retrying = async <T>(
  retry: Retry | undefined,
  { clock, signal, random, deadline }: StepContext,
  work: () => Promise<T>,
): Promise<T> => {
  const attempts = retry ? (retry.maxAttempts ?? RETRY_DEFAULTS.maxAttempts) : 1
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!retry || attempt >= attempts || !isWorthRetrying(error)) throw error
      const delay = delayAfter(attempt, retry, random)
      if (clock.now() + delay >= deadline) throw error
      await pause(clock, delay, signal)
      signal.throwIfAborted()
    }
  }
}

export const POLL_MS = { first: 25, longest: 200, growth: 1.5 } as const

interface PollOptions {
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
