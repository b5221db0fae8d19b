/** The known name that a client has probably mistyped. */
import { mistyped } from '../../../runtime/text/nearest-word.ts'

/** More differences make another name, which a server may have that is not svc. */
const MISTAKES_MAX = 2

/** The known name of which this one is a typing mistake; undefined for a known name, and for one that is like none. */
export const typingMistakeOf = (word: string, known: readonly string[]): string | undefined =>
  known.includes(word) ? undefined : mistyped(word, known, MISTAKES_MAX)
