import { Ajv2020 } from 'ajv/dist/2020.js'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { componentSchemas, jsonSchemas } from '../../../src/contracts/json/json-schema.ts'
import { SCHEMAS, type SchemaName } from '../../../src/contracts/json/public-shapes.ts'
import { propertyCases } from '../../support/property-runs.ts'
import { mutations } from '../mutations.ts'
import { SAMPLES as executionSamples } from '../samples/execution.ts'
import { SAMPLES as hostSamples } from '../samples/host.ts'
import { SAMPLES as skillSamples } from '../samples/skills.ts'

const SAMPLES: Record<SchemaName, unknown[]> = { ...executionSamples, ...hostSamples, ...skillSamples }
const names = Object.keys(SCHEMAS) as SchemaName[]
const published = jsonSchemas()

const newAjv = () => new Ajv2020({ strict: true, strictRequired: false })

/** One for all: each of them compiles the schema of schemas again. */
const ajv = newAjv()

const byReference = newAjv()
byReference.addVocabulary(['components'])
byReference.addSchema({ $id: 'openapi', components: { schemas: componentSchemas() } })

test('every shape is published, as draft 2020-12', () => {
  expect(Object.keys(published)).toEqual(names)
  for (const schema of Object.values(published)) {
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
  }
})

test('a shape inside a shape is one component', () => {
  const { ExecuteRequest, HttpFailure } = componentSchemas()
  expect(ExecuteRequest?.properties?.execution).toEqual({ $ref: '#/components/schemas/Execution' })
  expect(HttpFailure?.properties?.error).toEqual({ $ref: '#/components/schemas/ErrorObject' })
})

describe.each(names)('%s', name => {
  const schema: v.GenericSchema = SCHEMAS[name]
  const validate = ajv.compile(published[name] as object)
  const component = byReference.getSchema(`openapi#/components/schemas/${name}`)

  test('takes the samples', () => {
    expect(SAMPLES[name].length).toBeGreaterThan(0)
    for (const sample of SAMPLES[name]) {
      expect(v.safeParse(schema, sample).issues ?? []).toEqual([])
      expect(validate(sample), ajv.errorsText(validate.errors)).toBe(true)
      expect(component?.(sample)).toBe(true)
    }
  })

  test('judges damaged samples as valibot does', () => {
    const judged = propertyCases(SAMPLES[name].flatMap(mutations)).map(({ value, what }) => ({
      what,
      byValibot: v.is(schema, value),
      bySchema: validate(value),
      byReference: component?.(value),
    }))
    const differing = judged.filter(each => each.bySchema !== each.byValibot || each.byReference !== each.byValibot)
    expect(differing).toEqual([])
    expect(judged.some(({ byValibot }) => !byValibot)).toBe(true)
  })
})
