/** The problems of a policy file as its writer can mend them: the place, the value, and what is expected there. */
import type * as v from 'valibot'
import { nearest } from '../contracts/nearest-word.ts'
import { KNOWN_ACTIONS, Policy, PolicyRule } from '../contracts/policy.ts'

const PROBLEMS_SHOWN = 10
const VALUE_CHARS = 60

type Issue = v.BaseIssue<unknown>
type Path = readonly PropertyKey[]

const placeOf = (path: Path): string =>
  path.map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index > 0 ? '.' : ''}${String(key)}`)).join('') ||
  'the file'

const WORDS: Readonly<Record<string, string>> = { string: 'text', Array: 'a list', Object: 'an object' }

const shown = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(value) ?? 'missing'
  return text.length > VALUE_CHARS ? `${text.slice(0, VALUE_CHARS).replace(/\p{Cs}$/u, '')}...` : text
}

const valueAt = (json: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    json,
  )

const guess = (word: unknown, known: readonly string[]): string => {
  const meant = typeof word === 'string' ? nearest(word, known) : undefined
  return meant === undefined ? '' : ` (did you mean ${meant}?)`
}

const either = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

const optionsOf = ({ expected }: Issue): string[] =>
  [...(expected ?? '').matchAll(/"([^"]*)"/g)].map(([, word = '']) => word)

const repeated = (rules: unknown): string => {
  const ids = Array.isArray(rules) ? rules.map(rule => (rule as { id?: unknown } | null)?.id) : []
  const again = new Set(ids.filter((id, index) => ids.indexOf(id) < index))
  return [...again].map(shown).join(', ')
}

/** The messages that the schema does not say itself are those of the validator. */
const isOwn = ({ message }: Issue) => !message.startsWith('Invalid ')

const explain = (issue: Issue, path: Path, json: unknown): string => {
  const place = placeOf(path)
  const value = valueAt(json, path)
  const key = String(path.at(-1))
  if (issue.type === 'strict_object' && issue.expected === 'never') {
    const known = Object.keys(path.length === 1 ? Policy.entries : PolicyRule.entries)
    const meant = guess(key, known) || ` (it may have ${either(known)})`
    return `${placeOf(path.slice(0, -1))} has the unknown key ${shown(key)}${meant}`
  }
  if (value === undefined) return `${place} is missing${key === 'effect' ? ': it must be deny, confirm or allow' : ''}`
  if (issue.type === 'picklist') {
    const options = optionsOf(issue)
    return `${place} is ${shown(value)}: it must be ${either(options)}${guess(value, options)}`
  }
  if (issue.kind === 'schema') {
    const expected = issue.expected ?? ''
    return `${place} is ${shown(value)}: it must be ${WORDS[expected] ?? expected}`
  }
  if (path.at(-2) === 'actions' && issue.type === 'check') {
    const meant = guess(value, KNOWN_ACTIONS) || ', and no pattern that fits one'
    return `${place} is ${shown(value)}, which is no type of action${meant}`
  }
  if (place === 'rules' && issue.type === 'check') return `rules has several rules with the same id: ${repeated(value)}`
  if (isOwn(issue)) return `${place} is ${shown(value)}: it ${issue.message}`
  if (issue.type === 'max_length') return `${place} is too long: ${String(issue.requirement)} is the most`
  if (issue.type === 'min_length') return `${place} is ${shown(value)}: it must not be empty`
  return `${place} is ${shown(value)}, which is not valid there`
}

/** One clause for each problem, without a full stop at the end. */
export const problemsIn = (issues: readonly Issue[], json: unknown): string => {
  const clauses = issues.map(issue => explain(issue, issue.path?.map(item => item.key as PropertyKey) ?? [], json))
  const all = [...new Set(clauses)]
  const rest = all.length - PROBLEMS_SHOWN
  return [...all.slice(0, PROBLEMS_SHOWN), ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ')
}
