/** Describes the problems of a scenario or a faults file: where, as a JSON pointer, and what to do about them. */
import * as v from 'valibot'
import { type Issue, issueOptions, issuePath, isUnknownKey } from '../../contracts/json/issue.ts'
import { nearest } from '../../runtime/text/nearest-word.ts'

export interface Problem {
  /** Keys from the top of the parsed value. */
  path: readonly PropertyKey[]
  message: string
}

interface Refused {
  ok: false
  /** One line for each problem: `<JSON pointer>: <message>`. */
  error: string
}

export type Parsed<K extends string, T> = ({ ok: true } & { [key in K]: T }) | Refused

const PROBLEMS_SHOWN = 10
/** Nodes of a deep screen, each an object in a list, with reactions in the innermost. */
const NESTING_MAX = 300

/** A reaction may be written without the list around it, so an index into what is not a list is left out. */
const pointer = (path: readonly PropertyKey[], json: unknown): string => {
  let value = json
  let out = ''
  for (const key of path) {
    if (typeof key === 'number' && !Array.isArray(value)) continue
    out += `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
    value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
  }
  return out || '(top)'
}

export const refuse = (problems: readonly Problem[], json: unknown): Refused => {
  const lines = problems.slice(0, PROBLEMS_SHOWN).map(({ path, message }) => `${pointer(path, json)}: ${message}`)
  const more = problems.length - lines.length
  return { ok: false, error: [...lines, ...(more > 0 ? [`(and ${more} more)`] : [])].join('\n') }
}

export const didYouMean = (name: string, known: readonly string[]): string => {
  const word = nearest(name, known)
  return word === undefined ? '' : `; did you mean \`${word}\`?`
}

type Path = readonly PropertyKey[]

/** Replaces a problem with a union by those of the variant that was meant: the one whose members were entered. */
const flat = (issue: Issue, before: Path = []): { issue: Issue; path: Path }[] => {
  const path = [...before, ...issuePath(issue)]
  if (issue.type !== 'union') return [{ issue, path }]
  const entered = issue.issues?.filter(inner => issuePath(inner).length > 0) ?? []
  return entered.length > 0 ? entered.flatMap(inner => flat(inner, path)) : [{ issue, path }]
}

const keyOf = (issue: Issue): string => String(issuePath(issue).at(-1) ?? '')

const explain = (issue: Issue, listsKeys: boolean): string => {
  if (isUnknownKey(issue)) {
    const known = listsKeys ? (issue.requirement as readonly string[]) : []
    const list = known.length > 0 && didYouMean(keyOf(issue), known)
    return `\`${keyOf(issue)}\` is not known here${list || (known.length > 0 ? `; known are ${known.join(', ')}` : '')}`
  }
  if (issue.type === 'strict_object' && issue.received === 'undefined') return 'is missing'
  if (issue.type === 'picklist') {
    const options = issueOptions(issue)
    const suggestion = typeof issue.input === 'string' ? didYouMean(issue.input, options) : ''
    return `must be one of ${options.join(', ')}, found ${issue.received}${suggestion}`
  }
  if (issue.type === 'union') {
    const wanted = new Set(issue.issues?.map(inner => wordFor(inner.expected)))
    return `must be ${[...wanted].join(' or ')}, found ${wordFor(issue.received)}`
  }
  if (issue.kind === 'schema') return `must be ${wordFor(issue.expected)}, found ${wordFor(issue.received)}`
  if (issue.type === 'min_value') return `must be at least ${String(issue.requirement)}, found ${issue.received}`
  if (issue.type === 'max_value') return `must be at most ${String(issue.requirement)}, found ${issue.received}`
  if (issue.type === 'integer' || issue.type === 'safe_integer') return `must be an integer, found ${issue.received}`
  if (issue.type === 'min_length') return `must not be shorter than ${String(issue.requirement)}`
  if (issue.type === 'max_length') return `must not be longer than ${String(issue.requirement)}`
  return issue.message
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  Array: 'a list',
  Object: 'an object',
}
const wordFor = (expected: string | null): string => WORDS[expected ?? ''] ?? expected ?? 'something else'

/** Recursive checks have the stack as their limit, so depth is judged first and without recursion. */
const tooDeep = (json: unknown): boolean => {
  let level: unknown[] = [json]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > NESTING_MAX) return true
    level = level.flatMap(value => (typeof value === 'object' && value !== null ? Object.values(value) : []))
  }
  return false
}

/** `listsKeys` has a message about an unknown key say which are known. */
export const checked = <const S extends v.GenericSchema<unknown, unknown>>(
  schema: v.GenericSchema<unknown, v.InferOutput<S>> | S,
  json: unknown,
  listsKeys = false,
): { ok: true; value: v.InferOutput<S> } | Refused => {
  if (tooDeep(json)) return refuse([{ path: [], message: `is nested deeper than ${NESTING_MAX} levels` }], json)
  const result = v.safeParse(schema, json)
  if (result.success) return { ok: true, value: result.output as v.InferOutput<S> }
  const problems = result.issues
    .flatMap(issue => flat(issue))
    .map(({ issue, path }) => ({ path, message: explain(issue, listsKeys) }))
  return refuse(problems, json)
}
