/** The way through the schema of an execution along a payload: what belongs at a place, and which keys an object there knows. */
import * as v from 'valibot'
import { isObject, type JsonObject } from '../../../contracts/json/json.ts'

export type Schema = v.GenericSchema
export type Entries = Readonly<Record<string, Schema>>

/** The properties of the schemas that executions are made of; each kind has some of them. */
interface Parts {
  entries?: Entries
  item?: Schema
  wrapped?: Schema
  options?: readonly Schema[]
  /** The key by whose value a variant chooses its option. */
  key?: string
  literal?: unknown
  /** The schema of each value of a record. */
  value?: Schema
  /** A schema that contains itself is read late. */
  getter?: (input: unknown) => Schema
}

const partsOf = (schema: Schema): Parts => schema as Parts

export const isOptional = (schema: Schema): boolean => schema.type === 'exact_optional'

export const unwrapped = (schema: Schema): Schema => {
  const { wrapped, getter } = partsOf(schema)
  const inner = wrapped ?? getter?.(undefined)
  return inner === undefined ? schema : unwrapped(inner)
}

/** True where the value names this option, or may leave its name out. */
const isNamed = (entry: Schema | undefined, name: unknown): boolean =>
  entry !== undefined && (name === undefined ? isOptional(entry) : partsOf(unwrapped(entry)).literal === name)

const nameOf = (option: Schema, key: string): string => {
  const entry = partsOf(unwrapped(option)).entries?.[key]
  return entry === undefined ? '' : String(partsOf(unwrapped(entry)).literal)
}

const unknownIn = (entries: Entries, value: JsonObject): number =>
  Object.keys(value).filter(key => !Object.hasOwn(entries, key)).length

/** The keys that an object knows here; of an action, those of its type. None where no object belongs. */
export const entriesOf = (schema: Schema, value: unknown): Entries | undefined => {
  const { entries, options, key } = partsOf(unwrapped(schema))
  if (options === undefined) return entries
  const objects = options.map(option => partsOf(unwrapped(option)).entries).filter(option => option !== undefined)
  if (key !== undefined) {
    const name = isObject(value) ? value[key] : undefined
    // Points without a unit that fits are described by their first form; an action of no known type has no form.
    return objects.find(option => isNamed(option[key], name)) ?? (key === 'type' ? undefined : objects[0])
  }
  return isObject(value) ? objects.sort((a, b) => unknownIn(a, value) - unknownIn(b, value))[0] : undefined
}

export const childOf = (schema: Schema, value: unknown, key: string): Schema | undefined => {
  const plain = unwrapped(schema)
  const { item, value: named, key: chooses, options = [] } = partsOf(plain)
  if (item !== undefined) return item
  if (key === chooses && key !== 'type') return v.picklist(options.map(option => nameOf(option, key)))
  if (plain.type === 'record') return named
  const entries = entriesOf(schema, value)
  return entries !== undefined && Object.hasOwn(entries, key) ? entries[key] : undefined
}

export interface Place {
  schema: Schema | undefined
  value: unknown
}

/** Finds the payload's value at a path, and the schema for it. */
export const placeAt = (schema: Schema, root: unknown, path: readonly PropertyKey[]): Place => {
  let place: Place = { schema, value: root }
  for (const step of path) {
    const { schema: from, value } = place
    const key = String(step)
    const isHolder = typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    place = {
      schema: from === undefined ? undefined : childOf(from, value, key),
      value: isHolder ? (value as JsonObject)[key] : undefined,
    }
  }
  return place
}
