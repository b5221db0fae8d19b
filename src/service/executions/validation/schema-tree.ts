/** The way through the schema of an execution along a payload: what belongs at a place, and which keys an object there knows. */
import type * as v from 'valibot'
import { isObject, type JsonObject } from '../../../contracts/json/json.ts'

export type Schema = v.GenericSchema
export type Entries = Readonly<Record<string, Schema>>

/** The properties of the schemas that executions are made of; each kind has some of them. */
interface Parts {
  entries?: Entries
  item?: Schema
  wrapped?: Schema
  options?: readonly Schema[]
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

const literalOf = (entries: Entries | undefined, key: string): unknown => {
  const schema = entries?.[key]
  return schema === undefined ? undefined : partsOf(schema).literal
}

/** The keys that an object knows here; of an action, those of its type. None where no object belongs. */
export const entriesOf = (schema: Schema, value: unknown): Entries | undefined => {
  const { entries, options } = partsOf(unwrapped(schema))
  if (options === undefined) return entries
  const type = isObject(value) ? value.type : undefined
  return options.map(option => partsOf(option).entries).find(option => literalOf(option, 'type') === type)
}

export const childOf = (schema: Schema, value: unknown, key: string): Schema | undefined => {
  const plain = unwrapped(schema)
  const { item, value: named } = partsOf(plain)
  if (item !== undefined) return item
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
