/** Words problems: one row for each kind of issue that the schema of an execution can raise. */
import { controlIn, unprintableIn } from './characters.ts'
import { expectation } from './expectation.ts'
import type { Problem } from './problem.ts'
import { clipped, listed, quoted, shownValue } from './show.ts'

const NAMED_KEYS_MAX = 5

type Sentence = (problem: Problem) => string

/** Never String(): a caller's object may have a `toString` that is none. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const must =
  (be: string): Sentence =>
  problem =>
    `must be ${be}, but is ${shownValue(problem.value)}`

const mustBeExpected: Sentence = problem =>
  must(problem.schema ? expectation(problem.schema) : 'something else')(problem)

const length =
  (bound: 'at least' | 'at most'): Sentence =>
  ({ value, issue }) => {
    const [has, unit] = Array.isArray(value) ? [value.length, 'items'] : [textOf(value).length, 'characters']
    return has === 0 ? 'must not be empty' : `must have ${bound} ${issue.requirement} ${unit}, but has ${has}`
  }

/** Messages of the contract's own rules are predicates (`must be a valid regular expression`) or clauses of their own. */
const ownWords: Sentence = ({ issue }) =>
  /^(?:must|is|needs)\b/.test(issue.message) ? clipped(issue.message) : `: ${clipped(issue.message)}`

const characters: Sentence = problem => {
  const text = textOf(problem.value)
  if (unprintableIn(text) === undefined && text.trim() === '') return 'must not be blank'
  const found = problem.issue.message.includes('control character') ? controlIn(text) : unprintableIn(text)
  return found === undefined ? ownWords(problem) : `must not contain ${found}`
}

const actionType: Sentence = problem => {
  const { path, value, schema } = problem
  if (schema?.type === 'picklist') return mustBeExpected(problem)
  if (path.at(-1) !== 'type') return must('an object')(problem)
  return typeof value === 'string'
    ? `${quoted(value)} is not a known action type`
    : must('the name of an action type')(problem)
}

const SENTENCES: Record<string, Sentence> = {
  strict_object: must('an object'),
  record: must('an object'),
  variant: actionType,
  array: must('a list'),
  string: must('text'),
  number: must('a number'),
  boolean: must('true or false'),
  literal: mustBeExpected,
  picklist: mustBeExpected,
  integer: must('an integer'),
  safe_integer: problem =>
    must(Number.isInteger(problem.value) ? `at most ${Number.MAX_SAFE_INTEGER}` : 'an integer')(problem),
  min_value: problem => must(`at least ${problem.issue.requirement}`)(problem),
  max_value: problem => must(`at most ${problem.issue.requirement}`)(problem),
  min_length: length('at least'),
  max_length: length('at most'),
  min_entries: ownWords,
  regex: characters,
  check: ownWords,
  raw_check: ownWords,
}

const unknownKeys = (names: readonly string[]): string =>
  `has ${names.length === 1 ? 'an unknown key' : 'unknown keys'}: ${listed(names, NAMED_KEYS_MAX)}`

/** To be read after the name of the field: `must be at least 1000, but is 5`. */
export const sentence = (problem: Problem): string => {
  if (problem.unknownKeys.length > 0) return unknownKeys(problem.unknownKeys)
  if (problem.missing) return 'is missing'
  return (SENTENCES[problem.issue.type] ?? ownWords)(problem)
}
