/** The known name that a client has probably meant, as a question for the message that refuses what it sent. */
import { mistyped, nearest } from './nearest-word.ts'

/** Begins with a blank; empty where no name is like the word. */
export const didYouMean = (word: string, known: readonly string[]): string => {
  const suggestion = nearest(word, known)
  return suggestion === undefined ? '' : ` Did you mean ${suggestion}?`
}

/** More differences make another name, which a server may have that is not svc. */
const MISTAKES_MAX = 2

/** The known name of which this one is a typing mistake; undefined for a known name, and for one that is like none. */
export const typingMistakeOf = (word: string, known: readonly string[]): string | undefined =>
  known.includes(word) ? undefined : mistyped(word, known, MISTAKES_MAX)
