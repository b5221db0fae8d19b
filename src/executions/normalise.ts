/** Section Execution payload: the other spellings of types and keys, turned into the canonical ones. */
import { ACTION_TYPES, type ActionType } from '../contracts/action.ts'
import {
  CAMEL_CASE_KEYS,
  CLICK_TYPE_ALIASES,
  EXACT_TYPE_ALIASES,
  EXECUTION_KEY_ALIASES,
  MATCHER_KEY_ALIASES,
  PARAM_KEY_ALIASES,
  TYPE_ALIASES,
  TYPES_WITHOUT_KEY_ALIASES,
} from '../contracts/aliases.ts'
import { Execution } from '../contracts/execution.ts'
import { isObject, type JsonObject } from '../contracts/json.ts'
import { Matcher } from '../contracts/matcher.ts'
import { childOf, type Entries, entriesOf, type Schema } from './validation/schema-tree.ts'

const snakeCase = (key: string) => key.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

// Maps, for their keys come from callers: an object would answer to `constructor`.
const EXECUTION_NAMES: ReadonlyMap<string, string> = new Map(Object.entries(EXECUTION_KEY_ALIASES))
const SNAKE_CASE_NAMES = CAMEL_CASE_KEYS.map(key => [snakeCase(key), key] as const)
const PARAM_NAMES: ReadonlyMap<string, string> = new Map([...SNAKE_CASE_NAMES, ...Object.entries(PARAM_KEY_ALIASES)])
const MATCHER_NAMES: ReadonlyMap<string, string> = new Map([
  ...SNAKE_CASE_NAMES,
  ...Object.entries(MATCHER_KEY_ALIASES),
])
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
  const taken = new Set(Object.keys(object).filter(key => Object.hasOwn(entries, key)))
  // fromEntries defines properties, so a key `__proto__` stays a key.
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, value]): [string, unknown][] => {
      const name = names.get(key)
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
  const names = entries === Matcher.entries ? MATCHER_NAMES : PARAM_NAMES
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
  const payload = renamed(input, Execution.entries, EXECUTION_NAMES)
  if (!Array.isArray(payload.actions)) return payload
  return { ...payload, actions: payload.actions.map(canonicalAction) }
}
