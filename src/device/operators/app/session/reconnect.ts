/** Tries something again and again while it is needed, ever more slowly, and says when it is hopeless. */
import { type Clock, pause } from '../../../../runtime/clock.ts'

interface ReconnectionOptions {
  clock: Clock
  isNeeded: () => boolean
  /** Rejects when it did not work. */
  attempt: () => Promise<void>
  /** The attempt has not worked for `hopelessMs` without a break; called again after each further failure. */
  onHopeless: (error: unknown) => void
  hopelessMs: number
}

const BACKOFF_MS = { first: 100, most: 2_000 }
/** A connection that lasted this long is opened again at once when it is needed. */
const CALM_MS = 5_000

export const createReconnection = ({ clock, isNeeded, attempt, onHopeless, hopelessMs }: ReconnectionOptions) => {
  let resting: AbortController | undefined
  let running = false
  let tries = 0
  let triedAt = Number.NEGATIVE_INFINITY

  const rest = async () => {
    if (clock.elapsed() - triedAt >= CALM_MS) tries = 0
    if (tries > 0) {
      resting = new AbortController()
      await pause(clock, Math.min(BACKOFF_MS.first * 2 ** (tries - 1), BACKOFF_MS.most), resting.signal)
      resting = undefined
    }
    tries += 1
    triedAt = clock.elapsed()
  }

  const run = async () => {
    let failingSince: number | undefined
    while (isNeeded()) {
      await rest()
      if (!isNeeded()) break
      try {
        await attempt()
        failingSince = undefined
      } catch (error) {
        failingSince ??= clock.elapsed()
        if (clock.elapsed() - failingSince >= hopelessMs) onHopeless(error)
      }
    }
    running = false
  }

  return {
    /** Starts trying unless it is being tried. */
    start() {
      if (running) return
      running = true
      void run()
    },
    /** Something that made it needed is over: the pause between two tries ends now. */
    wake: () => resting?.abort(),
  }
}
