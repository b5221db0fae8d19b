/** Failures beside the work of a process, which no caller would hear of: each is noted once and kept for GET /health. */
import type { Clock } from './clock.ts'
import { messageOf } from './message-of.ts'

interface Trouble {
  /** The failing operation, in the words of the log. */
  what: string
  /** The newest failure of it. */
  message: string
  times: number
  firstAt: number
  lastAt: number
}

export interface Troubles {
  /** Never throws. */
  tell(what: string, error: unknown): void
  /** The work succeeds again: whoever asks now is told nothing of the failure. */
  over(what: string): void
  /** The newest last. */
  list(): Trouble[]
}

/** Nobody reads more; the one that is longest ago makes room. */
const KEPT_MAX = 50

export const createTroubles = ({
  clock,
  note,
}: {
  clock: Pick<Clock, 'now'>
  note: (text: string) => void
}): Troubles => {
  const kept = new Map<string, Trouble>()
  return {
    tell(what, error) {
      const message = messageOf(error)
      const known = kept.get(what)
      const lastAt = clock.now()
      kept.delete(what)
      kept.set(what, { what, message, times: (known?.times ?? 0) + 1, firstAt: known?.firstAt ?? lastAt, lastAt })
      const [oldest] = kept.keys()
      if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest)
      // A failure that comes again with every record would fill the log.
      if (known?.message === message) return
      try {
        note(`${what}: ${message}`)
      } catch {
        // The log is gone; GET /health has it.
      }
    },
    over: what => void kept.delete(what),
    list: () => structuredClone([...kept.values()]),
  }
}

/** For a process that has no log and no server. */
export const NO_TROUBLES: Troubles = { tell: () => {}, over: () => {}, list: () => [] }
