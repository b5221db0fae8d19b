/** Matches patterns of callers: plain ones here, all others in a thread, so that no other caller waits for them. */
import { messageOf } from '../runtime/message-of.ts'
import { createPool, type Pool } from '../runtime/threads/pool.ts'
import {
  isPlainMatch,
  type MatchPattern,
  matchHere,
  PATTERN_MS_MAX,
  type PatternResult,
  type PatternTask,
} from './screen/patterns/pattern.ts'

export interface Patterns {
  match: MatchPattern
  close(): Promise<void>
}

const THREADS = 2
/** A step that is tried again matches again. */
const THREAD_REST_MS = 30_000
/** For the start of a thread, and for those who are before in line. */
const WAIT_MS_MAX = 10_000

/** `file` is the bundle of the thread; without one, everything is matched here. */
export const createPatterns = (file: string | undefined): Patterns => {
  let pool: Pool<PatternTask, PatternResult> | undefined
  return {
    async match(task, { signal, leftMs }) {
      if (file === undefined || isPlainMatch(task)) return matchHere(task, { signal, leftMs })
      pool ??= createPool({ file, name: 'matchPattern', threads: THREADS, restMs: THREAD_REST_MS })
      const late = AbortSignal.timeout(Math.max(0, Math.min(leftMs, WAIT_MS_MAX + PATTERN_MS_MAX)))
      try {
        return await pool.run(task, AbortSignal.any([signal, late]))
      } catch (error) {
        signal.throwIfAborted()
        return `${task.pattern} was not matched${late.aborted ? ' in time' : `: ${messageOf(error)}`}`
      }
    },
    close: async () => pool?.close(),
  }
}
