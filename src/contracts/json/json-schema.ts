/** All public shapes as JSON Schema (draft 2020-12, the dialect of OpenAPI 3.1), by name. */
import { type JsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import { Matcher } from '../executions/matcher.ts'
import { SCHEMAS } from './public-shapes.ts'
import { CONFIG, toSchema } from './to-json-schema.ts'

const NAMES: ReadonlyMap<v.GenericSchema, string> = new Map(
  Object.entries(SCHEMAS).map(([name, schema]) => [schema, name]),
)

/** Throws for a shape that the list above lacks. */
export const nameOf = (schema: v.GenericSchema): string => {
  const name = NAMES.get(schema)
  if (name === undefined) throw new TypeError(`a schema of type ${schema.type} is not in the list of public shapes`)
  return name
}

/** Each schema stands for itself: no references between them, and within one only those to the matcher, which is large. */
export const jsonSchemas = (): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(SCHEMAS).map(([name, schema]) => {
      const whole = toSchema(schema, { Matcher })
      if (JSON.stringify(whole).includes('"#/$defs/Matcher"')) return [name, whole]
      return [name, toSchema(schema)]
    }),
  )

/** The same for the `components` of an OpenAPI document: a shape inside a shape is a reference. */
export const componentSchemas = (): Record<string, JsonSchema> =>
  toJsonSchemaDefs(SCHEMAS, { ...CONFIG, overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}` })
