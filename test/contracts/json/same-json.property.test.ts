import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSameJson } from '../../../src/contracts/json/json.ts'

test('values are the same JSON where their texts are equal', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      expect(isSameJson(a, JSON.parse(JSON.stringify(a)))).toBe(true)
      expect(isSameJson(a, b)).toBe(JSON.stringify(a) === JSON.stringify(b))
      expect(isSameJson([a, { b }], [b, { b: a }])).toBe(JSON.stringify([a, { b }]) === JSON.stringify([b, { b: a }]))
    }),
  )
})

test('keys in another order, or more of them, are another JSON', () => {
  expect(isSameJson({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(false)
  expect(isSameJson({ a: 1 }, { a: 1, b: 2 })).toBe(false)
  expect(isSameJson([], {})).toBe(false)
  expect(isSameJson(null, {})).toBe(false)
})
