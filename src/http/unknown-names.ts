/** Fields and query parameters that a request does not have: what they would change is not guessed, but refused. */
import type * as v from 'valibot'
import type { ErrorObject } from '../contracts/error.ts'
import { failure } from '../contracts/failures.ts'
import { nearest } from '../contracts/nearest-word.ts'
import { quoted } from '../executions/validation/show.ts'

const KINDS = {
  field: { code: 'INVALID_BODY', of: 'body', noun: 'field', key: 'field' },
  parameter: { code: 'INVALID_QUERY', of: 'query', noun: 'parameter', key: 'parameter' },
} as const

const NAME_CHARS_MAX = 60

export const namesOf = (schema: v.GenericSchema): readonly string[] =>
  Object.keys((schema as { entries?: Readonly<Record<string, unknown>> }).entries ?? {})

/** Undefined where all are known. */
export const unknownNameProblem = (
  kind: keyof typeof KINDS,
  given: readonly string[],
  known: readonly string[],
): ErrorObject | undefined => {
  const unknown = given.filter(name => !known.includes(name)).map(name => name.slice(0, NAME_CHARS_MAX))
  const [name] = unknown
  if (name === undefined) return undefined
  const { code, of, noun, key } = KINDS[kind]
  const meant = nearest(name, known)
  const guess = meant === undefined ? '' : `; did you mean ${quoted(meant)}?`
  return failure(code, `The ${of} of this request has no ${noun} ${quoted(name)}${guess === '' ? '.' : guess}`, {
    details: { [key]: name, path: '', invalidKeys: unknown, allowed: [...known] },
    hint: known.length === 0 ? `Leave it out: this request takes no ${noun}.` : `It takes: ${known.join(', ')}.`,
  })
}
