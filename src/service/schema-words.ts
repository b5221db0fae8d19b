/** The words of svc in a value by its schema: a text that the schema takes, where it would not take what stands in its place. */
import * as v from 'valibot'
import type { Place } from '../runtime/svc-words.ts'

type AnySchema = v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>>

const isSchema = (value: unknown): value is AnySchema =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema'

const member = (schema: AnySchema, key: string): unknown => Reflect.get(schema, key)

const withoutWrapping = (schema: AnySchema): AnySchema => {
  const wrapped = member(schema, 'wrapped')
  return isSchema(wrapped) ? withoutWrapping(wrapped) : schema
}

/** Issues of a value that is not one of those that the schema knows; one that is too long is none of them. */
const OF_UNKNOWN_WORDS: readonly string[] = ['picklist', 'literal', 'regex', 'check', 'union']

const isWordOf = (schema: AnySchema, text: string, changed: string): boolean => {
  if (!v.is(schema, text)) return false
  const { issues } = v.safeParse(schema, changed)
  return issues?.every(({ type }) => OF_UNKNOWN_WORDS.includes(type)) ?? false
}

/** `value` decides which option of a union it is. */
export const wordsOf = (wrapped: unknown, value: unknown): Place | undefined => {
  if (!isSchema(wrapped)) return undefined
  const schema = withoutWrapping(wrapped)
  const options = member(schema, 'options')
  if (Array.isArray(options) && typeof value !== 'string') {
    const option = options.find(each => isSchema(each) && v.is(each, value))
    return wordsOf(option, value)
  }
  const entries = member(schema, 'entries') as Readonly<Record<string, unknown>> | undefined
  const inner = (key: string | number): unknown =>
    typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
  return {
    isWord: (text, changed) => isWordOf(schema, text, changed),
    at: key => wordsOf(typeof key === 'number' ? member(schema, 'item') : entries?.[key], inner(key)),
    isKey: key => entries !== undefined && Object.hasOwn(entries, key),
  }
}
