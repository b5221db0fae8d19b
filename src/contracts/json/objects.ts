/** JSON objects as the wire shapes need them: never an array, and with every unknown key named where none is allowed. */
import * as v from 'valibot'

type AnySchema = v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>>
type Run = AnySchema['~run']

/** valibot takes `[]` for an object without required keys; a caller who sends JSON must hear about it. */
const refusingArrays = <S extends AnySchema>(schema: S, run: Run = (...args) => schema['~run'](...args)): S =>
  v._standardSchema<S>({
    ...schema,
    '~run': (dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) => {
      if (!Array.isArray(dataset.value)) return run(dataset, config)
      v._addIssue(schema, 'type', dataset, config)
      return dataset
    },
  })

/** valibot names the first unknown key only; a caller is told all of them, each as an issue of its own. */
const namingUnknownKeys = (schema: AnySchema & { entries: v.ObjectEntries }): Run => {
  return (dataset, config) => {
    const input = dataset.value
    const result = schema['~run'](dataset, config)
    if (config.abortEarly || typeof input !== 'object' || input === null) return result
    const unknownKeys = Object.entries(input).filter(([key]) => !Object.hasOwn(schema.entries, key))
    const copy: Record<string, unknown> = { ...input }
    for (const [key, value] of unknownKeys.slice(1)) {
      const path: [v.ObjectPathItem] = [{ type: 'object', origin: 'key', input: copy, key, value }]
      v._addIssue(schema, 'key', result, config, { input: key, expected: 'never', path })
    }
    return result
  }
}

/** Refuses unknown keys; the requirement of each issue is the list of known ones. */
export const closedObject = <const E extends v.ObjectEntries>(entries: E) => {
  const schema = Object.assign(v.strictObject(entries), { requirement: Object.keys(entries) })
  return refusingArrays(schema, namingUnknownKeys(schema))
}

/** Drops unknown keys. */
export const openObject = <const E extends v.ObjectEntries>(entries: E) => refusingArrays(v.object(entries))

/** Keeps unknown keys. */
export const keepingObject = <const E extends v.ObjectEntries>(entries: E, message?: string) =>
  refusingArrays(v.looseObject(entries, message))

/** Entries of which each may be left out. */
export const eachOptional = <const E extends Readonly<Record<string, v.GenericSchema>>>(entries: E) =>
  Object.fromEntries(Object.entries(entries).map(([key, schema]) => [key, v.exactOptional(schema)])) as {
    [K in keyof E]: v.ExactOptionalSchema<E[K], undefined>
  }

/** An entry that may be left out or null; `nullAsAbsent` makes the two the same. */
export const optional = <const S extends v.GenericSchema>(schema: S) => v.exactOptional(v.nullable(schema))

/** Takes null for an optional entry and hands on an object without it. What is required and null stays. */
export const nullAsAbsent = <S extends AnySchema & { entries: v.ObjectEntries }>(schema: S): S =>
  v._standardSchema<S>({
    ...schema,
    '~run': (dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) => {
      const result = schema['~run'](dataset, config)
      const { value } = result
      if (result.issues || typeof value !== 'object' || value === null) return result
      const isGiven = ([key, held]: [string, unknown]) =>
        held !== null || schema.entries[key]?.type !== 'exact_optional'
      return { ...result, value: Object.fromEntries(Object.entries(value).filter(isGiven)) }
    },
  })

/** Any keys, all values of one kind. */
export const dictionary = <const S extends v.GenericSchema>(value: S) => refusingArrays(v.record(v.string(), value))

/** The same with keys of one kind. */
export const keyedBy = <const K extends v.GenericSchema<string, string>, const S extends v.GenericSchema>(
  key: K,
  value: S,
) => refusingArrays(v.record(key, value))

/** Names that a record leaves out without an issue. */
const LOST_NAMES = ['__proto__', 'prototype', 'constructor']

/** The same as a dictionary for names that mean something to an application: none is left out, some are refused. */
export const namedValues = <const S extends v.GenericSchema>(value: S) => {
  const schema = v.record(v.string(), value)
  return refusingArrays(schema, (dataset, config) => {
    const input = dataset.value
    const result = schema['~run'](dataset, config)
    const lost = LOST_NAMES.filter(name => typeof input === 'object' && input !== null && Object.hasOwn(input, name))
    for (const name of lost) {
      v._addIssue(
        v.check(() => false, `must not have the name ${name}`),
        'name',
        result,
        config,
      )
    }
    return result
  })
}

export const anyObject = dictionary(v.unknown())
