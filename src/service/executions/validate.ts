/**
 * Section POST /execute rules, rule 3: full execution validation, from whatever a caller sent to what a device gets:
 * its size, the other spellings of types and keys, then the schema.
 */
import * as v from 'valibot'
import { ACTION_TYPES, type ActionType } from '../../contracts/executions/action.ts'
import {
  CLICK_TYPE_ALIASES,
  EXACT_TYPE_ALIASES,
  MATCHER_KEY_ALIASES,
  PARAM_KEY_ALIASES,
  TYPE_ALIASES,
  TYPES_WITHOUT_KEY_ALIASES,
} from '../../contracts/executions/aliases.ts'
import { Execution } from '../../contracts/executions/execution.ts'
import { Matcher, RelatedMatcher } from '../../contracts/executions/matcher.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { failure } from '../../contracts/failures/failures.ts'
import { isObject, type JsonObject } from '../../contracts/json/json.ts'
import { EXECUTION_BYTES, ID_CHARS_MAX, PAYLOAD_DEPTH_MAX } from '../../contracts/limits/limits.ts'
import { schemaFor } from './validation/checked-execution.ts'
import { hintFor } from './validation/hints.ts'
import { type Problem, problemsIn } from './validation/problem.ts'
import { located, ROOT_PATH, whereabouts } from './validation/request-problems.ts'
import { childOf, type Entries, entriesOf, type Schema } from './validation/schema-tree.ts'
import { sentence } from './validation/sentences.ts'

/** A legal execution nests no deeper; the path of a deeper value is cut here. */
const NAMED_LEVELS = 5

type Finding =
  | { kind: 'deep'; path: string[] }
  | { kind: 'large' }
  | { kind: 'foreign'; path: string[]; what: string }
  /** The input is JSON of at most so many bytes. */
  | { kind: 'fit'; bytesMax: number }

interface Spot {
  value: unknown
  key: string
  depth: number
  parent: Spot | undefined
}

const FOREIGN = ['bigint', 'function', 'symbol']

const pathOf = (spot: Spot): string[] => {
  const path: string[] = []
  for (let at = spot; at.parent !== undefined; at = at.parent) path.push(at.key)
  return path.reverse().slice(0, NAMED_LEVELS)
}

/** A UTF-16 unit is at most an escape such as \u2028, and a number at most 24 characters; both have marks around them. */
const UNIT_BYTES_MAX = 6
const VALUE_BYTES_MAX = 32

/** Every value and every UTF-16 unit is at least one byte of JSON, so counting them bounds the work before any is measured. */
const scan = (root: unknown): Finding => {
  const open: Spot[] = [{ value: root, key: '', depth: 0, parent: undefined }]
  let least = 0
  let values = 0
  for (let spot = open.pop(); spot !== undefined; spot = open.pop()) {
    const { value } = spot
    values += 1
    least += typeof value === 'string' ? value.length : 1
    if (least > EXECUTION_BYTES) return { kind: 'large' }
    if (FOREIGN.includes(typeof value)) return { kind: 'foreign', path: pathOf(spot), what: typeof value }
    if (typeof value !== 'object' || value === null) continue
    if (spot.depth >= PAYLOAD_DEPTH_MAX) return { kind: 'deep', path: pathOf(spot) }
    const size = Array.isArray(value) ? value.length : Object.keys(value).length
    if (least + size > EXECUTION_BYTES) return { kind: 'large' }
    for (const [key, child] of Object.entries(value)) {
      least += Array.isArray(value) ? 0 : key.length
      open.push({ value: child, key, depth: spot.depth + 1, parent: spot })
    }
  }
  return { kind: 'fit', bytesMax: least * UNIT_BYTES_MAX + values * VALUE_BYTES_MAX }
}

const SNAKE_CASE = /^[a-z][a-z0-9]*(?:_[a-z][a-z0-9]*)+$/

/** Undefined for a key that is not written in snake_case. */
const fromSnakeCase = (key: string): string | undefined =>
  SNAKE_CASE.test(key) ? key.replace(/_[a-z]/g, ([, letter = '']) => letter.toUpperCase()) : undefined

