/** How a valibot schema becomes a JSON Schema (draft 2020-12, the dialect of OpenAPI 3.1). */
import { type ConversionConfig, type JsonSchema, toJsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'

/**
 * JSON Schema cannot express what a `check` refuses; where it can (exactly one of two keys), the schema says so in its
 * metadata. Left to valibot alone: template grammar, regular expressions that compile, ranges of `integer[min,max]`,
 * two names for one storage size, and lengths of text beyond the BMP, which JSON Schema counts in code points.
 */
const IGNORED_CHECKS = ['check', 'partial_check', 'raw_check', 'to_lower_case', 'transform']

export const CONFIG: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  ignoreActions: IGNORED_CHECKS,
  overrideAction: ({ valibotAction, jsonSchema }) => {
    if (valibotAction.type !== 'regex') return undefined
    const { requirement } = valibotAction as unknown as { requirement: RegExp }
    // The `u` flag is not an obstacle: patterns of JSON Schema are Unicode ones to begin with.
    return requirement.flags === 'u' && jsonSchema.pattern === requirement.source ? jsonSchema : undefined
  },
}

/** `definitions` are shapes that are named once and referred to. */
export const toSchema = (
  schema: v.GenericSchema,
  definitions: Record<string, v.GenericSchema> = {},
  more: Pick<ConversionConfig, 'errorMode'> = {},
): JsonSchema => toJsonSchema(schema, { ...CONFIG, ...more, definitions })
