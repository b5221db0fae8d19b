/**
 * A fault of a file, at the place where it stands; and the error of flows that cannot run, for every surface: the
 * first problem in its message and hint, all in its details.
 */

import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import { placePrefix } from '../../../contracts/flows/problem-place.ts'
import { mistyped } from '../../../runtime/text/nearest-word.ts'
import { shortenedText } from '../../../runtime/text/shortened-text.ts'

const PROBLEMS_SHOWN = 1_000

/** The hint of the first problem; several have a list. */
export const problemsHint = (problems: readonly Pick<Problem, 'hint'>[]): string | undefined =>
  problems[0]?.hint ??
  (problems.length > 1
    ? 'Correct the files at the places that the details list: they are all that is wrong.'
    : undefined)

export const invalidFlows = (problems: readonly Problem[]): ErrorObject => {
  const [first = { file: '', message: 'No flow is to be run.' }, ...others] = problems
  const count = others.length === 1 ? 'is 1 more problem' : `are ${others.length} more problems`
  const more = others.length === 0 ? '' : ` There ${count}.`
  return failure('FLOW_INVALID', `${placePrefix(first)}${first.message}${more}`, {
    hint: problemsHint(problems),
    details: { problems: problems.slice(0, PROBLEMS_SHOWN) },
  })
}

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
