/** The error of flows that cannot run, for every surface: the first problem in its message and hint, all in its details. */
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { failure } from '../../contracts/failures/failures.ts'
import { placePrefix } from '../../contracts/flows/problem-place.ts'
import type { Problem } from './language/problem.ts'

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
