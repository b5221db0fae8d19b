/** Refuses names that a request does not have, with the nearest name it has and all of them. */
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { type FailureCode, failure } from '../../../contracts/failures/failures.ts'
import { nearest } from '../../../runtime/text/nearest-word.ts'
import { quoted } from './show.ts'

export interface NamedParts {
  code: FailureCode
  /** The subject of the message, with its verb: `The body of this request has`. */
  subject: string
  noun: 'field' | 'parameter' | 'argument'
}

const NAME_CHARS_MAX = 60

/** Undefined where all are known. */
export const unknownNameProblem = (
  { code, subject, noun }: NamedParts,
  names: readonly string[],
  known: readonly string[],
): ErrorObject | undefined => {
  const unknown = names.filter(name => !known.includes(name)).map(name => name.slice(0, NAME_CHARS_MAX))
  const [name] = unknown
  if (name === undefined) return undefined
  const suggestion = nearest(name, known)
  const guess = suggestion === undefined ? '.' : `; did you mean ${quoted(suggestion)}?`
  return failure(code, `${subject} no ${noun} ${quoted(name)}${guess}`, {
    details: { [noun]: name, path: '', invalidKeys: unknown, allowed: [...known] },
    hint: known.length === 0 ? `Leave it out: this request takes no ${noun}.` : `It takes: ${known.join(', ')}.`,
  })
}
