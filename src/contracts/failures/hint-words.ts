/** A failure as it leaves through a door: each has a hint, in the words of that door. */
import { type Door, hintAt } from '../door-words.ts'
import { failureHint } from './failure-hints.ts'

interface Hinted {
  code: string
  hint?: string | undefined
}

/** Hints of operators, and those that end with a command, may lack it. */
const ended = (hint: string): string => (/[\p{L}\p{N}>]$/u.test(hint) ? `${hint}.` : hint)

/** The failure as it leaves through the door: each has a hint. */
export const withHint = <E extends Hinted>(door: Door, error: E): E & { hint: string } => ({
  ...error,
  hint: ended(hintAt(door, error.hint ?? failureHint(error.code))),
})
