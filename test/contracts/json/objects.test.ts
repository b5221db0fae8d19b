import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { anyObject, closedObject, dictionary, keepingObject, openObject } from '../../../src/contracts/json/objects.ts'
import { accept, complaints } from '../parse.ts'

const entries = { a: v.exactOptional(v.string()), b: v.exactOptional(v.number(), 7) }
const closed = closedObject(entries)
const open = openObject(entries)
const keeping = keepingObject(entries)

describe.each([
  ['closed', closed],
  ['open', open],
  ['keeping', keeping],
  ['any', anyObject],
] as [string, v.GenericSchema][])('%s object', (_, schema) => {
  test.each([[[]], [['a']], [null], ['text'], [1], [undefined]])('refuses %j', input => {
    expect(v.is(schema, input)).toBe(false)
    expect(v.is(v.object({ inner: schema }), { inner: input })).toBe(false)
    expect(complaints(v.object({ inner: schema }), { inner: input })).toEqual(['inner'])
  })

  test('the standard-schema door refuses arrays too', async () => {
    expect(await schema['~standard'].validate([])).toHaveProperty('issues')
    expect(await schema['~standard'].validate({ a: 'x' })).not.toHaveProperty('issues')
  })
})

test('a closed object names every unknown key, and complains about the known ones as well', () => {
  const input = JSON.parse('{"a": 1, "x": 1, "__proto__": 2, "constructor": 3, "toString": 4}')
  const result = v.safeParse(v.object({ p: closed }), { p: input })
  const paths = result.issues?.map(issue => v.getDotPath(issue))
  expect(paths).toEqual(['p.a', 'p.x', 'p.__proto__', 'p.constructor', 'p.toString'])
  const unknown = result.issues?.filter(issue => issue.expected === 'never').map(issue => issue.input)
  expect(unknown).toEqual(['x', '__proto__', 'constructor', 'toString'])
})

test('a closed object fills defaults, and absent stays absent', () => {
  expect(accept(closed, {})).toStrictEqual({ b: 7 })
  expect(complaints(closed, { a: undefined })).toEqual(['a'])
})

test('an open object drops unknown keys, a keeping one keeps them', () => {
  expect(accept(open, { a: 'x', z: 1 })).toStrictEqual({ a: 'x', b: 7 })
  expect(accept(keeping, { a: 'x', z: 1 })).toStrictEqual({ a: 'x', b: 7, z: 1 })
})

test('a dictionary judges each value', () => {
  expect(accept(dictionary(v.string()), { x: 'y' })).toStrictEqual({ x: 'y' })
  expect(complaints(dictionary(v.string()), { x: 'y', z: 1 })).toEqual(['z'])
})
