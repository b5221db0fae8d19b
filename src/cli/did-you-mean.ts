/** "Did you mean ...?" for commands, flags and the values of flags. */
import { nearest } from '../executions/validation/nearest.ts'

/** Begins with a space, to stand behind a sentence; empty when no known word is close. */
export const didYouMean = (word: string, known: readonly string[]): string => {
  const found = nearest(word, known)
  return found === undefined ? '' : ` Did you mean ${found}?`
}