// Maps, for their keys come from callers: an object would answer to `constructor`.
const NO_NAMES: ReadonlyMap<string, string> = new Map()
const PARAM_NAMES: ReadonlyMap<string, string> = new Map(Object.entries(PARAM_KEY_ALIASES))
const MATCHER_NAMES: ReadonlyMap<string, string> = new Map(Object.entries(MATCHER_KEY_ALIASES))
const CLICK_TYPES: ReadonlyMap<string, string> = new Map(Object.entries(CLICK_TYPE_ALIASES))

const exactTypes: ReadonlyMap<string, ActionType> = new Map(Object.entries(EXACT_TYPE_ALIASES))
const exactTargets = new Set(exactTypes.values())
const foldedTypes: ReadonlyMap<string, ActionType> = new Map([
  ...ACTION_TYPES.filter(type => !exactTargets.has(type)).map(type => [type, type] as const),
  ...Object.entries(TYPE_ALIASES),
])
const typesWithoutAliases: ReadonlySet<unknown> = new Set(TYPES_WITHOUT_KEY_ALIASES)

/** Unknown types, and whatever is not text, come back as they are. */
export const canonicalType = (type: unknown): unknown =>
  typeof type === 'string' ? (exactTypes.get(type) ?? foldedTypes.get(type.trim().toLowerCase()) ?? type) : type

/**
 * Only a key that is unknown here is renamed, and only to one that is known here: what stays unknown is refused under
 * the name the caller wrote. Of several spellings the canonical one wins, then the first.
 */
const renamed = (object: JsonObject, entries: Entries, names: ReadonlyMap<string, string>): JsonObject => {
  const known = Object.keys(object).filter(key => Object.hasOwn(entries, key))
  if (known.length === Object.keys(object).length) return object
  const taken = new Set(known)
  // fromEntries defines properties, so a key `__proto__` stays a key.
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, value]): [string, unknown][] => {
      const name = names.get(key) ?? fromSnakeCase(key)
      if (Object.hasOwn(entries, key) || name === undefined || !Object.hasOwn(entries, name)) return [[key, value]]
      if (taken.has(name)) return []
      taken.add(name)
      return [[name, value]]
    }),
  )
}

const canonicalValue = (key: string, value: unknown): unknown =>
  key === 'clickType' && typeof value === 'string' ? (CLICK_TYPES.get(value.trim().toLowerCase()) ?? value) : value

/** Goes as deep as the schema does, however deep the payload is. */
const canonicalParams = (value: unknown, schema: Schema): unknown => {
  const entries = entriesOf(schema, value)
  if (!isObject(value) || entries === undefined) return value
  const names = [Matcher.entries, RelatedMatcher.entries].some(known => known === entries) ? MATCHER_NAMES : PARAM_NAMES
  return Object.fromEntries(
    Object.entries(renamed(value, entries, names)).map(([key, child]) => {
      const inner = childOf(schema, value, key)
      return [key, inner === undefined ? child : canonicalParams(canonicalValue(key, child), inner)]
    }),
  )
}

const canonicalAction = (action: unknown): unknown => {
  if (!isObject(action) || !Object.hasOwn(action, 'type')) return action
  const type = canonicalType(action.type)
  const typed = { ...action, type }
  if (typesWithoutAliases.has(type) || !Object.hasOwn(action, 'params')) return typed
  const schema = childOf(Execution.entries.actions.item, typed, 'params')
  return schema === undefined ? typed : { ...typed, params: canonicalParams(action.params, schema) }
}

/** Changes spellings alone: whether the result is a valid execution is for the schema to say. */
export const normaliseExecution = (input: unknown): unknown => {
  if (!isObject(input)) return input
  const payload = renamed(input, Execution.entries, NO_NAMES)
  if (!Array.isArray(payload.actions)) return payload
  return { ...payload, actions: payload.actions.map(canonicalAction) }
}

/** More names than this help nobody. */
const INVALID_KEYS_MAX = 50
/** How many problems are named; how many more there are is said. */
const PROBLEMS_MAX = 50

