/** A pattern that comes from a caller, matched with a bound on time; pure, so that a thread can do it. */
import { runInNewContext } from 'node:vm'

/** For one pattern over all texts of a step; a pattern may need exponential time, and the engine cannot be asked first. */
export const PATTERN_MS_MAX = 500

export interface PatternTask {
  pattern: string
  texts: readonly string[]
}

/** Index of the first text that the pattern is not found in, -1 when there is none; in words, why it cannot be said. */
export type PatternResult = number | string

/** Rejects when the signal is aborted. */
export type MatchPattern = (task: PatternTask, until: { signal: AbortSignal; leftMs: number }) => Promise<PatternResult>

/** The error may come from the script's own realm, so its class says nothing. */
const isTimeout = (error: unknown) =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'

/** Holds the thread up that it is called in. */
export const matchPattern = ({ pattern, texts }: PatternTask): PatternResult => {
  // Only a script with a timeout can be ended by the engine while a pattern backtracks.
  const script = 'const wanted = new RegExp(pattern); JSON.parse(texts).findIndex(text => !wanted.test(text))'
  try {
    return Number(runInNewContext(script, { pattern, texts: JSON.stringify(texts) }, { timeout: PATTERN_MS_MAX }))
  } catch (error) {
    return isTimeout(error)
      ? `matching ${pattern} took longer than ${PATTERN_MS_MAX} ms`
      : `${pattern} is not a valid regular expression`
  }
}

/** Characters, dots, anchors, classes and their escapes: nothing that repeats, chooses, groups or looks around. */
const PLAIN = /^(?:[^\\^$.*+?()[\]{}|]|\\[dDwWsSbB.^$*+?()[\]{}|\\/]|[.^$]|\[\^?[^\\[\]]*\])*$/
const PLAIN_WORK_MAX = 1_000_000

/** True for patterns of a form that compares each place of a text once. */
export const isPlainMatch = ({ pattern, texts }: PatternTask): boolean => {
  const chars = texts.reduce((sum, { length }) => sum + length, 0)
  return chars * pattern.length <= PLAIN_WORK_MAX && PLAIN.test(pattern)
}

/** Where there is no thread. */
export const matchHere: MatchPattern = async task => matchPattern(task)
