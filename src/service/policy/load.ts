/** Reads the policy file each time it is asked, unless it is unchanged. A file that cannot be used is told apart from none. */
import { lstatSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { type Issue, issueOptions, issuePath, isUnknownKey } from '../../contracts/json/issue.ts'
import { POLICY_BYTES_MAX } from '../../contracts/limits/limits.ts'
import { KNOWN_ACTIONS, Policy, PolicyRule } from '../../contracts/policy.ts'
import { nearest } from '../../runtime/text/nearest-word.ts'

const PROBLEMS_SHOWN = 10
const VALUE_CHARS = 60

type Path = readonly PropertyKey[]

const placeOf = (path: Path): string =>
  path.map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index > 0 ? '.' : ''}${String(key)}`)).join('') ||
  'the file'

const WORDS: Readonly<Record<string, string>> = { string: 'text', Array: 'a list', Object: 'an object' }

const shownValue = (value: unknown): string => {
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
  const suggestion = typeof word === 'string' ? nearest(word, known) : undefined
  return suggestion === undefined ? '' : ` (did you mean ${suggestion}?)`
}

const either = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

const repeated = (rules: unknown): string => {
  const ids = Array.isArray(rules) ? rules.map(rule => (rule as { id?: unknown } | null)?.id) : []
  const again = new Set(ids.filter((id, index) => ids.indexOf(id) < index))
  return [...again].map(shownValue).join(', ')
}

/** The messages that the schema does not say itself are those of the validator. */
const isOwn = ({ message }: Issue) => !message.startsWith('Invalid ')

const explain = (issue: Issue, path: Path, json: unknown): string => {
  const place = placeOf(path)
  const value = valueAt(json, path)
  const key = String(path.at(-1))
  if (isUnknownKey(issue)) {
    const known = Object.keys(path.length === 1 ? Policy.entries : PolicyRule.entries)
    const suggestion = guess(key, known) || ` (it may have ${either(known)})`
    return `${placeOf(path.slice(0, -1))} has the unknown key ${shownValue(key)}${suggestion}`
  }
  if (value === undefined) return `${place} is missing${key === 'effect' ? ': it must be deny, confirm or allow' : ''}`
  if (issue.type === 'picklist') {
    const options = issueOptions(issue)
    return `${place} is ${shownValue(value)}: it must be ${either(options)}${guess(value, options)}`
  }
  if (issue.kind === 'schema') {
    const expected = issue.expected ?? ''
    return `${place} is ${shownValue(value)}: it must be ${WORDS[expected] ?? expected}`
  }
  if (path.at(-2) === 'actions' && issue.type === 'check') {
    const suggestion = guess(value, KNOWN_ACTIONS) || ', and no pattern that fits one'
    return `${place} is ${shownValue(value)}, which is no type of action${suggestion}`
  }
  if (place === 'rules' && issue.type === 'check') return `rules has several rules with the same id: ${repeated(value)}`
  if (isOwn(issue)) return `${place} is ${shownValue(value)}: it ${issue.message}`
  if (issue.type === 'max_length') return `${place} is too long: ${String(issue.requirement)} is the most`
  if (issue.type === 'min_length') return `${place} is ${shownValue(value)}: it must not be empty`
  return `${place} is ${shownValue(value)}, which is not valid there`
}

/** One clause for each problem, without a full stop at the end. */
const problemsIn = (issues: readonly Issue[], json: unknown): string => {
  const clauses = issues.map(issue => explain(issue, issuePath(issue), json))
  const all = [...new Set(clauses)]
  const rest = all.length - PROBLEMS_SHOWN
  return [...all.slice(0, PROBLEMS_SHOWN), ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ')
}

export type LoadedPolicy =
  /** Nobody wrote one: everything is allowed. */
  | { kind: 'none' }
  | { kind: 'policy'; path: string; policy: Policy }
  /** Denies everything. */
  | { kind: 'broken'; path: string; problem: string }

interface PolicyFile {
  path: string
  /** By --policy or SVC_POLICY: then it must be there. */
  isNamed: boolean
}

/** SVC_POLICY, else the one of the home. */
export const policyFile = ({
  env,
  home,
}: {
  env: Readonly<Record<string, string | undefined>>
  home: string
}): PolicyFile => {
  const named = env.SVC_POLICY
  return named === undefined || named.trim() === ''
    ? { path: join(home, 'policy.json'), isNamed: false }
    : { path: named, isNamed: true }
}

export type LoadPolicy = () => LoadedPolicy

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code
const READ_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
}

const problemOf = (error: unknown): string =>
  READ_PROBLEMS[codeOf(error) ?? ''] ?? (error instanceof Error ? error.message : String(error))

const parse = (text: string): { policy: Policy } | { problem: string } => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    return { problem: `it is not JSON: ${problemOf(error)}` }
  }
  const result = v.safeParse(Policy, json)
  if (result.success) return { policy: result.output }
  return { problem: problemsIn(result.issues, json) }
}

const read = (path: string): LoadedPolicy => {
  const parsed = parse(readFileSync(path, 'utf8'))
  return 'policy' in parsed ? { kind: 'policy', path, ...parsed } : { kind: 'broken', path, ...parsed }
}

export const createPolicy = ({ path, isNamed }: PolicyFile): LoadPolicy => {
  let known: { mark: string; loaded: LoadedPolicy } | undefined
  return () => {
    try {
      // Asked for every execution: most homes have none. A link that leads nowhere is somebody's policy.
      const link = lstatSync(path, { throwIfNoEntry: false })
      if (!link && !isNamed) {
        known = undefined
        return { kind: 'none' }
      }
      const stat = link?.isFile() ? link : statSync(path)
      const { ino, size, mtimeMs, ctimeMs } = stat
      if (!stat.isFile()) return { kind: 'broken', path, problem: 'it is not a file' }
      const mark = [ino, size, mtimeMs, ctimeMs].join()
      if (known?.mark === mark) return known.loaded
      const loaded: LoadedPolicy =
        size > POLICY_BYTES_MAX
          ? { kind: 'broken', path, problem: `it is longer than ${POLICY_BYTES_MAX} bytes` }
          : read(path)
      known = { mark, loaded }
      return loaded
    } catch (error) {
      known = undefined
      return { kind: 'broken', path, problem: problemOf(error) }
    }
  }
}