type Validation = { ok: true; execution: Execution } | { ok: false; error: ErrorObject }

const refused = (payload: unknown, path: readonly string[], reason: string, hint?: string) =>
  failure('EXECUTION_VALIDATION_FAILED', located(payload, path, reason), {
    details: { ...whereabouts(payload, path) },
    hint,
  })

const tooLarge = (bytes?: number): ErrorObject => {
  const size = bytes === undefined ? '' : `${bytes} bytes of JSON, `
  return failure('PAYLOAD_TOO_LARGE', `the execution is ${size}over the limit of ${EXECUTION_BYTES} bytes`, {
    details: { path: ROOT_PATH, limit: EXECUTION_BYTES, ...(bytes === undefined ? {} : { bytes }) },
    hint: 'Send fewer actions at once, or shorter texts.',
  })
}

const unfit = (input: unknown, finding: Exclude<Finding, { kind: 'fit' }>): ErrorObject => {
  if (finding.kind === 'large') return tooLarge()
  if (finding.kind === 'foreign') return refused(input, finding.path, `is a ${finding.what}, which JSON does not have`)
  const hint = 'A valid execution nests 5 levels deep, down to the keys of a matcher.'
  return refused(input, finding.path, `is nested deeper than ${PAYLOAD_DEPTH_MAX} levels`, hint)
}

const invalidKeysOf = ({ unknownKeys }: Problem): { invalidKeys?: string[] } =>
  unknownKeys.length === 0
    ? {}
    : { invalidKeys: unknownKeys.slice(0, INVALID_KEYS_MAX).map(key => key.slice(0, ID_CHARS_MAX)) }

/** The first problem is the message; the details have all of them. */
const invalid = (payload: unknown, issues: readonly [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]]): ErrorObject => {
  const { first, others, omitted } = problemsIn(Execution, payload, issues, PROBLEMS_MAX)
  const problems = [first, ...others].map(problem => ({
    path: whereabouts(payload, problem.path).path,
    message: located(payload, problem.path, sentence(problem)),
  }))
  return failure('EXECUTION_VALIDATION_FAILED', problems[0]?.message ?? '', {
    details: {
      ...whereabouts(payload, first.path),
      ...invalidKeysOf(first),
      problems,
      ...(omitted === 0 ? {} : { problemsOmitted: omitted }),
    },
    hint: hintFor(first),
  })
}

const judge = (input: unknown) => {
  const finding = scan(input)
  if (finding.kind !== 'fit') return { error: unfit(input, finding) }
  // Only what may be too large is measured.
  const bytes = finding.bytesMax <= EXECUTION_BYTES ? 0 : Buffer.byteLength(JSON.stringify(input) ?? '')
  if (bytes > EXECUTION_BYTES) return { error: tooLarge(bytes) }
  const payload = normaliseExecution(input)
  return { payload, result: v.safeParse(schemaFor(payload), payload) }
}

type Issue = v.BaseIssue<unknown>
type Issues = [Issue, ...Issue[]]

const isSome = (issues: readonly Issue[]): issues is Issues => issues.length > 0

/**
 * The problem of a payload in which some values are not known yet: an issue counts unless `isOpen` says that its value
 * may still become one that is right. Checks that need such a value are left out.
 */
export const problemWithTemplate = (
  input: unknown,
  isOpen: (value: unknown, issue: Issue) => boolean,
): ErrorObject | undefined => {
  const judged = judge(input)
  if ('error' in judged) return judged.error
  const issues = (judged.result.issues ?? []).filter(issue => !isOpen(issue.path?.at(-1)?.value, issue))
  return isSome(issues) ? invalid(judged.payload, issues) : undefined
}

/** Judges size, then spelling and shape. Never throws, and leaves the input as it is. */
export const validateExecution = (input: unknown): Validation => {
  const judged = judge(input)
  if ('error' in judged) return { ok: false, error: judged.error }
  const { payload, result } = judged
  return result.success ? { ok: true, execution: result.output } : { ok: false, error: invalid(payload, result.issues) }
}
