/** The first thing that is wrong with a payload, as the schema found it: where it is, and what stands there. */
import type * as v from 'valibot'
import { entriesOf, isObject, placeAt, type Schema } from './schema-tree.ts'

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

const unknownKeysOf = (schema: Schema | undefined, value: unknown): string[] => {
  const entries = schema === undefined ? undefined : entriesOf(schema, value)
  if (entries === undefined || !isObject(value)) return []
  return Object.keys(value).filter(key => !Object.hasOwn(entries, key))
}

export const problemOf = (root: Schema, payload: unknown, issue: v.BaseIssue<unknown>): Problem => {
  const path = (issue.path ?? []).map(item => String(item.key))
  const around = path.slice(0, -1)
  const holder = placeAt(root, payload, around)
  const at = placeAt(root, payload, path)
  const missing = issue.kind === 'schema' && at.value === undefined
  const isKey = issue.path?.at(-1)?.type === 'object'

  // A missing key beside an unknown one is a misspelt key.
  const unknownKeys = missing || issue.expected === 'never' ? unknownKeysOf(holder.schema, holder.value) : []
  if (unknownKeys.length > 0) return { ...holder, path: around, unknownKeys, missing: false, issue }
  // valibot looks for the `type` of an action in a list, too.
  if (isKey && Array.isArray(holder.value)) return { ...holder, path: around, unknownKeys, missing: false, issue }
  return { ...at, path, unknownKeys, missing, issue }
}
