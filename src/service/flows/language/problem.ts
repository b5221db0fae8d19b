/** A fault of a file, at the place where it stands. */
import { mistyped } from '../../../runtime/text/nearest-word.ts'
import { shortenedText } from '../../../runtime/text/shortened-text.ts'

export interface Problem {
  readonly file: string
  /** Line and column count from 1; a file that cannot be read has none. */
  readonly line?: number | undefined
  readonly column?: number | undefined
  readonly message: string
  readonly hint?: string | undefined
}

/** A value in a message. */
const SHOWN_CHARS_MAX = 200
export const shownText = (text: string): string => shortenedText(text, SHOWN_CHARS_MAX)

/** More problems of one file are counted and not listed. */
const PROBLEMS_MAX = 100

/** The first so many, and how many more there are. */
export const boundedProblems = (problems: readonly Problem[]): readonly Problem[] => {
  const [first] = problems
  if (first === undefined || problems.length <= PROBLEMS_MAX) return problems
  const more = problems.length - PROBLEMS_MAX
  return [...problems.slice(0, PROBLEMS_MAX), { file: first.file, message: `The file has ${more} more problems.` }]
}

export const didYouMean = (word: string, known: readonly string[]): string | undefined => {
  const suggestion = mistyped(word, known)
  return suggestion === undefined ? undefined : `Did you mean ${suggestion}?`
}
