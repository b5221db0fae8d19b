/** Turns the schema's issues into problems of a payload: where each is, and the value there. */
import type * as v from 'valibot'
import { isObject } from '../../../contracts/json/json.ts'
import { nearest } from '../../../runtime/text/nearest-word.ts'
import { entriesOf, placeAt, type Schema } from './schema-tree.ts'

export interface Problem {
  /** From the execution down. Of unknown keys: the object that holds them. */
  path: readonly string[]
  schema: Schema | undefined
  value: unknown
  /** Names as the caller wrote them; none for problems of other kinds. */
  unknownKeys: readonly string[]
  missing: boolean
  issue: v.BaseIssue<unknown>
}

const isUnknownKey = ({ expected }: v.BaseIssue<unknown>) => expected === 'never'

const unknownKeysOf = (schema: Schema | undefined, value: unknown): string[] => {
  const entries = schema === undefined ? undefined : entriesOf(schema, value)
  if (entries === undefined || !isObject(value)) return []
  return Object.keys(value).filter(key => !Object.hasOwn(entries, key))
}

/** The value that the issue is about; of an unknown key, the object that holds it with all of its unknown keys. */
const problemOf = (root: Schema, payload: unknown, issue: v.BaseIssue<unknown>): Problem => {
  const path = (issue.path ?? []).map(item => String(item.key))
  const around = path.slice(0, -1)
  const holder = placeAt(root, payload, around)
  const at = placeAt(root, payload, path)
  const missing = issue.kind === 'schema' && at.value === undefined
  const isKey = issue.path?.at(-1)?.type === 'object'
  const unknownKeys = isUnknownKey(issue) ? unknownKeysOf(holder.schema, holder.value) : []
  if (unknownKeys.length > 0) return { ...holder, path: around, unknownKeys, missing: false, issue }
  // valibot looks for the `type` of an action in a list, too.
  if (isKey && Array.isArray(holder.value)) return { ...holder, path: around, unknownKeys, missing: false, issue }
  return { ...at, path, unknownKeys, missing, issue }
}

/** Finds an unknown key beside a missing one: it may be that key, misspelt. */
const besides = (root: Schema, payload: unknown, problem: Problem): Problem | undefined => {
  if (!problem.missing) return undefined
  const path = problem.path.slice(0, -1)
  const holder = placeAt(root, payload, path)
  const unknownKeys = unknownKeysOf(holder.schema, holder.value)
  return unknownKeys.length === 0 ? undefined : { ...problem, ...holder, path, unknownKeys, missing: false }
}

const isMisspelt = (problem: Problem, beside: Problem | undefined): boolean =>
  beside?.unknownKeys.some(key => nearest(key, [problem.path.at(-1) ?? '']) !== undefined) ?? false

export interface Problems {
  first: Problem
  others: readonly Problem[]
  /** How many there are beyond those. */
  omitted: number
}

type Issues = readonly [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]]

/** One issue for each value that is wrong, and one for all unknown keys of an object together. */
const distinct = (issues: Issues): v.BaseIssue<unknown>[] => {
  const seen = new Set<string>()
  return issues.filter(issue => {
    const keys = (issue.path ?? []).map(item => item.key)
    const place = JSON.stringify(isUnknownKey(issue) ? [...keys.slice(0, -1), null] : keys)
    return !seen.has(place) && seen.add(place)
  })
}

/** At most so many; a key that is missing because it was misspelt counts with the unknown ones. */
export const problemsIn = (root: Schema, payload: unknown, issues: Issues, most: number): Problems => {
  const found = distinct(issues)
  const named = found.slice(0, most).map(issue => problemOf(root, payload, issue))
  const begin = problemOf(root, payload, issues[0])
  const first = besides(root, payload, begin) ?? begin
  const isFirst = ({ path, unknownKeys }: Problem) =>
    unknownKeys.length > 0 === first.unknownKeys.length > 0 && JSON.stringify(path) === JSON.stringify(first.path)
  const others = named.filter(problem => !isFirst(problem) && !isMisspelt(problem, besides(root, payload, problem)))
  return { first, others, omitted: found.length - named.length }
}
