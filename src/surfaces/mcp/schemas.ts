/** The contract's schemas as the protocol lists them: converted once, and judged where the tool is called. */
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import type * as v from 'valibot'
import { TOOL_ARGUMENTS, type ToolName } from '../../contracts/doors/mcp.ts'
import { toSchema } from '../../contracts/json/to-json-schema.ts'
import { WAIT_FOR_PHONE_MS } from '../../contracts/limits/limits.ts'
import { argumentWords } from '../../contracts/mcp-words.ts'

type Json = Record<string, unknown>

/** True for schema parts that help no caller: any key of JSON is a string, and the real schema checks calls anyway. */
const isEmpty = (key: string, value: unknown): boolean =>
  key === 'propertyNames' ||
  (key === 'required' && Array.isArray(value) && value.length === 0) ||
  (key === 'additionalProperties' && typeof value === 'object' && Object.keys(value as object).length === 0) ||
  (key === 'maximum' && (value === Number.MAX_SAFE_INTEGER || value === WAIT_FOR_PHONE_MS.max)) ||
  (key === 'minimum' && value === 0)

/** Short, because a model reads the list in every conversation; a check that JSON Schema cannot say is left out. */
const listed = (schema: v.GenericSchema): Json => {
  const { $schema: _, ...document } = toSchema(schema, {}, { errorMode: 'ignore' })
  return JSON.parse(JSON.stringify(document, (key, value) => (isEmpty(key, value) ? undefined : value))) as Json
}

interface Described {
  description?: string
}

const described = (document: Json, wordsOf: (argument: string) => string | undefined): Json => {
  const properties = Object.entries((document.properties ?? {}) as Record<string, Described>).map(
    ([name, property]) => {
      const description = property.description ?? wordsOf(name)
      return [name, description === undefined ? property : { ...property, description }]
    },
  )
  return { ...document, properties: Object.fromEntries(properties) }
}

/** The arguments of a tool, each with its words. */
export const argumentsSchema = (tool: ToolName): StandardSchemaWithJSON =>
  judgedLater(described(listed(TOOL_ARGUMENTS[tool]), argument => argumentWords(tool, argument)))

export const listedSchema = (schema: v.GenericSchema): StandardSchemaWithJSON => judgedLater(listed(schema))

/** Takes anything: the tool judges its arguments itself, and says what is wrong as all of svc does. */
const judgedLater = (document: Json): StandardSchemaWithJSON => ({
  '~standard': {
    version: 1,
    vendor: 'svc',
    validate: value => ({ value }),
    jsonSchema: { input: () => document, output: () => document },
  },
})
