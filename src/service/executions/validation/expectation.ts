/** Words the values that a schema allows: read off the schema, so that a limit is stated in one place only. */
import { type Entries, entriesOf, isOptional, type Schema, unwrapped } from './schema-tree.ts'

interface Step {
  kind: string
  type: string
  requirement?: unknown
  options?: readonly unknown[]
  literal?: unknown
  /** The schema of each value of a record. */
  value?: Schema
  pipe?: readonly Step[]
}

const stepsOf = (schema: Step): Step[] =>
  (schema.pipe ?? []).flatMap(step => [step, ...(step.pipe ? stepsOf(step) : [])])

const limit = (steps: readonly Step[], type: string): number | undefined => {
  const found = steps.find(step => step.type === type)?.requirement
  return typeof found === 'number' ? found : undefined
}

const range = (min: number | undefined, max: number | undefined): string => {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`
  if (min !== undefined) return ` of at least ${min}`
  return max === undefined ? '' : ` of at most ${max}`
}

const keys = (entries: Entries, optional: boolean) =>
  Object.keys(entries).filter(key => {
    const entry = entries[key]
    return entry !== undefined && isOptional(entry) === optional
  })

const objectWith = (entries: Entries): string => {
  const parts = [...keys(entries, false).map(key => key), ...keys(entries, true).map(key => `${key}?`)]
  return parts.length === 0 ? 'an empty object' : `an object with ${parts.join(', ')}`
}

const PLAIN_TYPES: readonly string[] = ['boolean', 'number', 'string']

/** The forms of which a value may have one or the other, in the order in which they read well. */
const KINDS: readonly (readonly [kind: string, isKind: (type: string) => boolean])[] = [
  ['true or false', type => type === 'boolean'],
  ['a number', type => type === 'number'],
  ['text', type => type === 'string'],
  ['an object', type => !PLAIN_TYPES.includes(type)],
]

const WORDS: Record<string, (schema: Step, steps: readonly Step[]) => string> = {
  string: (_, steps) => {
    const [min, max] = [limit(steps, 'min_length'), limit(steps, 'max_length')]
    return max === undefined ? 'text' : `text of ${min ?? 0} to ${max} characters`
  },
  number: (_, steps) => {
    const whole = steps.some(({ type }) => type === 'integer' || type === 'safe_integer')
    return `${whole ? 'an integer' : 'a number'}${range(limit(steps, 'min_value'), limit(steps, 'max_value'))}`
  },
  boolean: () => 'true or false',
  picklist: schema => `one of ${(schema.options ?? []).map(option => JSON.stringify(option)).join(', ')}`,
  literal: schema => JSON.stringify(schema.literal),
  array: (_, steps) =>
    `a list${range(limit(steps, 'min_length'), limit(steps, 'max_length'))} items`.replace('from', 'of'),
  record: ({ value }) =>
    value?.type === 'unknown'
      ? 'an object with any keys and values'
      : `an object in which each value is ${value ? expectation(value) : 'JSON'}`,
  unknown: () => 'any value',
  union: ({ options = [] }) => {
    const types = (options as readonly Schema[]).map(option => unwrapped(option).type)
    const kinds = KINDS.filter(([, isKind]) => types.some(isKind)).map(([kind]) => kind)
    return kinds.length < 2 ? kinds.join('') : `${kinds.slice(0, -1).join(', ')} or ${kinds.at(-1)}`
  },
  variant: () => 'an object with id, type and the params of that type',
}

/** `an integer from 1 to 200`, `one of "down", "up"`, `an object with x, y`. */
export const expectation = (schema: Schema): string => {
  const plain = unwrapped(schema)
  const entries = entriesOf(plain, undefined)
  if (entries !== undefined) return objectWith(entries)
  const steps = stepsOf(plain)
  const deciding = steps.find(step => step.type === 'picklist') ?? plain
  return WORDS[deciding.type]?.(deciding, steps) ?? deciding.type
}

/** The values that are allowed where only some are. */
export const choices = (schema: Schema): string[] => {
  const plain = unwrapped(schema)
  const options = [plain, ...stepsOf(plain)].find((step: Step) => step.type === 'picklist') as Step | undefined
  return (options?.options ?? []).map(String)
}

/** The device gets this value when the key is left out. */
export const defaultOf = (schema: Schema): unknown => {
  const value = (schema as { default?: unknown }).default
  return isOptional(schema) && typeof value !== 'function' ? value : undefined
}
